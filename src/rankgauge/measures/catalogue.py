"""Every measure, in the order help prints them. To add one: a kernel, and its entry here."""

from __future__ import annotations

from math import inf

from rankgauge.kernels.formulas import bounds, cascade, counting, cumulated, interpolated, preference, rankdcg, sets
from rankgauge.measures.curves import DISCOUNT, GAIN, RELEVANCE
from rankgauge.measures.measure import Definition, Measure
from rankgauge.measures.parameters import Choice, Real, RealOrWord, Reals, Whole

CUTOFF = Whole("only the first k documents count")
RECALL = Real("level of recall", low=0, high=1)
REL = Real("judged value from which a document is relevant; without it, every value above 0", low=0, open_low=True)
BINARY = Real("relevance from which a document counts as 1; without it, relevance / max", low=0, open_low=True)
BETA = Real("weight of recall against precision", default=1.0, low=0, open_low=True)
BLEND = Real("weight of gain against counting", default=1.0, low=0)
PATIENCE = Real("chance of going on to the next document", default=0.8, low=0, high=1, open_low=True, open_high=True)
HIGHEST = RealOrWord(
    Real("the highest grade there is: of all judgments, of each query, or a number", low=0, open_low=True),
    "judgments",
    ("judgments", "query"),
)
ROUNDING = Choice(
    "a share of the relevant documents is rounded up, to the nearest, or as trec_eval 9 does",
    "up",
    ("up", "nearest", "trec"),
)
TIMES = Real("cutoff as a multiple of the number of relevant documents", default=1.0, low=0, open_low=True)
LEVELS = Reals(RECALL, tuple(level / 10 for level in range(11)))
CURVES = {"relevance": RELEVANCE, "gain": GAIN, "discount": DISCOUNT}
ANY = (0, inf)

