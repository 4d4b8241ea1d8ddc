"""Real collections from RANKGAUGE_DATA: numbers and names of systems only, for no document or query may leave them."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import rankgauge
from net import said
from net.said import Case
from rankgauge import Judgments, Policy, Scores

MEASURES = "nDCG@10 nDCG AP P@5 RR R@100 ERR@20 RBP Bpref Q@10 Judged@10 rankDCG"
POLICIES: dict[str, dict[str, Any]] = {
    "ties=mean": {"ties": "mean"},
    "ties=worst": {"ties": "worst", "depth": 50},
    "unjudged=drop": {"unjudged": "drop", "missing": "drop"},
    "trec_eval-9": {"precision": "single", "undefined": "zero", "fraction": "truncate", "missing": "drop"},
    "rel=2": {"rel": 2, "undefined": "drop"},
}
LIKE = ("trec_eval-9", "gdeval", "sklearn", "lightgbm", "beir", "lenskit")


def data() -> Path:
    return Path(os.environ.get("RANKGAUGE_DATA", "none"))


@cache
def judgments(path: Path) -> Judgments:
    return rankgauge.read_judgments(path)


def _digest(value: str | bytes) -> str:
    return hashlib.blake2b(value if isinstance(value, bytes) else value.encode(), digest_size=6).hexdigest()


def _numbers(scores: Scores) -> dict[str, Any]:
    """Means with all digits, a digest of the bits of all queries, and notes without what they name."""
    means = scores.mean()
    values = {
        system: {
            str(measure): [means[system][str(measure)], _digest(_bits(scores.values[s, :, m]))]
            for m, measure in enumerate(scores.measures)
        }
        for s, system in enumerate(scores.systems)
    }
    noted = Counter((note.kind, note.measure, note.count, note.severity) for note in scores.notes)
    words = _digest("\n".join(sorted(note.text for note in scores.notes)).replace(str(data()), ""))
    return {
        "values": values,
        "notes": sorted(map(list, noted), key=repr),
        "words": words,
        "queries": len(scores.queries),
    }


def _bits(values: np.ndarray) -> bytes:
    return np.where(np.isnan(values), np.nan, values).astype(np.float64).tobytes()


def _compared(scores: Scores, **options: Any) -> dict[str, Any]:
    """Verdicts counted, and what their numbers add up to."""
    found = rankgauge.compare(scores, **options).to_dict()
    pairs = [pair for measure in _measures(found) for pair in measure["pairs"]]
    numbers = {
        name: [float(np.sum(column)), float(np.sum(np.square(column)))]
        for name in ("difference", "low", "high", "p", "p_adjusted")
        for column in [[pair[name] for pair in pairs if pair.get(name) is not None]]
    }
    return {
        "verdicts": dict(sorted(Counter(pair["verdict"] for pair in pairs).items())),
        "sums": numbers,
        "summary": found.get("summary"),
    }


def _measures(found: dict[str, Any]) -> list[dict[str, Any]]:
    measures = found["measures"]
    return list(measures.values()) if isinstance(measures, dict) else measures


def real() -> Iterator[Case]:
    """Each run alone and all together, under policies and presets; verdicts, intervals and reliability of all."""
    folder = data()
    covid, clef, web = folder / "trec-covid-round3", folder / "clef-ehealth-2015", folder / "judges" / "dl21"
    collections = {
        "covid": (covid / "qrels.txt.gz", sorted((covid / "runs").glob("*.gz"))),
        "clef": (clef / "qrels.eng.clef2015.qtest.graded.txt.gz", sorted((clef / "runs").glob("*.gz"))),
        "dl21": (web / "human.qrels.gz", sorted(path for path in (web / "runs").iterdir() if path.is_file())),
    }
    for name, (judged, runs) in collections.items():
        for run in runs:
            yield _case(f"{name} {run.name}", judged, run, MEASURES)
        for rule, policy in POLICIES.items():
            yield _case(f"{name} all, {rule}", judged, runs, MEASURES, policy=Policy(**policy))
        for like in LIKE:
            yield _case(f"{name} all like {like}", judged, runs[:12], "nDCG@10 AP RR P@5", like=like)
        if name != "clef":
            yield from _analyses(name, judged, runs)
    for number in (1, 2, 4, 5):
        rounds = folder / "trec-covid-rounds"
        yield _case(
            f"round {number}",
            rounds / f"round{number}.qrels.gz",
            rounds / f"round{number}.runs.parquet",
            "nDCG@10 AP P@5 RR RBP",
        )
    nist = folder / "trec-eval"
    yield _case("trec_eval's own", nist / "qrels.test", nist / "results.test", "all_trec")
    yield _case(
        "trec_eval's own, graded", nist / "qrels.rel_level", nist / "results.test", "all_trec", like="trec_eval-9"
    )
    letor = folder / "ltr-lightgbm" / "rank.test.gz"
    yield _case("features", letor, letor, "nDCG@10 AP")
    for path in sorted((folder / "gtheory" / "trec-web").glob("*.csv"))[:4]:
        yield Case(f"stability {path.name}", _stability(lambda path=path: rankgauge.read_scores(path)))


def _case(name: str, judged: Path, runs: Any, measures: str, **options: Any) -> Case:
    return Case(name, lambda: _numbers(rankgauge.evaluate(judgments(judged), runs, measures, **options)))


def _analyses(name: str, judged: Path, runs: list[Path]) -> Iterator[Case]:
    @cache
    def scores() -> Scores:
        return rankgauge.evaluate(judgments(judged), runs, "nDCG@10 AP")

    @cache
    def one() -> Scores:
        return scores().select("nDCG@10")

    asked: dict[str, dict[str, Any]] = {
        "baseline": {},
        "t and holm": {"test": "t", "correction": "holm"},
        "all pairs": {"all_pairs": True},
        "all pairs by t": {"all_pairs": True, "test": "t", "correction": "bh"},
    }
    for how, options in asked.items():
        yield Case(f"{name} verdicts, {how}", lambda options=options: _compared(one(), **options))
    yield Case(f"{name} verdicts of two measures", lambda: _compared(scores(), baseline="best"))
    yield Case(f"{name} stability", _stability(scores))
    yield Case(
        f"{name} intervals",
        lambda: {s: [row["nDCG@10"].low, row["nDCG@10"].high] for s, row in one().intervals().items()},
    )
    yield Case(f"{name} agreement", lambda: said.shortened(rankgauge.agreement(scores()).to_dict()))


def _stability(scores: Callable[[], Scores]) -> Callable[[], Any]:
    def call() -> Any:
        found = said.plain(rankgauge.stability(scores()).to_dict())
        del found["notes"]  # which name files
        return said.shortened(found)

    return call
