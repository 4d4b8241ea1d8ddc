"""The numbers behind Figures 2 to 9, one dictionary a point."""

from __future__ import annotations

import numpy as np
from study import CUTOFFS, DEEP, DISCOUNTS, GAINS, Floats, Row, Study

from rankgauge.analysis.optimize.search.form import with_queries

Points = list[dict[str, str | int | float]]

MOST_QUERIES = 100


def figure_2(studies: list[Study]) -> Points:
    """Named and optimal discounts by rank, each of sum 1."""
    return [
        {"collection": study.name, "cutoff": cutoff, "discount": row.name, "rank": rank, "weight": float(weight)}
        for study in studies
        for cutoff in CUTOFFS
        for row in study.discounts[cutoff].values()
        for rank, weight in enumerate(row.discount / row.discount.sum(), 1)
    ]


def figure_3(studies: list[Study]) -> Points:
    """The optimal discount when it may rise and fall, beside the one that may not."""
    return [
        {"collection": study.name, "cutoff": cutoff, "discount": name, "rank": rank, "weight": float(weight)}
        for study in studies
        for cutoff in CUTOFFS
        for name, found in (("free", study.free[cutoff]), ("non-increasing", study.found[cutoff]))
        for rank, weight in enumerate(np.array(found.discount) / sum(found.discount), 1)
    ]


def figure_4(studies: list[Study]) -> Points:
    """Dependability against the number of queries, by discount."""
    return _by_queries(studies, "discount")


def figure_5(studies: list[Study]) -> Points:
    """Share of systems and queries with a relevant document at each rank, by grade."""
    return [
        {"collection": study.name, "grade": f"grade {grade:g}", "rank": rank, "share": float(share)}
        for study in studies
        for grade, shares in zip(study.grades.grades, study.grades.relevant_by_rank(), strict=True)
        for rank, share in enumerate(shares, 1)
    ]


def figure_6(studies: list[Study]) -> Points:
    """Dependability against the number of queries, by gain."""
    return _by_queries(studies, "gain")


def figure_7(studies: list[Study]) -> Points:
    """Every system's mean nDCG under the optimal discount and under the named ones."""
    return _by_system(studies, "discount")


def figure_8(studies: list[Study]) -> Points:
    """Every system's mean nDCG under the optimal gain and under the named ones."""
    return _by_system(studies, "gain")


def _rows(study: Study, what: str) -> dict[str, Row]:
    return study.discounts[DEEP] if what == "discount" else study.gains[DEEP]


def _by_queries(studies: list[Study], what: str) -> Points:
    return [
        {
            "collection": study.name,
            what: row.name,
            "queries": queries,
            "dependability": with_queries(row.dependability, queries),
        }
        for study in studies
        for row in _rows(study, what).values()
        for queries in range(1, MOST_QUERIES + 1)
    ]


def _by_system(studies: list[Study], what: str) -> Points:
    names = DISCOUNTS if what == "discount" else GAINS
    points: Points = []
    for study in studies:
        rows = _rows(study, what)
        best: Floats = rows["optimal"].means
        points += [
            {
                "collection": study.name,
                what: name,
                "system": system,
                "optimal": float(best[system]),
                "named": float(mean),
            }
            for name in names
            for system, mean in enumerate(rows[name].means)
        ]
    return points


def figure_9(studies: list[Study]) -> Points:
    """Achieved significance levels of all pairs of the 30 best systems, by measure (@20)."""
    return [
        {"collection": study.name, "measure": one.measure, "pair": place, "asl": asl}
        for study in studies
        for one in study.power.measures
        for place, asl in enumerate(one.asl, 1)
    ]
