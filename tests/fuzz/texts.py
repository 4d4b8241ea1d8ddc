"""Measures and gate rules, changed at random: read and written back, or refused by an error of ours."""

from __future__ import annotations

import numpy as np

from fuzz.mutations import mutated
from fuzz.tally import HungError, Tally
from rankgauge.analysis.compare.gate import parse_rule
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


def try_text(draw: np.random.Generator, tally: Tally) -> None:
    """One text; what is accepted reads back as the same when it is written."""
    is_rule = bool(draw.random() < 0.3)
    known = RULES if is_rule else MEASURES
    data = mutated(known[draw.integers(len(known))].encode(), draw)
    text = data.decode(errors="replace")
    tally.counts["texts"] += 1
    try:
        with tally.limited():
            found = (parse_rule if is_rule else parse_all)(text)
            again = found if is_rule else parse_all(" ".join(map(str, found)))
    except RankgaugeError:
        return
    except (Exception, HungError) as problem:  # noqa: BLE001 - whatever it is, it is what we look for
        tally.fail("rule" if is_rule else "measure", "text", data, f"{type(problem).__name__}: {problem}")
        return
    if again != found:
        tally.fail("measure", "text", data, f"does not read back: {found}")
    tally.counts["texts accepted"] += 1
