"""explore(): one page in which a reader changes the measure and sees at once what follows."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import rankgauge
from rankgauge.data.about import Queries, document_titles
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import match_runs, prepared
from rankgauge.data.policy import Policy
from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError, plural
from rankgauge.evaluation.evaluate import Progress, evaluate, list_runs, settle_one
from rankgauge.evaluation.ranked import Ranked
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.presentation.charts.queries import query_texts
from rankgauge.presentation.explore.lists import by_spread, lists_of
from rankgauge.presentation.explore.pack import Blob, packed
from rankgauge.presentation.explore.page import nouns_of, opening_of, page_bytes
from rankgauge.presentation.explore.robust import certified, dcg_robust
from rankgauge.presentation.explore.start import distinct_grades, exponential_gains, start_of
from rankgauge.presentation.report.collect import any_spark, judgments_of
from rankgauge.tables.notes import shortened

LONGEST_TEXT = 300
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kM]?)B?", re.IGNORECASE)


@dataclass(frozen=True)
class Wishes:
    """What a user chooses about a page."""

    title: str = ""
    texts: Mapping[str, str] = field(default_factory=dict)
    titles: Mapping[str, str] | None = None
    lists: int = 10
    size: int = 3_000_000
    confidence: float = 0.95
    baseline: str | None = None


def explore(
    path: str | os.PathLike[str],
    judgments: Any,
    runs: Any,
    measure: str | Measure = "nDCG@10",
    *,
    queries: Queries | Mapping[str, str] | str | os.PathLike[str] | None = None,
    documents: Mapping[str, str] | str | os.PathLike[str] | None = None,
    weights: Mapping[str, float] | None = None,
    lists: int = 10,
    size: str | int = "3MB",
    baseline: str | None = None,
    confidence: float = 0.95,
    title: str = "",
    policy: Policy | None = None,
    like: str | None = None,
    only: Iterable[str] | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write one self-contained HTML page in which a reader changes the measure and sees the result; return its path."""
    if any_spark(judgments, runs):
        raise UsageError("the explorer needs whole lists, which Spark tables do not give; read them as files")
    chosen, rule = settle_one(measure, policy, like)
    if like is not None and rule.undefined is None:
        # With a tool's conventions, `stability` does not drop undefined queries by itself; the page follows it.
        rule = Policy(undefined=chosen.definition.undefined).over(rule)  # type: ignore[arg-type]
    texts, titles = query_texts(queries), document_titles(documents)
    wishes = Wishes(title, texts, titles, lists, bytes_of(size), confidence, baseline)
    whole = judgments_of(judgments)
    judged, listed = judgments_of(whole, only), list_runs(runs, whole)
    scores = evaluate(judged, listed, chosen, policy=rule, weights=weights, progress=progress)
    if baseline is not None and baseline not in scores.systems:
        raise UsageError(f"no system is called {baseline!r}; known: {', '.join(scores.systems[:8])}")
    write_whole(Path(path), explorer_bytes(judged, listed, scores, wishes))
    return Path(path)


def bytes_of(size: str | int) -> int:
    """A number of bytes, or a text such as '3MB' or '350 kB'.

    >>> bytes_of("3MB"), bytes_of("350kB"), bytes_of(5000)
    (3000000, 350000, 5000)
    """
    found = None if isinstance(size, bool) else _SIZE.fullmatch(str(size).strip())
    if found is None:
        raise UsageError(f"size={size!r} is not a file size; write it as 3MB or 350kB")
    number, unit = found.groups()
    return int(min(float(number), 1e18) * {"": 1, "k": 1_000, "m": 1_000_000}[unit.lower()])


def explorer_bytes(judged: Judgments, runs: list[Any], scores: Scores, wishes: Wishes) -> bytes:
    """The page; the same data give the same bytes."""
    measure, policy = scores.measures[0], scores.policy
    ready = prepared(judged)
    grades = distinct_grades(ready.pool.value)
    start = start_of(measure, policy, grades)
    matches = list(match_runs(judged, runs, policy))
    columns = packed(matches, grades)
    robust = certified(judged, runs, scores) or dcg_robust(Ranked(matches, measure, policy), start["k"])
    if robust.codes is not None:
        columns["certified"] = robust.codes.ravel()
    if scores.weights is not None:
        columns["weights"] = np.asarray(scores.weights, np.float64)
    title = (
        wishes.title
        or f"{len(scores.systems)} systems on {plural(len(scores.queries), scores.about.noun)}: change the measure"
    )
    texts = [shortened(wishes.texts.get(query, ""), LONGEST_TEXT) for query in scores.queries]
    rules = {"missing": policy.missing, "undefined": policy.undefined, "own": measure.definition.undefined}
    facts = {
        "version": rankgauge.__version__,
        "systems": list(scores.systems),
        "nouns": nouns_of(scores),
        "queries": [shortened(query, LONGEST_TEXT) for query in scores.queries],
        "texts": texts if any(texts) else None,
        "grades": grades.tolist(),
        "exp": exponential_gains(measure, grades),
        "start": start,
        "measure": str(measure),
        "policy": rules | {"depth": policy.depth},
        "confidence": wishes.confidence,
        "baseline": None if wishes.baseline is None else scores.systems.index(wishes.baseline),
        # The page counts the pairs of DCG itself.
        "robust": None if robust.codes is None else {"count": robust.count},
        "ties": _tie_rules(start["ties"], policy),
    }
    shown = lists_of(judged, runs, scores.queries, grades, policy, wishes.lists, wishes.titles)
    opening = opening_of(scores, wishes.confidence, robust)
    order = by_spread(scores.matrix()).tolist()

    def page(count: int) -> bytes:
        about, more = shown.columns(sorted(order[:count]))
        return page_bytes(title, opening, Blob(facts | {"lists": about}, columns | more).text())

    return _largest_within(wishes.size, page, len(order) if shown.depth else 0)


def _tie_rules(start: str, policy: Policy) -> list[str]:
    """The rules to choose from; a depth may split a tie group, and then its mean is not defined."""
    rules = ["order" if start == "order" else "document", "mean", "worst", "best"]
    return [rule for rule in rules if rule != "mean" or policy.depth is None or start == "mean"]


def _largest_within(size: int, page: Callable[[int], bytes], most: int) -> bytes:
    """The page with the lists of as many queries as its size allows, to a hundredth of them."""
    best = page(most)
    if len(best) <= size:
        return best
    low, high, best = 0, most, page(0)
    if len(best) > size:
        needed, given = f"{len(best) / 1e6:.2f} MB", f"{size / 1e6:g} MB"
        raise UsageError(
            f"the page needs {needed} even without lists, and its size is limited to {given}\nRaise --size."
        )
    while high - low > max(1, most // 100):
        middle = (low + high) // 2
        made = page(middle)
        if len(made) <= size:
            low, best = middle, made
        else:
            high = middle
    return best
