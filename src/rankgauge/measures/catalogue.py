"""Every measure, in the order help prints them. To add one: a kernel, and its entry here.

Formulas that few calls ask for are loaded when they are called.
"""

from __future__ import annotations

import copyreg
from functools import partial
from math import inf

from rankgauge.errors import MeasureError
from rankgauge.kernels import cumulated, late
from rankgauge.measures.curves import DISCOUNTS, GAINS, RELEVANCES, choice, curve, real, reals, whole
from rankgauge.measures.measure import Definition, Measure

CUTOFF = whole("only the first k documents count")
RECALL = real("recall level", low=0, high=1)
REL = real("minimum judged value of a relevant document; unset, any value above 0", above=0)
BINARY = real("minimum relevance that counts as 1; unset, documents count as relevance / max", above=0)
BETA = real("weight of recall relative to precision", default=1.0, above=0)
BLEND = real("weight of the gain relative to the count", default=1.0, low=0)
PATIENCE = real("probability of continuing to the next document", default=0.8, above=0, below=1)
HIGHEST = choice(
    "highest grade, taken from all judgments or from each query, or a number",
    ("judgments", "query"),
    real("", above=0),
)
ROUNDING = choice(
    "how to round a fraction of the relevant documents: up, to the nearest, or as trec_eval 9 does",
    ("up", "nearest", "trec"),
)
TIMES = real("number of documents, as a multiple of the number of relevant documents", default=1.0, above=0)
AP_OVER = choice(
    "what the sum of precisions is divided by: R, min(k, R), the same with the number returned for k, the relevant "
    "documents found, or k",
    ("all", "reachable", "returned", "found", "k"),
)
AP_AT = choice(
    "where precision is taken: at each relevant document, or where the score changes (then without a cutoff)",
    ("rank", "threshold"),
)
P_OVER = choice(
    "what the relevant documents are divided by: k, the documents returned down to k, or the relevant documents that "
    "k documents can reach",
    ("k", "returned", "reachable"),
)
R_OVER = choice(
    "what the relevant documents are divided by: all of them, or those that k documents can reach",
    ("all", "reachable"),
)
IDEAL = choice(
    "what the best DCG is that of: the judged documents down to k; these without the cutoff (uncut), or cut where the "
    "list ends (answered); the documents returned; the top k of them; or k documents of gain 1 (ones)",
    ("judged", "uncut", "answered", "returned", "top", "ones"),
)
FIRST = choice(
    "which document counts: the first relevant one, or the first with the highest grade of the list",
    ("relevant", "highest"),
)
LEVELS = reals(RECALL, tuple(level / 10 for level in range(11)))
RELEVANCE = curve("maps the judged value to relevance", RELEVANCES, context=2)
GAIN = curve("maps relevance to gain", GAINS, array="levels", table="table")
DISCOUNT = curve("maps the rank to a weight", DISCOUNTS, array="weights", context=1)
CURVES = {"relevance": RELEVANCE, "gain": GAIN, "discount": DISCOUNT}
ANY = (0, inf)
MONOTONE = late("bounds.monotone")
NUMBER = late("counting.number")

