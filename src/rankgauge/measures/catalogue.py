"""Every measure, in the order help prints them. To add one: a kernel, and its entry here."""

from __future__ import annotations

from rankgauge.kernels import counting, cumulated
from rankgauge.measures.curves import DISCOUNT, GAIN, RELEVANCE
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.parameters import Real, Whole

CUTOFF = Whole("only the first k documents count")
REL = Real("judged value from which a document is relevant; without it, every value above 0", low=0, open_low=True)
CURVES = {"relevance": RELEVANCE, "gain": GAIN, "discount": DISCOUNT}

DEFINITIONS = (
    Definition(
        "nDCG",
        "normalised discounted cumulated gain",
        cumulated.ndcg,
        "DCG@k / DCG@k of the best order of everything judged",
        "Järvelin & Kekäläinen 2002; discount 1/log2(r+1) as in trec_eval",
        CURVES,
        CUTOFF,
    ),
    Definition(
        "DCG",
        "discounted cumulated gain",
        cumulated.dcg,
        "Σ_{r ≤ k} gain(r) · weight(r)",
        "Järvelin & Kekäläinen 2002",
        CURVES,
        CUTOFF,
        range=(0, float("inf")),
    ),
    Definition(
        "AP",
        "average precision",
        counting.average_precision,
        "1/R · Σ_{relevant at r ≤ k} P@r, R = all judged relevant",
        "trec_eval map, map_cut",
        {"rel": REL},
        CUTOFF,
    ),
    Definition(
        "RR",
        "reciprocal rank of the first relevant document",
        counting.reciprocal_rank,
        "1 / rank of the first relevant document, 0 beyond k",
        "trec_eval recip_rank",
        {"rel": REL},
        CUTOFF,
    ),
    Definition(
        "P",
        "precision",
        counting.precision,
        "relevant among the first k / k",
        "trec_eval P",
        {"rel": REL},
        CUTOFF,
    ),
    Definition(
        "R",
        "recall",
        counting.recall,
        "relevant among the first k / R",
        "trec_eval recall",
        {"rel": REL},
        CUTOFF,
    ),
    Definition(
        "Success",
        "whether a relevant document was found",
        counting.success,
        "1 if a relevant document is among the first k, else 0",
        "trec_eval success",
        {"rel": REL},
        CUTOFF,
    ),
    Definition(
        "Judged",
        "share of judged documents",
        counting.judged,
        "judged among the first k / min(k, returned)",
        "ir_measures Judged",
        {},
        CUTOFF,
    ),
)

BY_NAME = {definition.name: definition for definition in DEFINITIONS}


def bare(name: str) -> Measure:
    """The measure of that name with all its defaults."""
    return Measure(BY_NAME[name])
