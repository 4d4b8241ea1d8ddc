"""Search platforms and evaluators of retrieval for language models."""

from __future__ import annotations

from rankgauge.data.policy import Policy
from rankgauge.evaluation.tools.preset import LISTS, Options, Preset, graded

_ZERO = Policy(undefined="zero").over(LISTS)
_SIGNED = Policy(negative="keep").over(_ZERO)
_OVER_RETURNED: Options = {"P": {"over": "returned"}}
_ABOVE_0 = Policy(rel=1e-9)
_READ = "its source was read; it was not run"

PLATFORMS: dict[str, Preset] = {
    "elasticsearch": Preset(
        "rank_eval: exponential gain, also of negative grades; the ideal ends where the list ends; P over what was "
        "returned",
        _SIGNED,
        graded("answered", gain="exp") | _OVER_RETURNED,
        caveat=_READ,
        only="nDCG P R RR",
    ),
    "opensearch": Preset(
        "search-relevance: exponential gain, also of negative grades; each query is rounded to two digits",
        Policy(digits=2).over(_SIGNED),
        graded(gain="exp"),
        caveat=f"{_READ}; its binary measures have a threshold that was not traced",
        only="nDCG",
    ),
    "quepid": Preset(
        "exponential gain, also of negative grades; the ideal is not cut at k; P over what was returned; relevant is "
        "what has a grade above 0",
        _SIGNED,
        graded("uncut", gain="exp") | _OVER_RETURNED,
        by_measure={"AP": Policy(undefined="error").over(_ABOVE_0), "P": _ABOVE_0, "RR": _ABOVE_0},
        caveat="AP is nan where a query has nothing relevant; the preset refuses such data",
        only="nDCG AP P RR",
    ),
    "quepid-cut": Preset(
        "the scorers of Quepid that cut the ideal at k (ndcg_cut, and nDCG of 2020): exponential gain",
        _SIGNED,
        graded(gain="exp"),
        caveat="those of December 2020 give nan where fewer than k documents were returned",
        only="nDCG",
    ),
    "mlflow": Preset(
        "binary gain; the ideal ends where the list ends; P over what was returned",
        _ZERO,
        graded("answered", gain="binary(1)") | _OVER_RETURNED,
        caveat="a query with nothing relevant and nothing returned counts as 1",
        only="nDCG P R",
    ),
    "llama-index": Preset(
        "binary gain; the ideal is not cut at k; P over what was returned",
        _ZERO,
        graded("uncut", gain="binary(1)") | _OVER_RETURNED,
        only="nDCG AP RR P R Success",
    ),
    "haystack": Preset(
        "the ideal is not cut at k; a document that repeats counts once; negative grades count",
        Policy(repeated="first").over(_SIGNED),
        graded("uncut"),
        only="nDCG AP RR R Success",
    ),
    "pyvespa": Preset(
        "negative grades count; AP over min(k, R); queries with nothing relevant are left out, for nDCG they count as 0",
        Policy(undefined="drop").over(_SIGNED),
        {"AP": {"over": "reachable"}},
        by_measure={"nDCG": Policy(undefined="zero")},
        only="nDCG AP RR P R Success",
    ),
    "pyvespa-binary": Preset(
        "nDCG of pyvespa with sets of relevant documents: binary gain; queries with nothing relevant are left out",
        Policy(undefined="drop").over(_SIGNED),
        graded(gain="binary(1)") | {"AP": {"over": "reachable"}},
        only="nDCG",
    ),
    "azure-ai-evaluation": Preset(
        "exponential gain, also of negative grades; ties in the order given", _SIGNED, graded(gain="exp"), only="nDCG"
    ),
}