# A table to be read from top to bottom: name, title, kernel / formula / source / options, cutoff, and what is unusual.
# fmt: off
DEFINITIONS = (
    Definition("nDCG", "normalized discounted cumulative gain", cumulated.ndcg,
        "DCG@k / DCG@k of the ideal order of all judged documents",
        "Järvelin & Kekäläinen 2002; discount 1/log2(r+1) as in trec_eval",
        CURVES | {"ideal": IDEAL}, CUTOFF, group="graded", below=cumulated.best_dcg,
        bounds=late("bounds.ndcg"),
        words="The sum of the gains of the retrieved documents, each weighted by its rank, as a share of the largest "
              "sum that any order of the judged documents could reach."),
    Definition("DCG", "discounted cumulative gain", cumulated.dcg,
        "Σ_{r ≤ k} gain(r) · weight(r)",
        "Järvelin & Kekäläinen 2002",
        CURVES, CUTOFF, group="graded", range=ANY,
        bounds=partial(MONOTONE, kernel=cumulated.dcg),
        words="The sum of the gains of the retrieved documents, each weighted by its rank. It grows with the number of "
              "relevant documents, so scores of different queries are not comparable."),
    Definition("rankDCG", "how well items are ordered by value, with many ties", late("rankdcg.rank_dcg_of_hits"),
        "(Σ level(r) · w(r) − least) / (most − least), w(r) = 1 / (1 + distinct values above the one due at r)",
        "Katerenchuk & Rosenberg 2016, with its last equation corrected",
        {}, CUTOFF, group="graded", ties="worst", undefined="drop", looks_below=True,
        words="How close the ranking of the judged documents is to the order of their values: 1 for the best order, 0 "
              "for its reverse, regardless of ties. Only the order of the values counts. Documents that were not "
              "retrieved come last, unjudged documents are ignored; undefined if all values are equal."),
    Definition("ERR", "expected reciprocal rank", late("cascade.err"),
        "Σ_{r ≤ k} 1/r · R(r) · Π_{i < r} (1 − R(i)), R = (2^v − 1) / 2^max",
        "Chapelle, Metzler, Zhang & Grinspan 2009; max=4 is TREC's gdeval",
        {"max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded",
        bounds=partial(MONOTONE, kernel=late("cascade.err")),
        words="A user reads from the top and stops at a document with a probability that grows with its grade; the "
              "expected value of 1 / rank at which the user stops."),
    Definition("nERR", "normalized expected reciprocal rank", late("cascade.normalized_err"),
        "ERR@k / ERR@k of the ideal order of all judged documents",
        "Sakai & Song 2011",
        {"max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded",
        words="ERR as a share of the largest value that any order of the judged documents could reach."),
    Definition("RBP", "rank-biased precision", late("cascade.rbp"),
        "(1 − p) · Σ_{r ≤ k} v(r) · p^(r − 1), v = 1 from rel up, else relevance / max",
        "Moffat & Zobel 2008; trec_eval 10 rbp is RBP(p=0.9, max=query)",
        {"p": PATIENCE, "rel": BINARY, "max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded", threshold=False,
        bounds=partial(MONOTONE, kernel=late("cascade.rbp")),
        words="A user continues to the next document with probability p; the expected relevance per document viewed."),
    Definition("RBPResidual", "uncertainty of rank-biased precision", late("cascade.rbp_residual"),
        "1 − (1 − p) · Σ_{judged at r ≤ k} p^(r − 1)",
        "Moffat & Zobel 2008; trec_eval 10 rbp_resid, which is 0 if all retrieved documents are judged",
        {"p": PATIENCE}, CUTOFF, group="graded",
        words="How much RBP would increase if every document that is unjudged, or beyond the end of the list, were "
              "relevant. RBP lies between its value and its value plus this residual."),
    Definition("Q", "Q-measure", late("counting.q_measure"),
        "1/min(k, R) · Σ_{relevant at r ≤ k} (count(r) + β · gain(1…r)) / (r + β · ideal gain(1…r))",
        "Sakai 2004; min(k, R) as in NTCIREVAL",
        {"beta": BLEND, "relevance": RELEVANCE, "gain": GAIN}, CUTOFF, group="graded",
        words="Average precision for graded relevance: it blends precision with the cumulative gain relative to the "
              "ideal cumulative gain. With beta=0 and no cutoff it is AP."),
    Definition("AP", "average precision", late("counting.average_precision"),
        "1/R · Σ_{relevant at r ≤ k} P@r, R = all judged relevant; 1/min(k, R) with over=reachable",
        "trec_eval map, map_cut",
        {"rel": REL, "over": AP_OVER, "at": AP_AT}, CUTOFF, group="binary", below=late("counting.average_precision_below"),
        bounds=late("bounds.average_precision"),
        words="The precision at the rank of each relevant document, averaged over all relevant documents; those not "
              "retrieved count 0. A cutoff does not reduce R."),
    Definition("GMAP", "geometric mean average precision", late("counting.average_precision"),
        "exp(mean over queries of ln max(AP, 0.00001))",
        "trec_eval gm_map; Robertson 2006",
        {"rel": REL}, CUTOFF, group="binary", aggregate="geometric",
        words="AP per query, with a geometric mean over queries, which gives more weight to poor queries."),
    Definition("RR", "reciprocal rank", late("counting.reciprocal_rank"),
        "1 / rank of the first relevant document, 0 beyond k",
        "trec_eval recip_rank",
        {"rel": REL, "first": FIRST}, CUTOFF, group="binary",
        bounds=partial(MONOTONE, kernel=late("counting.reciprocal_rank")),
        words="One over the rank of the first relevant document; documents after it do not count."),
    Definition("P", "precision", late("counting.precision"),
        "relevant among the first k / k",
        "trec_eval P",
        {"rel": REL, "over": P_OVER}, CUTOFF, group="binary", below=late("counting.precision_below"),
        bounds=partial(MONOTONE, kernel=late("counting.precision")),
        words="The share of relevant documents among the first k; if fewer were retrieved, the missing ones count as "
              "not relevant. Without a cutoff, the share among all retrieved documents."),
    Definition("R", "recall", late("counting.recall"),
        "relevant among the first k / R",
        "trec_eval recall",
        {"rel": REL, "over": R_OVER}, CUTOFF, group="binary", below=late("counting.precision_below"),
        words="The share of the relevant documents that are among the first k."),
    Definition("F", "F-measure", late("counting.f_measure"),
        "(1 + β²) · P@k · R@k / (β² · P@k + R@k)",
        "van Rijsbergen 1979; ranx f1",
        {"beta": BETA, "rel": REL}, CUTOFF, group="binary",
        words="The weighted harmonic mean of precision and recall, with recall β times as important."),
    Definition("RelP", "precision relative to the best possible", partial(late("counting.precision"), over="reachable"),
        "relevant among the first k / min(k, R)",
        "trec_eval relative_P",
        {"rel": REL}, CUTOFF, group="binary", needs_cutoff=True,
        words="Precision as a share of the highest precision possible at k: precision up to rank R, recall beyond."),
    Definition("Rprec", "R-precision", late("counting.r_precision"),
        "relevant among the first n / n, n = times · R",
        "trec_eval Rprec, Rprec_mult",
        {"times": TIMES, "rounding": ROUNDING, "rel": REL}, group="binary",
        words="Precision at rank R, where it equals recall."),
    Definition("Success", "success (hit rate)", late("counting.success"),
        "1 if a relevant document is among the first k, else 0",
        "trec_eval success",
        {"rel": REL}, CUTOFF, group="binary",
        bounds=partial(MONOTONE, kernel=late("counting.success")),
        words="Whether a relevant document is among the first k; the mean is the share of such queries."),
    Definition("IPrec", "interpolated precision at a recall level", late("counting.interpolated_precision"),
        "max_{r ≥ r(x)} P@r, r(x) = rank of the relevant document that reaches recall x",
        "trec_eval iprec_at_recall; Salton & McGill 1983",
        {"rounding": ROUNDING, "rel": REL}, RECALL, group="binary", needs_cutoff=True,
        words="The highest precision at or after the rank that reaches recall x; 0 if no rank does."),
    Definition("IAP", "interpolated average precision", late("counting.interpolated_precision"),
        "mean of IPrec@x over the levels x",
        "trec_eval 11pt_avg",
        {"recall": LEVELS, "rounding": ROUNDING, "rel": REL}, group="binary",
        words="Interpolated precision averaged over the eleven recall levels 0, 0.1, …, 1, or over given levels."),
    Definition("Bpref", "binary preference", late("preference.bpref"),
        "1/R · Σ_{relevant found} (1 − min(n, R) / min(N, R)), n of the N judged non-relevant above it",
        "Buckley & Voorhees 2004, as in trec_eval bpref",
        {"rel": REL}, group="incomplete judgments",
        words="How often relevant documents rank above documents judged not relevant; unjudged documents are ignored."),
    Definition("GMBpref", "geometric mean binary preference", late("preference.bpref"),
        "exp(mean over queries of ln max(Bpref, 0.00001))",
        "trec_eval gm_bpref",
        {"rel": REL}, group="incomplete judgments", aggregate="geometric",
        words="Bpref per query, with a geometric mean over queries, which gives more weight to poor queries."),
    Definition("infAP", "inferred average precision", late("preference.inferred_average_precision"),
        "1/R · Σ_{relevant at r} (1 + pooled · (relevant + ε) / (judged + 2ε)) / r, each counted above r, ε = 0.00001",
        "Yilmaz & Aslam 2006; trec_eval infAP",
        {"rel": REL}, group="incomplete judgments",
        words="An estimate of AP if only a sample of the pool was judged; a negative grade marks a pooled document "
              "outside the sample."),
    Definition("Judged", "share of judged documents", late("counting.judged"),
        "judged among the first k / min(k, retrieved)",
        "ir_measures Judged",
        {}, CUTOFF, group="incomplete judgments",
        words="The share of the first k retrieved documents that have a judgment of any value."),
    Definition("Unjudged", "share of unjudged documents", late("counting.unjudged"),
        "unjudged among the first k / k",
        "trec_eval 10 unj",
        {}, CUTOFF, group="incomplete judgments", needs_cutoff=True,
        words="The number of documents among the first k without a judgment, or with a negative one, divided by k "
              "even if fewer were retrieved."),
    Definition("SetP", "set precision", late("counting.precision"),
        "relevant retrieved / retrieved",
        "trec_eval set_P",
        {"rel": REL}, group="sets",
        words="The share of relevant documents among all retrieved documents."),
    Definition("SetRelP", "set precision relative to the best possible", partial(late("counting.precision"), over="reachable"),
        "relevant retrieved / min(retrieved, R)",
        "trec_eval set_relative_P",
        {"rel": REL}, group="sets",
        words="Set precision as a share of the highest precision possible for a set of this size."),
    Definition("SetR", "set recall", late("counting.recall"),
        "relevant retrieved / R",
        "trec_eval set_recall",
        {"rel": REL}, group="sets",
        words="The share of the relevant documents that were retrieved."),
    Definition("SetF", "set F-measure", late("counting.f_measure"),
        "(1 + β²) · SetP · SetR / (β² · SetP + SetR)",
        "van Rijsbergen 1979; trec_eval set_F.x has x = β²",
        {"beta": BETA, "rel": REL}, group="sets",
        words="The weighted harmonic mean of set precision and set recall, with recall β times as important."),
    Definition("SetAP", "set average precision", late("counting.set_average_precision"),
        "SetP · SetR",
        "trec_eval set_map",
        {"rel": REL}, group="sets",
        words="Set precision times set recall: each relevant document counts with the precision of the whole set."),
    Definition("NumQ", "number of queries", partial(NUMBER, of="queries"),
        "1 per query",
        "trec_eval num_q",
        group="counts", aggregate="sum", range=(1, 1),
        words="The number of queries behind the other numbers."),
    Definition("NumRet", "documents retrieved", partial(NUMBER, of="retrieved"),
        "retrieved",
        "trec_eval num_ret",
        group="counts", aggregate="sum", range=ANY,
        words="The number of documents in the run."),
    Definition("NumRel", "relevant documents", partial(NUMBER, of="relevant"),
        "R",
        "trec_eval num_rel",
        {"rel": REL}, group="counts", aggregate="sum", range=ANY,
        words="The number of documents judged relevant, retrieved or not."),
    Definition("NumRelRet", "relevant documents retrieved", partial(NUMBER, of="found"),
        "relevant among the first k",
        "trec_eval num_rel_ret; ranx hits",
        {"rel": REL}, CUTOFF, group="counts", aggregate="sum", range=ANY,
        words="The number of relevant documents in the run."),
    Definition("NumNonrelRet", "documents retrieved and judged not relevant", partial(NUMBER, of="wrong"),
        "judged not relevant among the retrieved",
        "trec_eval num_nonrel_judged_ret",
        {"rel": REL}, group="counts", aggregate="sum", range=ANY,
        words="The number of documents in the run that were judged not relevant; unjudged documents are not counted."),
)
# fmt: on

BY_NAME = {definition.name: definition for definition in DEFINITIONS}


def _entry(name: str) -> Definition:
    return BY_NAME[name]


def _sent(definition: Definition) -> tuple[object, tuple[str]]:
    """By name, so that a measure that comes back from another process is equal to the one that was sent."""
    if BY_NAME.get(definition.name) is not definition:
        raise MeasureError(f"{definition.name} is not in the catalogue and cannot be sent to another process")
    return _entry, (definition.name,)


copyreg.pickle(Definition, _sent)  # type: ignore[arg-type]


def bare(name: str) -> Measure:
    """The measure of that name with all its defaults."""
    return Measure(BY_NAME[name])