# A table to be read from top to bottom: name, title, kernel / formula / source / options, cutoff, and what is unusual.
# fmt: off
DEFINITIONS = (
    Definition("nDCG", "normalized discounted cumulated gain", cumulated.ndcg,
        "DCG@k / DCG@k of the best order of everything judged",
        "Järvelin & Kekäläinen 2002; discount 1/log2(r+1) as in trec_eval",
        CURVES, CUTOFF, group="graded",
        bounds=bounds.ndcg,
        words="The gain found, each document's weighted by its rank, as a share of the most that any order of the "
              "judged documents could give."),
    Definition("DCG", "discounted cumulated gain", cumulated.dcg,
        "Σ_{r ≤ k} gain(r) · weight(r)",
        "Järvelin & Kekäläinen 2002",
        CURVES, CUTOFF, group="graded", range=ANY,
        bounds=bounds.monotone(cumulated.dcg),
        words="The gain found, each document's weighted by its rank. It grows with the number of relevant documents, "
              "so queries are not comparable."),
    Definition("rankDCG", "how well values are ordered, ties and all", rankdcg.rank_dcg_of_hits,
        "(Σ level(r) · w(r) − least) / (most − least), w(r) = 1 / (1 + distinct values above the one due at r)",
        "Katerenchuk & Rosenberg 2016, with its last equation put right",
        {}, CUTOFF, group="graded", ties="worst", undefined="drop", looks_below=True,
        words="How near the order of the judged documents comes to the order of their values: 1 for the best order, 0 "
              "for its reverse, whatever the number of ties. Only the order of values counts. Documents that were not "
              "returned come last, unjudged ones do not count; undefined where all values are equal."),
    Definition("ERR", "expected reciprocal rank", cascade.err,
        "Σ_{r ≤ k} 1/r · R(r) · Π_{i < r} (1 − R(i)), R = (2^v − 1) / 2^max",
        "Chapelle, Metzler, Zhang & Grinspan 2009; max=4 is TREC's gdeval",
        {"max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded",
        bounds=bounds.monotone(cascade.err),
        words="A user reads from the top and stops at a document with a chance that grows with its grade; the "
              "expected value of 1 / rank of the stop."),
    Definition("nERR", "normalized expected reciprocal rank", cascade.normalized_err,
        "ERR@k / ERR@k of the best order of everything judged",
        "Sakai & Song 2011",
        {"max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded",
        words="ERR as a share of the most that any order of the judged documents could give."),
    Definition("RBP", "rank-biased precision", cascade.rbp,
        "(1 − p) · Σ_{r ≤ k} v(r) · p^(r − 1), v = 1 from rel on, else relevance / max",
        "Moffat & Zobel 2008; trec_eval 10 rbp is RBP(p=0.9, max=query)",
        {"p": PATIENCE, "rel": BINARY, "max": HIGHEST, "relevance": RELEVANCE}, CUTOFF, group="graded", threshold=False,
        bounds=bounds.monotone(cascade.rbp),
        words="A user goes on to the next document with chance p; the relevance seen per document looked at."),
    Definition("RBPResidual", "what rank-biased precision cannot know", cascade.rbp_residual,
        "1 − (1 − p) · Σ_{judged at r ≤ k} p^(r − 1)",
        "Moffat & Zobel 2008; trec_eval 10 rbp_resid, which has 0 where all that was returned is judged",
        {"p": PATIENCE}, CUTOFF, group="graded",
        words="How much RBP could still gain if every document that is unjudged, or below the end of the list, were "
              "relevant. RBP lies between its value and its value plus this."),
    Definition("Q", "Q-measure", counting.q_measure,
        "1/min(k, R) · Σ_{relevant at r ≤ k} (count(r) + β · gain(1…r)) / (r + β · ideal gain(1…r))",
        "Sakai 2004; min(k, R) as in NTCIREVAL",
        {"beta": BLEND, "relevance": RELEVANCE, "gain": GAIN}, CUTOFF, group="graded",
        words="Average precision for graded relevance: precision is blended with the gain so far over the best gain "
              "so far. With beta=0 and no cutoff it is AP."),
    Definition("AP", "average precision", counting.average_precision,
        "1/R · Σ_{relevant at r ≤ k} P@r, R = all judged relevant",
        "trec_eval map, map_cut",
        {"rel": REL}, CUTOFF, group="binary",
        bounds=bounds.average_precision,
        words="The precision at each relevant document, averaged over all relevant documents; those not found count 0. "
              "R stays whole when a cutoff is set."),
    Definition("GMAP", "average precision, averaged geometrically", counting.average_precision,
        "exp(mean over queries of ln max(AP, 0.00001))",
        "trec_eval gm_map; Robertson 2006",
        {"rel": REL}, CUTOFF, group="binary", aggregate="geometric",
        words="AP per query, but the mean over queries is geometric: poor queries weigh more."),
    Definition("RR", "reciprocal rank of the first relevant document", counting.reciprocal_rank,
        "1 / rank of the first relevant document, 0 beyond k",
        "trec_eval recip_rank",
        {"rel": REL}, CUTOFF, group="binary",
        bounds=bounds.monotone(counting.reciprocal_rank),
        words="How high the first relevant document is ranked; what comes after it does not count."),
    Definition("P", "precision", counting.precision,
        "relevant among the first k / k",
        "trec_eval P",
        {"rel": REL}, CUTOFF, group="binary",
        bounds=bounds.monotone(counting.precision),
        words="The share of relevant documents among the first k; documents that were not returned count as not "
              "relevant. Without a cutoff, among all that were returned."),
    Definition("R", "recall", counting.recall,
        "relevant among the first k / R",
        "trec_eval recall",
        {"rel": REL}, CUTOFF, group="binary",
        words="The share of the relevant documents that are among the first k."),
    Definition("F", "F-measure", counting.f_measure,
        "(1 + β²) · P@k · R@k / (β² · P@k + R@k)",
        "van Rijsbergen 1979; ranx f1",
        {"beta": BETA, "rel": REL}, CUTOFF, group="binary",
        words="The harmonic mean of precision and recall, recall weighing β times as much."),
    Definition("RelP", "precision relative to the best possible", counting.relative_precision,
        "relevant among the first k / min(k, R)",
        "trec_eval relative_P",
        {"rel": REL}, CUTOFF, group="binary", needs_cutoff=True,
        words="Precision as a share of the most that k documents could have: precision down to R, recall beyond."),
    Definition("Rprec", "R-precision", counting.r_precision,
        "relevant among the first n / n, n = times · R",
        "trec_eval Rprec, Rprec_mult",
        {"times": TIMES, "rounding": ROUNDING, "rel": REL}, group="binary",
        words="Precision after as many documents as are relevant, where it equals recall."),
    Definition("Success", "whether a relevant document was found", counting.success,
        "1 if a relevant document is among the first k, else 0",
        "trec_eval success",
        {"rel": REL}, CUTOFF, group="binary",
        bounds=bounds.monotone(counting.success),
        words="The share of queries with a relevant document among the first k; also called hit rate."),
    Definition("IPrec", "interpolated precision at a level of recall", interpolated.interpolated_precision,
        "max_{r ≥ r(x)} P@r, r(x) = rank of the relevant document that reaches recall x",
        "trec_eval iprec_at_recall; Salton & McGill 1983",
        {"rounding": ROUNDING, "rel": REL}, RECALL, group="binary", needs_cutoff=True,
        words="The best precision once a share x of the relevant documents has been found; 0 if it never is."),
    Definition("IAP", "interpolated precision averaged over recall", interpolated.mean_interpolated_precision,
        "mean over the levels x of IPrec@x",
        "trec_eval 11pt_avg",
        {"recall": LEVELS, "rounding": ROUNDING, "rel": REL}, group="binary",
        words="Interpolated precision averaged over the eleven levels of recall 0, 0.1, …, 1, or over given ones."),
    Definition("Bpref", "binary preference", preference.bpref,
        "1/R · Σ_{relevant found} (1 − min(n, R) / min(N, R)), n of the N judged non-relevant above it",
        "Buckley & Voorhees 2004, as trec_eval bpref has it",
        {"rel": REL}, group="incomplete judgments",
        words="How often relevant documents are ranked above those judged not relevant; unjudged documents do not count."),
    Definition("GMBpref", "binary preference, averaged geometrically", preference.bpref,
        "exp(mean over queries of ln max(Bpref, 0.00001))",
        "trec_eval gm_bpref",
        {"rel": REL}, group="incomplete judgments", aggregate="geometric",
        words="Bpref per query, but the mean over queries is geometric: poor queries weigh more."),
    Definition("infAP", "inferred average precision", preference.inferred_average_precision,
        "1/R · Σ_{relevant at r} (1 + pooled · (relevant + ε) / (judged + 2ε)) / r, each counted above r, ε = 0.00001",
        "Yilmaz & Aslam 2006; trec_eval infAP",
        {"rel": REL}, group="incomplete judgments",
        words="An estimate of AP when only a sample of the pool was judged; a negative grade marks a pooled document "
              "outside the sample."),
    Definition("Judged", "share of judged documents", counting.judged,
        "judged among the first k / min(k, returned)",
        "ir_measures Judged",
        {}, CUTOFF, group="incomplete judgments",
        words="The share of the documents returned, down to k, that have a judgment of any value."),
    Definition("Unjudged", "unjudged documents per rank", counting.unjudged,
        "unjudged among the first k / k",
        "trec_eval 10 unj",
        {}, CUTOFF, group="incomplete judgments", needs_cutoff=True,
        words="Documents among the first k that have no judgment, or a negative one, over k even if fewer were "
              "returned."),
    Definition("SetP", "precision of the set", sets.set_precision,
        "relevant returned / returned",
        "trec_eval set_P",
        {"rel": REL}, group="sets",
        words="The share of relevant documents among all that were returned."),
    Definition("SetRelP", "precision of the set relative to the best possible", sets.set_relative_precision,
        "relevant returned / min(returned, R)",
        "trec_eval set_relative_P",
        {"rel": REL}, group="sets",
        words="Precision of the set as a share of the most that a set of this size could have."),
    Definition("SetR", "recall of the set", sets.set_recall,
        "relevant returned / R",
        "trec_eval set_recall",
        {"rel": REL}, group="sets",
        words="The share of the relevant documents that were returned."),
    Definition("SetF", "F-measure of the set", sets.set_f_measure,
        "(1 + β²) · SetP · SetR / (β² · SetP + SetR)",
        "van Rijsbergen 1979; trec_eval set_F.x has x = β²",
        {"beta": BETA, "rel": REL}, group="sets",
        words="The harmonic mean of the set's precision and recall, recall weighing β times as much."),
    Definition("SetAP", "average precision of the set", sets.set_average_precision,
        "SetP · SetR",
        "trec_eval set_map",
        {"rel": REL}, group="sets",
        words="Every relevant document returned counts with the precision of the whole set."),
    Definition("NumQ", "number of queries", sets.queries,
        "1 per query",
        "trec_eval num_q",
        group="counts", aggregate="sum", range=(1, 1),
        words="The number of queries behind the other numbers."),
    Definition("NumRet", "documents returned", sets.retrieved,
        "returned",
        "trec_eval num_ret",
        group="counts", aggregate="sum", range=ANY,
        words="How many documents the run has."),
    Definition("NumRel", "relevant documents", sets.relevant_known,
        "R",
        "trec_eval num_rel",
        {"rel": REL}, group="counts", aggregate="sum", range=ANY,
        words="How many documents are judged relevant, returned or not."),
    Definition("NumRelRet", "relevant documents returned", sets.relevant_retrieved,
        "relevant among the first k",
        "trec_eval num_rel_ret; ranx hits",
        {"rel": REL}, CUTOFF, group="counts", aggregate="sum", range=ANY,
        words="How many of the relevant documents the run has."),
    Definition("NumNonrelRet", "documents returned and judged not relevant", sets.nonrelevant_retrieved,
        "judged not relevant among those returned",
        "trec_eval num_nonrel_judged_ret",
        {"rel": REL}, group="counts", aggregate="sum", range=ANY,
        words="How many documents of the run were judged not relevant; unjudged ones are not among them."),
)
# fmt: on

BY_NAME = {definition.name: definition for definition in DEFINITIONS}


def bare(name: str) -> Measure:
    """The measure of that name with all its defaults."""
    return Measure(BY_NAME[name])
