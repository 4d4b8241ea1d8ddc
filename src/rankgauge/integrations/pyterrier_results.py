"""Results of a PyTerrier experiment as scores, ready to compare."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgauge.data.columns import to_frame
from rankgauge.data.door import is_frame
from rankgauge.errors import DataError, UsageError
from rankgauge.evaluation.scores import Scores

_COLUMNS = ("name", "qid", "measure", "value")


def pyterrier(results: Any) -> Scores:
    """Read the table that `pt.Experiment(…, perquery=True)` returns: name, qid, measure, value.

    A query that a system lacks stays without a score.
    """
    if not is_frame(results):
        raise UsageError(f"pyterrier takes the table of pt.Experiment(…, perquery=True), not {type(results).__name__}")
    frame = to_frame(results, "the results")
    lacking = [name for name in _COLUMNS if name not in frame.columns]
    if lacking:
        places = [f"columns: {', '.join(frame.columns)}"]
        raise DataError(f"no column {lacking[0]!r}", "the results", places, "Run pt.Experiment with perquery=True.")
    axes = [dict.fromkeys(frame[name].cast(str).to_list()) for name in _COLUMNS[:3]]
    at = [dict(zip(names, range(len(names)), strict=True)) for names in axes]
    cube = np.full([len(names) for names in axes], np.nan)
    for name, query, measure, value in frame.select(_COLUMNS).iter_rows():
        place = at[0][str(name)], at[1][str(query)], at[2][str(measure)]
        if not np.isnan(cube[place]):
            raise DataError(f"{name} has two values of {measure} for query {query}", "the results")
        cube[place] = np.nan if value is None else value
    return Scores.from_matrix(cube, *axes, rows="systems")
