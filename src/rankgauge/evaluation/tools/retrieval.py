"""Tools that read judgments and runs: trec_eval, its descendants, and evaluators of embedding models."""

from __future__ import annotations

from rankgauge.data.policy import Policy
from rankgauge.evaluation.tools.preset import LISTS, Options, Preset, graded

_UP = {"rounding": "trec"}
_NEAREST = {"rounding": "nearest"}
_TREC = Policy(ties="document", undefined="zero", fraction="truncate")
_TREC_9: Options = {"IPrec": _UP, "IAP": _UP, "Rprec": _UP}
_TREC_10: Options = {
    "IPrec": _NEAREST,
    "IAP": _NEAREST,
    "Rprec": _UP,
    "RBP": {"p": 0.9, "max": "query"},
    "RBPResidual": {"p": 0.9},
}
_NOT_IN_9 = frozenset({"RBP", "RBPResidual", "Unjudged"})
_GDEVAL = graded(gain="exp") | {"ERR": {"max": 4}, "nERR": {"max": 4}}
_OF_QUERIES = "; the mean is over the queries in the run"
_JUDGED = Policy(ties="document", undefined="zero", rel=1)
_FIXED = "relevant is what has a grade above 0"

RETRIEVAL: dict[str, Preset] = {
    "trec_eval-9": Preset(
        "scores compared in single precision; grades cut to whole numbers" + _OF_QUERIES,
        Policy(missing="drop", precision="single").over(_TREC),
        _TREC_9,
        _NOT_IN_9,
    ),
    "trec_eval-9-c": Preset(
        "as trec_eval-9, with -c: queries that the run lacks count as 0",
        Policy(missing="zero", precision="single").over(_TREC),
        _TREC_9,
        _NOT_IN_9,
    ),
    "trec_eval-10": Preset(
        "scores compared in double precision; grades cut to whole numbers; a run that lacks a judged query is refused",
        Policy(missing="error").over(_TREC),
        _TREC_10,
    ),
    "trec_eval-10-c": Preset(
        "as trec_eval-10, with -c: queries that the run lacks count as 0", Policy(missing="zero").over(_TREC), _TREC_10
    ),
    "gdeval": Preset(
        "exponential gain, grades up to 4; only queries in the run that have a relevant document",
        Policy(ties="document", missing="drop", undefined="drop", empty="zero", repeated="count"),
        _GDEVAL,
        only="nDCG ERR",
    ),
    "gdeval-c": Preset(
        "as gdeval, with -c: queries that the run lacks count as 0",
        Policy(ties="document", missing="zero", undefined="drop", empty="zero", repeated="count"),
        _GDEVAL,
        only="nDCG ERR",
    ),
    "pytrec_eval": Preset(
        "scores compared in single precision" + _OF_QUERIES,
        Policy(missing="drop", precision="single").over(_JUDGED),
    ),
    "ir_measures": Preset(
        "scores compared in single precision; queries that the run lacks count as 0; RR@k orders ties by document "
        "ascending",
        Policy(precision="single").over(_JUDGED),
        by_measure={"RR@": Policy(ties="document-asc", precision="double")},
    ),
    "ir_measures-gdeval": Preset(
        "nDCG(dcg='exp-log2') of ir_measures: exponential gain, scores compared in double precision",
        _JUDGED,
        graded(gain="exp"),
        only="nDCG",
    ),
    "ranx": Preset(
        "ties in the order given; grades cut to whole numbers; queries that the run lacks count as 0",
        Policy(ties="order", undefined="zero", fraction="truncate"),
        caveat="its sort is not stable: long lists with ties may come out otherwise",
    ),
    "trectools": Preset(
        f"run queries without judgments count as 0; nDCG orders ties by document ascending; {_FIXED}" + _OF_QUERIES,
        Policy(ties="document", undefined="zero", missing="drop", extra="zero"),
        by_measure={"nDCG": Policy(ties="document-asc")},
        only="nDCG AP RR P R",
    ),
    "beir": Preset(
        "as pytrec_eval, without documents that have the id of their query; MRR, capped recall (RelP) and hit rate "
        "(Success) keep these, take ties in the order given and count queries that the run lacks as 0",
        Policy(missing="drop", precision="single", own_id="drop").over(_JUDGED),
        by_measure={
            "RR": Policy(ties="order", missing="zero", precision="double", own_id="keep", rel=1e-9),
            "RelP": Policy(ties="order", missing="zero", precision="double", own_id="keep"),
            "Success": Policy(ties="order", missing="zero", precision="double", own_id="keep"),
        },
        only="nDCG AP RR P R RelP Success",
    ),
    "mteb": Preset(
        "as pytrec_eval; MRR compares scores in double precision",
        Policy(missing="drop", precision="single").over(_JUDGED),
        by_measure={"RR": Policy(precision="double")},
        only="nDCG AP RR P R Success",
    ),
    "sentence-transformers": Preset(
        "binary gain; ties by document ascending; AP over min(k, R); queries with nothing relevant are left out",
        Policy(ties="document-asc", undefined="drop", rel=1),
        graded(gain="binary(1)") | {"AP": {"over": "reachable"}},
        only="nDCG AP RR P R Success",
    ),
    "msmarco-script": Preset(
        "MRR over the queries with a relevant document, in the order given",
        Policy(undefined="drop").over(LISTS),
        only="RR",
    ),
    "kaggle-mapk": Preset(
        "AP over min(k, R), in the order given; a document that repeats counts once",
        Policy(repeated="first", undefined="zero").over(LISTS),
        {"AP": {"over": "reachable"}},
        only="AP",
    ),
}
