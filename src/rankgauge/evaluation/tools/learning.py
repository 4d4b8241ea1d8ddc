"""Learning-to-rank libraries: they see a row per candidate, and nothing of documents that were not returned."""

from __future__ import annotations

from rankgauge.data.policy import Policy
from rankgauge.evaluation.tools.preset import PAIRS, Options, Preset, graded

_RETURNED = "ideal and R from the returned documents"
_REACHABLE: Options = {"AP": {"over": "reachable"}}
_OVER_RETURNED: Options = {"P": {"over": "returned"}}
_XGBOOST: Options = _REACHABLE | _OVER_RETURNED
_ZERO = Policy(undefined="zero")
_ONE = Policy(undefined="one")
_SINGLE = Policy(precision="single")
_RANDOM = "it breaks ties at random, so no preset can promise its numbers where scores are equal"
_UNSTABLE = "its sort is not stable, so long lists with ties may come out otherwise"

_TORCH: Options = {"AP": {"over": "found"}}
_TORCH_CAVEAT = "the order of ties of AP, RR, P and R is that of an unstable sort"


def _torch(undefined: Policy) -> tuple[Policy, dict[str, Policy]]:
    """torchmetrics: nDCG averages ties and keeps negative grades, everything else ignores scores of 0 and less."""
    floor = Policy(floor="zero")
    by_measure = {"nDCG": Policy(ties="mean", negative="keep")} | dict.fromkeys(("AP", "RR", "P", "R"), floor)
    return undefined.over(_SINGLE).over(PAIRS), by_measure


_TORCH_ZERO, _TORCH_ONE = _torch(_ZERO), _torch(_ONE)
_TORCH_SKIP = _torch(Policy(undefined="drop", empty="zero"))

