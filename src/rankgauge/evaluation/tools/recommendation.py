"""Recommender libraries: an ordered list per user, and relevant or not."""

from __future__ import annotations

from rankgauge.data.policy import Policy
from rankgauge.evaluation.tools.preset import LISTS, Options, Preset, graded

_BINARY = graded(gain="binary(1)")
_REACHABLE: Options = {"AP": {"over": "reachable"}}
_ZERO = Policy(undefined="zero").over(LISTS)
_DROP = Policy(undefined="drop").over(LISTS)
_NAN = "prints nan where a query has nothing relevant; the preset refuses such data"

RECOMMENDATION: dict[str, Preset] = {
    "spark": Preset(
        "RankingMetrics of Spark: binary gain; AP@k over min(k, R)", _ZERO, _BINARY | _REACHABLE, only="nDCG AP P R"
    ),
    "spark-ml": Preset(
        "RankingEvaluator of Spark: binary gain; AP@k over min(k, R)", _ZERO, _BINARY | _REACHABLE, only="nDCG AP P R"
    ),
    "spark-graded": Preset(
        "RankingMetrics of Spark given relevance values through PySpark: every judged document has gain 1",
        _ZERO,
        graded(gain="same"),
        only="nDCG",
    ),
    "recbole": Preset(
        "binary gain; AP over min(k, R)",
        _ZERO,
        _BINARY | _REACHABLE,
        by_measure={"R": Policy(undefined="error")},
        caveat=f"recall {_NAN}",
        only="nDCG AP RR P R Success",
    ),
    "replay": Preset(
        "binary gain; ties by document descending; AP over min(k, R); queries with nothing relevant are left out",
        Policy(ties="document").over(_DROP),
        _BINARY | _REACHABLE,
        only="nDCG AP RR P R Success",
    ),
    "implicit": Preset(
        "binary gain; AP over min(k, R); queries with nothing relevant are left out; precision is the sum of hits over "
        "the sum of min(k, R)",
        _DROP,
        _BINARY | _REACHABLE | {"P": {"over": "reachable"}},
        by_measure={"P": Policy(mean="micro")},
        only="nDCG AP P",
    ),
    "cornac": Preset(
        "binary gain; queries with nothing relevant are left out; AP where scores change, over what was found",
        _DROP,
        _BINARY | {"AP": {"over": "found", "at": "threshold"}},
        caveat="AP is nan where nothing was found",
        only="nDCG AP RR P R Success",
    ),
    "lenskit": Preset(
        "binary gain with the weights of 2002; AP over min(returned, R), P over what was returned, R over min(k, R); "
        "queries without judgments count as undefined, which is 0; the mean is over the queries in the run",
        Policy(missing="drop", extra="undefined").over(_ZERO),
        graded(gain="binary(1)", discount="jk(2)")
        | {"AP": {"over": "returned"}, "P": {"over": "returned"}, "R": {"over": "reachable"}},
        only="nDCG AP RR P R Success",
    ),
    "lenskit-graded": Preset(
        "as lenskit with gain_field: the grade itself is the gain, also where it is negative",
        Policy(missing="drop", extra="undefined", negative="keep").over(_ZERO),
        graded(discount="jk(2)"),
        only="nDCG",
    ),
    "rectools": Preset(
        "binary gain; the ideal is always k relevant documents; queries with nothing relevant are left out",
        _DROP,
        graded("ones", gain="binary(1)"),
        only="nDCG AP RR P R Success",
    ),
    "rectools-achievable": Preset(
        "as rectools with divide_by_achievable=True, and AP over k",
        _DROP,
        _BINARY | {"AP": {"over": "k"}},
        only="nDCG AP",
    ),
    "recommenders": Preset(
        "binary gain; queries with nothing relevant are left out; AP over min(k, R); queries that the run lacks count "
        "as 0 for nDCG and are left out for the others",
        Policy(empty="zero").over(_DROP),
        _BINARY | _REACHABLE,
        by_measure=dict.fromkeys(("AP", "P", "R"), Policy(missing="drop")),
        only="nDCG AP P R",
    ),
    "recommenders-raw": Preset(
        "ndcg_at_k(score_type='raw', discfun_type='log2'): the grade is the gain, also where it is negative",
        Policy(negative="keep").over(_DROP),
        only="nDCG",
    ),
    "recommenders-exp": Preset(
        "ndcg_at_k(score_type='exp', discfun_type='log2'): exponential gain, also where the grade is negative",
        Policy(negative="keep").over(_DROP),
        graded(gain="exp"),
        only="nDCG",
    ),
    "rs_metrics": Preset(
        "binary gain; P over what was returned",
        _ZERO,
        _BINARY | {"P": {"over": "returned"}},
        by_measure=dict.fromkeys(("nDCG", "R"), Policy(undefined="error")),
        caveat=f"nDCG and recall: {_NAN}; P of an empty list is nan",
        only="nDCG AP RR P R Success",
    ),
}
