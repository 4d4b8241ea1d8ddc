"""Measures, gate rules and policies, changed at random: read and written back, or refused by an error of ours."""

from __future__ import annotations

import numpy as np

from fuzz.mutations import mutated
from fuzz.tally import HungError, Tally
from rankgauge.analysis.compare.gate import parse_rule
from rankgauge.data.policy import Policy
from rankgauge.errors import RankgaugeError
from rankgauge.measures.catalogue import DEFINITIONS
from rankgauge.measures.grammar import parse_all

MEASURES = (
    *(definition.name for definition in DEFINITIONS),
    *("nDCG(gain=exp, discount=log2)@10", "DCG(gain=table(1:3, 2:7))@5,10", "RBP(p=.8, max=4)", "ERR(max=3)@20"),
    *("nDCG(discount=zipf(1.2))@1000000", "P_5 recip_rank map ndcg_cut.5,10 iprec_at_recall_.10", "set_F.0.5"),
    *(
        "AP(rel=2)@100",
        "nDCG(dcg='exp-log2')@10",
        "mrr@10 hit_rate@5 r-precision f1@10",
        "IPrec@0.1",
        "rbp.80 bpref-l2",
    ),
)
RULES = (
    "nDCG@10 < baseline - 0.01",
    "AP<=0.3",
    "RR(rel=2) > baseline + 5%",
    "P@5 >= 1e-3",
    "nDCG(gain=exp)@10 < baseline",
)


POLICIES = ("ties=mean, missing=drop", "unjudged=bounds undefined=zero", "depth=10,rel=2", "digits=4 precision=single")
TEXTS: dict[str, tuple[str, ...]] = {"text of measures": MEASURES, "rule": RULES, "policy": POLICIES}


def try_mutated(draw: np.random.Generator, tally: Tally) -> None:
    """One text, changed at random."""
    kind = list(TEXTS)[draw.choice(3, p=[0.6, 0.3, 0.1])]
    known = TEXTS[kind]
    try_text(kind, mutated(known[draw.integers(len(known))].encode(), draw), tally)


def try_text(kind: str, data: bytes, tally: Tally) -> None:
    """What is accepted reads back as the same when it is written."""
    text = data.decode(errors="replace")
    tally.counts["texts"] += 1
    try:
        with tally.limited():
            found, again = _twice(kind, text)
    except RankgaugeError:
        return
    except (Exception, HungError) as problem:  # noqa: BLE001 - whatever it is, it is what we look for
        tally.fail(kind, "text", data, f"{type(problem).__name__}: {problem}")
        return
    if again != found:
        tally.fail(kind, "text", data, f"does not read back: {found}")
    tally.counts["texts accepted"] += 1


def _twice(kind: str, text: str) -> tuple[object, object]:
    if kind == "rule":
        found = parse_rule(text)
        return found, parse_rule(found.text)
    if kind == "policy":
        policy = Policy.read(text)
        return policy, Policy.read(", ".join(f"{name}={value}" for name, value in policy.to_dict().items()))
    measures = parse_all(text)
    return measures, parse_all(" ".join(map(str, measures)))