LEARNING: dict[str, Preset] = {
    "sklearn": Preset(
        f"ties averaged over all orders; {_RETURNED}; AP is taken where scores change",
        Policy(ties="mean", undefined="zero").over(PAIRS),
        {"AP": {"at": "threshold"}},
        only="nDCG AP",
    ),
    "sklearn-lrap": Preset(
        f"label_ranking_average_precision_score: AP where scores change, 1 where nothing is relevant; {_RETURNED}",
        _ONE.over(PAIRS),
        {"AP": {"at": "threshold"}},
        only="AP",
    ),
    "sklearn-ignore_ties": Preset(
        f"ndcg_score(ignore_ties=True): ties in the reverse of the order given; {_RETURNED}",
        Policy(ties="reverse", undefined="zero").over(PAIRS),
        caveat=_UNSTABLE,
        only="nDCG",
    ),
    "lightgbm": Preset(
        f"exponential gain; {_RETURNED}; a query with nothing relevant counts as 1; AP over min(k, R)",
        _ONE.over(PAIRS),
        graded(gain="exp") | _REACHABLE,
        only="nDCG AP",
    ),
    "xgboost": Preset(
        f"exponential gain; {_RETURNED}; a query with nothing relevant counts as 1 (P: 0); AP over min(k, R), P over "
        "what was returned; no cutoff means 32; single precision",
        _ONE.over(_SINGLE).over(PAIRS),
        graded(gain="exp") | _XGBOOST,
        by_measure={"P": _ZERO},
        cutoff=32,
        only="nDCG AP P",
    ),
    "xgboost-minus": Preset(
        "ndcg@k-, map@k-, pre@k- of XGBoost: as xgboost, but a query with nothing relevant counts as 0",
        _ZERO.over(_SINGLE).over(PAIRS),
        graded(gain="exp") | _XGBOOST,
        cutoff=32,
        only="nDCG AP P",
    ),
    "xgboost-linear": Preset(
        "as xgboost with ndcg_exp_gain=False: the grade itself is the gain, also where it is negative",
        Policy(undefined="one", negative="keep").over(_SINGLE).over(PAIRS),
        _XGBOOST,
        by_measure={"P": _ZERO},
        cutoff=32,
        only="nDCG AP P",
    ),
    "catboost": Preset(
        f"ties in the worst order; {_RETURNED}; nDCG and R count a query with nothing relevant as 1, the others as 0; "
        "AP over min(k, R), P over what was returned; negative grades count",
        Policy(ties="worst", negative="keep", undefined="zero").over(PAIRS),
        _XGBOOST,
        by_measure={"nDCG": _ONE, "R": _ONE},
        only="nDCG AP RR P R",
    ),
    "catboost-exp": Preset(
        "NDCG:type=Exp of CatBoost: as catboost, with exponential gain",
        Policy(ties="worst", negative="keep", undefined="one").over(PAIRS),
        graded(gain="exp"),
        only="nDCG",
    ),
    "catboost-position": Preset(
        "NDCG:denominator=Position of CatBoost: as catboost, with the weight 1 / rank",
        Policy(ties="worst", negative="keep", undefined="one").over(PAIRS),
        graded(discount="zipf"),
        only="nDCG",
    ),
    "torchmetrics": Preset(
        f"nDCG averages ties and keeps negative grades; the others count a score of 0 or less as not relevant; AP over "
        f"what was found; {_RETURNED}; single precision",
        _TORCH_ZERO[0],
        _TORCH,
        by_measure=_TORCH_ZERO[1],
        caveat=_TORCH_CAVEAT,
        only="nDCG AP RR P R Success",
    ),
    "torchmetrics-skip": Preset(
        "as torchmetrics with empty_target_action='skip': queries with nothing relevant are left out",
        _TORCH_SKIP[0],
        _TORCH,
        by_measure=_TORCH_SKIP[1],
        caveat=_TORCH_CAVEAT,
        only="nDCG AP RR P R Success",
    ),
    "torchmetrics-pos": Preset(
        "as torchmetrics with empty_target_action='pos': a query with nothing relevant counts as 1",
        _TORCH_ONE[0],
        _TORCH,
        by_measure=_TORCH_ONE[1],
        caveat=_TORCH_CAVEAT,
        only="nDCG AP RR P R Success",
    ),
    "ignite": Preset(
        f"exponential gain; grades below 1 count as 0; {_RETURNED}; queries with nothing relevant are left out",
        Policy(undefined="drop", fraction="below-1").over(_SINGLE).over(PAIRS),
        graded(gain="exp"),
        caveat=_UNSTABLE,
        only="nDCG Success",
    ),
    "ignite-linear": Preset(
        "as ignite with exponential=False, and queries with nothing relevant count as 0",
        Policy(undefined="zero", fraction="below-1").over(_SINGLE).over(PAIRS),
        caveat=_UNSTABLE,
        only="nDCG Success",
    ),
    "allrank": Preset(
        f"exponential gain; {_RETURNED}; documents with a negative grade are left out; a query with nothing relevant "
        "counts as 1; RR is that of the first document with the highest grade",
        Policy(undefined="one", negative="drop").over(_SINGLE).over(PAIRS),
        graded(gain="exp") | {"RR": {"first": "highest"}},
        caveat=_UNSTABLE,
        only="nDCG RR",
    ),
    "rax": Preset(
        f"exponential gain; {_RETURNED}; negative grades count; P over what was returned",
        Policy(undefined="zero", negative="keep").over(_SINGLE).over(PAIRS),
        graded(gain="exp") | _OVER_RETURNED,
        caveat="ties are broken at random when it is given a key",
        only="nDCG AP RR P R",
    ),
    "keras-rs": Preset(
        f"exponential gain; {_RETURNED}; documents with a negative grade are left out; P over what was returned",
        Policy(undefined="zero", negative="drop").over(_SINGLE).over(PAIRS),
        graded(gain="exp") | _OVER_RETURNED,
        caveat=_RANDOM,
        only="nDCG AP RR P R",
    ),
    "tensorflow-ranking": Preset(
        f"exponential gain; {_RETURNED}; documents with a negative grade are left out; P over what was returned",
        Policy(undefined="zero", negative="drop").over(_SINGLE).over(PAIRS),
        graded(gain="exp") | _OVER_RETURNED,
        caveat=_RANDOM,
        only="nDCG AP RR P R Success",
    ),
    "evidently": Preset(
        f"nDCG gives tied documents their mean rank, cut to a whole number; {_RETURNED}; relevant is what has a grade "
        "above 0; negative grades count; queries with nothing relevant are left out; P over what was returned",
        Policy(ties="mean-rank", undefined="drop", negative="keep", rel=1e-9).over(PAIRS),
        _OVER_RETURNED,
        caveat="the order of ties of its other measures depends on the order of rows",
        only="nDCG AP RR P R Success",
    ),
    "evidently-all": Preset(
        "as evidently with no_feedback_users=True: queries with nothing relevant count as 0",
        Policy(ties="mean-rank", undefined="zero", negative="keep", rel=1e-9).over(PAIRS),
        _OVER_RETURNED,
        caveat="the order of ties of its other measures depends on the order of rows",
        only="nDCG",
    ),
}
