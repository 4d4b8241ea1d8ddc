"""What the scripts of the page compute with: every score of the first measure, exact, and the verdict on every pair."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np

from rankgauge.analysis.compare.wording import Focus
from rankgauge.arrays import Floats
from rankgauge.presentation.report.changes import MANY_QUERIES
from rankgauge.presentation.report.material import Material
from rankgauge.presentation.report.queries import LONGEST
from rankgauge.tables.table import shortened

# Eight bytes each, and a third more as text.
MOST_SCORES = 60_000
VERDICTS = ("undecided", "better", "worse", "equivalent")


def page_data(material: Material, focus: Focus) -> dict[str, Any]:
    """Scores of as many systems as there is room for, those of the page's pair first."""
    scores, found = material.scores, focus.found
    room = max(2, MOST_SCORES // max(len(scores.queries), 1))
    order = list(dict.fromkeys([focus.first, focus.second, *(system.name for system in focus.ranked)]))[:room]
    matrix = scores.matrix(found.measure)
    texts = [shortened(material.settings.texts.get(query, ""), 200) for query in scores.queries]
    return {
        "measure": found.measure,
        "systems": [shortened(name, 120) for name in order],
        "queries": [shortened(query, LONGEST) for query in scores.queries],
        "texts": texts if any(texts) else [],
        "bars": len(scores.queries) <= MANY_QUERIES,
        "confidence": focus.comparison.interval_confidence,
        "correction": focus.comparison.correction,
        "values": _packed(np.array([matrix[scores.systems.index(name)] for name in order])),
        "pairs": _pairs(focus, order),
    }


def _pairs(focus: Focus, order: list[str]) -> dict[str, Any]:
    """Of every pair that was compared: which, its interval, its adjusted p-value and its verdict."""
    place = {name: at for at, name in enumerate(order)}
    kept = [pair for pair in focus.found.pairs if pair.system in place and pair.baseline in place]
    numbers = [[pair.low, pair.high, pair.p_adjusted] for pair in kept]
    return {
        "which": [at for pair in kept for at in (place[pair.system], place[pair.baseline])],
        "numbers": _packed(np.array(numbers)),
        "verdicts": "".join(str(VERDICTS.index(pair.verdict)) for pair in kept),
    }


def _packed(numbers: Floats) -> str:
    return base64.b64encode(np.ascontiguousarray(numbers, dtype="<f8").tobytes()).decode()
