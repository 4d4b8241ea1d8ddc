"""The cases, and the decisions of the suite as what rankgauge is told."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import polars as pl

from rankgauge import Judgments, Policy, Run

FOLDER = Path(__file__).parents[2] / "conformance"
PRESET_OF = {
    "ranx-strict": "ranx",
    "ignite-linear-zero": "ignite-linear",
    "recommenders-raw-log2": "recommenders-raw",
    "recommenders-exp-log2": "recommenders-exp",
    "quepid-ndcg_cut": "quepid-cut",
    "quepid-2020-12": "quepid-cut",
    "quepid-2020-09": "quepid-cut",
    "opensearch-search-relevance": "opensearch",
}
VARIANTS = {
    ("ir_measures", "nDCG-exp@k"): ("ir_measures-gdeval", "nDCG@k"),
    ("evidently", "nDCG-all@k"): ("evidently-all", "nDCG@k"),
    ("pyvespa", "nDCG-binary@k"): ("pyvespa-binary", "nDCG@k"),
    ("sklearn", "AP-lrap"): ("sklearn-lrap", "AP"),
}
SPELLED = {
    "nDCG-exp": "nDCG(gain=exp)",
    "nDCG-e": "nDCG",
    "nDCG-binary": "nDCG(gain=binary(1))",
    "Rcap": "RelP",
    "APR": "AP(over=all)",
    "Hit": "Success",
}
OPTIONS = {
    "gain=exp": "gain=exp",
    "gain=binary": "gain=binary(1)",
    "discount=jk2": "discount=jk(2)",
    "discount=position": "discount=zipf",
    "ideal=rows": "gain=same",
    "ideal=returned": "ideal=returned",
    "ideal=top-k": "ideal=top",
    "ideal=k-ones": "ideal=ones",
    "ideal_depth=returned": "ideal=answered",
    "ideal_depth=all": "ideal=uncut",
    "ap=min(k,R)": "over=reachable",
    "ap=found": "over=found",
    "ap=k": "over=k",
    "ap=min(returned,R)": "over=returned",
    "p=returned": "over=returned",
    "p=min(k,R)": "over=reachable",
    "recall=min(k,R)": "over=reachable",
    "rr=highest": "first=highest",
    "ties=threshold": "at=threshold",
}
MEASURE_OF = dict.fromkeys(("gain", "discount", "ideal", "ideal_depth"), "nDCG")
MEASURE_OF |= {"ap": "AP", "ties": "AP", "p": "P", "recall": "R", "rr": "RR"}
POLICIES = {"scores": "precision", "duplicates": "repeated", "round_query": "digits"}
WORDS = {"ties=threshold": "order", "ties=rank-mean": "mean-rank", "undefined=nan": "error"}


@cache
def read(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def collection(case):
    """Judgments and run, in file order; a document may come twice."""
    rows = [
        (query, document, float(grade)) for query, of in case["judgments"].items() for document, grade in of.items()
    ]
    judged = pl.DataFrame(rows, schema=["query", "document", "value"], orient="row")
    return Judgments(judged), Run(pl.DataFrame(case["run"], schema=["query", "document", "score"], orient="row"))


def spelled(name, k):
    base, sign, _ = name.partition("@")
    return SPELLED.get(base, base) + (f"@{k}" if sign else "")


def setting(decisions, name, k):
    """A measure and a policy for decisions as the suite names them."""
    base, sign, _ = name.partition("@")
    options, policy = [], {"repeated": "count", "negative": "zero", "rel": 1}
    for decision, value in decisions.items():
        text = f"{decision}={value}"
        if text in OPTIONS and MEASURE_OF[decision] == base:
            options.append(OPTIONS[text])
        if text in WORDS or text not in OPTIONS:
            policy |= _policy(decision, value, text)
    written = f"({', '.join(options)})" if options else ""
    return SPELLED.get(base, base) + written + (f"@{k}" if sign else ""), Policy(**policy)


def _policy(decision, value, text):
    return {POLICIES.get(decision, decision): WORDS.get(text, value)}
