"""What other tools do, in one table: the name | what a tool decides | its measures | in words | what is not promised.

Decisions are those of a Policy. `lists` are tools that are given ordered lists: the order of ties is the caller's, and
a document may come twice. `pairs` are tools that are given a row per candidate and know nothing of other documents.
The name of another tool takes over all that is known of it but the words.

Measures have the options and decisions that the tool makes for them alone (what it decides for nDCG, it does for DCG,
apart from the ideal). `RR@` are those with a cutoff; `@32` is the cutoff where none is asked for; `*` are all measures;
one in parentheses is not the tool's, but meant like this if asked for; `-RBP` is left out of sets such as all_trec.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Preset:
    """The decisions of one tool: a policy, and the options that a measure of that tool has by default."""

    words: str
    """What the tool does differently."""
    policy: Policy
    own: Mapping[str, Mapping[str, Any]]
    """Options and decisions where measures differ: "RR" for every RR, "RR@" decisions for those with a cutoff."""
    lacks: frozenset[str]
    """Definitions that the tool does not have, so that its sets (all_trec) are without them."""
    cutoff: int | None
    """The cutoff of measures that are asked for without one."""
    caveat: str
    """What the preset cannot promise."""
    only: tuple[str, ...]
    """The measures that the tool has, where these are few."""

    @property
    def told(self) -> str:
        """What the tool does, and what is not promised of it."""
        return self.words + (f"; not promised: {self.caveat}" if self.caveat else "")

    def adapt(self, measure: Measure) -> Measure:
        """The measure as that tool means it; options given explicitly stay."""
        ours, kept = self.own.get(measure.definition.name, {}), {*measure.given, *_DECISIONS}
        adapted = measure(**{name: value for name, value in ours.items() if name not in kept})
        if self.cutoff is not None and measure.cutoff is None and measure.definition.cutoff is not None:
            return adapted @ self.cutoff
        return adapted

    def policy_of(self, measure: Measure) -> Policy:
        name = measure.definition.name
        own = {**self.own.get(name, {}), **(self.own.get(f"{name}@", {}) if measure.cutoff is not None else {})}
        return Policy(**{name: value for name, value in own.items() if name in _DECISIONS}).over(self.policy)


_TABLE = """\
# Tools that read judgments and runs: trec_eval, its descendants, and evaluators of embedding models.
trec_eval-9 | ties=document missing=drop undefined=zero precision=single fraction=truncate
  | *, IPrec IAP Rprec rounding=trec, -RBP -RBPResidual -Unjudged
  | scores compared in single precision; grades cut to whole numbers; the mean is over the queries in the run
trec_eval-9-c | trec_eval-9 missing=zero
  | as trec_eval-9, with -c: queries that the run lacks count as 0
trec_eval-10 | ties=document missing=error undefined=zero fraction=truncate
  | *, IPrec IAP rounding=nearest, Rprec rounding=trec, RBP p=0.9 max=query, RBPResidual p=0.9
  | scores compared in double precision; grades cut to whole numbers; a run that lacks a judged query is refused
trec_eval-10-c | trec_eval-10 missing=zero
  | as trec_eval-10, with -c: queries that the run lacks count as 0
gdeval | ties=document missing=drop undefined=drop repeated=count empty=zero | nDCG gain=exp, ERR max=4, (nERR max=4)
  | exponential gain, grades up to 4; only queries in the run that have a relevant document
gdeval-c | gdeval missing=zero
  | as gdeval, with -c: queries that the run lacks count as 0
pytrec_eval | ties=document missing=drop undefined=zero rel=1 precision=single | *
  | scores compared in single precision; the mean is over the queries in the run
ir_measures | ties=document undefined=zero rel=1 precision=single | *, RR@ ties=document-asc precision=double
  | scores compared in single precision; queries that the run lacks count as 0; RR@k orders ties by document ascending
ir_measures-gdeval | ties=document undefined=zero rel=1 | nDCG gain=exp
  | nDCG(dcg='exp-log2') of ir_measures: exponential gain, scores compared in double precision
ranx | ties=order undefined=zero fraction=truncate | *
  | ties in the order given; grades cut to whole numbers; queries that the run lacks count as 0
  | its sort is not stable: long lists with ties may come out otherwise
trectools | ties=document missing=drop undefined=zero extra=zero | nDCG ties=document-asc, AP RR P R
  | run queries without judgments count as 0; nDCG orders ties by document ascending; relevant is what has a grade above
    0; the mean is over the queries in the run
beir | ties=document missing=drop undefined=zero rel=1 precision=single own_id=drop
  | nDCG AP P R, RR RelP Success ties=order missing=zero precision=double own_id=keep, RR rel=1e-9
  | as pytrec_eval, without documents that have the id of their query; MRR, capped recall (RelP) and hit rate (Success)
    keep these, take ties in the order given and count queries that the run lacks as 0
mteb | ties=document missing=drop undefined=zero rel=1 precision=single | nDCG AP P R Success, RR precision=double
  | as pytrec_eval; MRR compares scores in double precision
sentence-transformers | ties=document-asc undefined=drop rel=1
  | nDCG gain=binary(1), AP over=reachable, RR P R Success
  | binary gain; ties by document ascending; AP over min(k, R); queries with nothing relevant are left out
msmarco-script | lists undefined=drop | RR
  | MRR over the queries with a relevant document, in the order given
kaggle-mapk | lists undefined=zero repeated=first | AP over=reachable
  | AP over min(k, R), in the order given; a document that repeats counts once
# Learning-to-rank libraries: they see a row per candidate, and nothing of documents that were not returned.
sklearn | pairs ties=mean undefined=zero | nDCG, AP at=threshold
  | ties averaged over all orders; ideal and R from the returned documents; AP is taken where scores change
sklearn-lrap | pairs undefined=one | AP at=threshold
  | label_ranking_average_precision_score: AP where scores change, 1 where nothing is relevant; ideal and R from the
    returned documents
sklearn-ignore_ties | pairs ties=reverse undefined=zero | nDCG
  | ndcg_score(ignore_ties=True): ties in the reverse of the order given; ideal and R from the returned documents
  | its sort is not stable, so ties may come out in another order
lightgbm | pairs undefined=one | nDCG gain=exp, AP over=reachable
  | exponential gain; ideal and R from the returned documents; a query with nothing relevant counts as 1; AP over
    min(k, R)
xgboost | pairs undefined=one precision=single
  | nDCG gain=exp, AP over=reachable, P over=returned undefined=zero, @32
  | exponential gain; ideal and R from the returned documents; a query with nothing relevant counts as 1 (P: 0); AP over
    min(k, R), P over what was returned; no cutoff means 32; single precision
xgboost-minus | pairs undefined=zero precision=single | nDCG gain=exp, AP over=reachable, P over=returned, @32
  | ndcg@k-, map@k-, pre@k- of XGBoost: as xgboost, but a query with nothing relevant counts as 0
xgboost-linear | pairs undefined=one precision=single negative=keep fraction=single
  | nDCG relevance=bounded, AP over=reachable, P over=returned undefined=zero, @32
  | as xgboost with ndcg_exp_gain=False: the grade itself is the gain, also where it is negative; an ideal of 0 or less
    is undefined
catboost | pairs ties=worst undefined=zero negative=keep fraction=single
  | nDCG undefined=one relevance=bounded, R undefined=one, AP over=reachable, RR, P over=returned
  | ties in the worst order; ideal and R from the returned documents; nDCG and R count a query with nothing relevant as
    1, the others as 0; AP over min(k, R), P over what was returned; negative grades count, and an ideal of 0 or less is
    undefined
catboost-exp | pairs ties=worst undefined=one negative=keep fraction=single | nDCG gain=exp relevance=bounded
  | NDCG:type=Exp of CatBoost: as catboost, with exponential gain
catboost-position | pairs ties=worst undefined=one negative=keep fraction=single | nDCG discount=zipf relevance=bounded
  | NDCG:denominator=Position of CatBoost: as catboost, with the weight 1 / rank
torchmetrics | pairs undefined=zero precision=single
  | nDCG ties=mean negative=keep relevance=balanced, AP over=found floor=zero, RR P R floor=zero, Success
  | nDCG averages ties, keeps negative grades and takes grades that add up to 0 for nothing relevant; the others count a
    score of 0 or less as not relevant; AP over what was found; ideal and R from the returned documents; single precision
  | the order of ties of AP, RR, P and R is that of an unstable sort
torchmetrics-skip | torchmetrics undefined=drop empty=zero
  | as torchmetrics with empty_target_action='skip': queries with nothing relevant are left out
torchmetrics-pos | torchmetrics undefined=one
  | as torchmetrics with empty_target_action='pos': a query with nothing relevant counts as 1
ignite | pairs undefined=drop precision=single fraction=below-1 | nDCG gain=exp, Success rel=1e-9 fraction=keep
  | exponential gain; grades below 1 count as 0; ideal and R from the returned documents; queries with nothing relevant
    are left out
  | its sort is not stable, so ties may come out in another order
ignite-linear | pairs undefined=zero precision=single fraction=below-1 | nDCG, Success rel=1e-9 fraction=keep
  | as ignite with exponential=False, and queries with nothing relevant count as 0
  | its sort is not stable, so ties may come out in another order
allrank | pairs undefined=one precision=single negative=drop | nDCG gain=exp, RR first=highest
  | exponential gain; ideal and R from the returned documents; documents with a negative grade are left out; a query
    with nothing relevant counts as 1; RR is that of the first document with the highest grade
  | its sort is not stable, so long lists with ties may come out otherwise
rax | pairs undefined=zero precision=single negative=keep | nDCG gain=exp, AP RR R, P over=returned
  | exponential gain; ideal and R from the returned documents; negative grades count; P over what was returned
  | ties are broken at random when it is given a key; nDCG is the DCG itself where the ideal is 0
keras-rs | pairs undefined=zero precision=single negative=drop | nDCG gain=exp, AP RR R, P over=returned
  | exponential gain; ideal and R from the returned documents; documents with a negative grade are left out; P over what
    was returned
  | it breaks ties at random, so no preset can promise its numbers where scores are equal
tensorflow-ranking | pairs undefined=zero precision=single negative=drop
  | nDCG gain=exp, AP RR R Success, P over=returned
  | exponential gain; ideal and R from the returned documents; documents with a negative grade are left out; P over what
    was returned
  | it breaks ties at random, so no preset can promise its numbers where scores are equal
evidently | pairs ties=mean-rank undefined=drop rel=1e-9 negative=keep | nDCG AP RR R Success, P over=returned
  | nDCG gives tied documents their mean rank, cut to a whole number; ideal and R from the returned documents; relevant
    is what has a grade above 0; negative grades count; queries with nothing relevant are left out; P over what was
    returned
  | the order of ties of its other measures depends on the order of rows
evidently-all | pairs ties=mean-rank undefined=zero rel=1e-9 negative=keep | nDCG, (P over=returned)
  | as evidently with no_feedback_users=True: queries with nothing relevant count as 0
  | the order of ties of its other measures depends on the order of rows
# Recommender libraries: an ordered list per user, and relevant or not.
spark | lists undefined=zero | nDCG gain=binary(1), AP over=reachable, P R
  | RankingMetrics of Spark: binary gain; AP@k over min(k, R)
spark-ml | spark
  | RankingEvaluator of Spark: binary gain; AP@k over min(k, R)
spark-graded | lists undefined=zero | nDCG gain=same
  | RankingMetrics of Spark given relevance values through PySpark: every judged document has gain 1
recbole | lists undefined=zero | nDCG gain=binary(1), AP over=reachable, RR P Success, R undefined=error
  | binary gain; AP over min(k, R)
  | recall prints nan where a query has nothing relevant; the preset refuses such data
replay | lists ties=document undefined=drop | nDCG gain=binary(1), AP over=reachable, RR P R Success
  | binary gain; ties by document descending; AP over min(k, R); queries with nothing relevant are left out
implicit | lists undefined=drop | nDCG gain=binary(1), AP over=reachable, P over=reachable mean=micro
  | binary gain; AP over min(k, R); queries with nothing relevant are left out; precision is the sum of hits over the
    sum of min(k, R)
cornac | lists undefined=drop | nDCG gain=binary(1), AP over=found at=threshold, RR P R Success
  | binary gain; queries with nothing relevant are left out; AP where scores change, over what was found
  | AP is nan where nothing was found
lenskit | lists missing=drop undefined=zero extra=undefined
  | nDCG gain=binary(1) discount=jk(2), AP P over=returned, RR Success, R over=reachable
  | binary gain with the weights of 2002; AP over min(returned, R), P over what was returned, R over min(k, R); queries
    without judgments count as undefined, which is 0; the mean is over the queries in the run
lenskit-graded | lists missing=drop undefined=zero extra=undefined negative=keep | nDCG discount=jk(2)
  | as lenskit with gain_field: the grade itself is the gain, also where it is negative
rectools | lists undefined=drop | nDCG gain=binary(1) ideal=ones, AP RR P R Success
  | binary gain; the ideal is always k relevant documents; queries with nothing relevant are left out
rectools-achievable | lists undefined=drop | nDCG gain=binary(1), AP over=k
  | as rectools with divide_by_achievable=True, and AP over k
recommenders | lists undefined=drop empty=zero | nDCG gain=binary(1), AP over=reachable missing=drop, P R missing=drop
  | binary gain; queries with nothing relevant are left out; AP over min(k, R); queries that the run lacks count as 0
    for nDCG and are left out for the others
recommenders-raw | lists undefined=drop negative=keep | nDCG
  | ndcg_at_k(score_type='raw', discfun_type='log2'): the grade is the gain, also where it is negative
  | where no query has a relevant document it prints nan, or 0 if no judged document was returned
recommenders-exp | lists undefined=drop negative=keep | nDCG gain=exp
  | ndcg_at_k(score_type='exp', discfun_type='log2'): exponential gain, also where the grade is negative
  | where no query has a relevant document it prints nan, or 0 if no judged document was returned
rs_metrics | lists undefined=zero
  | nDCG gain=binary(1) undefined=error, AP RR Success, P over=returned, R undefined=error repeated=first
  | binary gain; P over what was returned
  | nDCG and recall: prints nan where a query has nothing relevant; the preset refuses such data; P of an empty list is
    nan
# Search platforms and evaluators of retrieval for language models.
elasticsearch | lists undefined=zero negative=keep | nDCG gain=exp ideal=answered, P over=returned, R RR
  | rank_eval: exponential gain, also of negative grades; the ideal ends where the list ends; P over what was returned
  | its source was read; it was not run
opensearch | lists undefined=zero negative=keep digits=2 | nDCG gain=exp
  | search-relevance: exponential gain, also of negative grades; each query is rounded to two digits
  | its source was read; it was not run; its binary measures have a threshold that was not traced
quepid | lists undefined=zero negative=keep
  | nDCG gain=exp ideal=uncut, AP undefined=error rel=1e-9, P over=returned rel=1e-9, RR rel=1e-9
  | exponential gain, also of negative grades; the ideal is not cut at k; P over what was returned; relevant is what has
    a grade above 0
  | AP is nan where a query has nothing relevant; the preset refuses such data
quepid-cut | lists undefined=zero negative=keep | nDCG gain=exp
  | the scorers of Quepid that cut the ideal at k (ndcg_cut, and nDCG of 2020): exponential gain
  | those of December 2020 give nan where fewer than k documents were returned
mlflow | lists undefined=zero | nDCG gain=binary(1) ideal=answered, P over=returned, R repeated=first
  | binary gain; the ideal ends where the list ends; P over what was returned
  | a query with nothing relevant and nothing returned counts as 1
llama-index | lists undefined=zero | nDCG gain=binary(1) ideal=uncut, AP RR R Success, P over=returned
  | binary gain; the ideal is not cut at k; P over what was returned
haystack | lists undefined=zero negative=keep repeated=first | nDCG ideal=uncut relevance=bounded, AP RR R Success
  | the ideal is not cut at k; a document that repeats counts once; negative grades count, and an ideal of 0 or less is
    undefined
pyvespa | lists undefined=drop negative=keep | nDCG undefined=zero relevance=bounded, AP over=reachable, RR P R Success
  | negative grades count, and an ideal of 0 or less is undefined; AP over min(k, R); queries with nothing relevant are left out, for nDCG they count as 0
pyvespa-binary | lists undefined=drop negative=keep | nDCG gain=binary(1), (AP over=reachable)
  | nDCG of pyvespa with sets of relevant documents: binary gain; queries with nothing relevant are left out
azure-ai-evaluation | lists undefined=zero negative=keep | nDCG gain=exp
  | exponential gain, also of negative grades; ties in the order given
"""
_DECISIONS = vars(Policy()).keys()
_GIVEN = {
    "lists": "ties=order repeated=count rel=1",
    "pairs": "ties=order repeated=count rel=1 pool=returned missing=drop extra=undefined",
}


def _read(table: str) -> dict[str, Preset]:
    found: dict[str, Preset] = {}
    for entry in re.findall(r"(?m)^\w.*(?:\n  .*)*", table):
        name, decisions, *cells = (" ".join(cell.split()) for cell in entry.split("|"))
        base, _, changes = decisions.partition(" ")
        if base in found:
            policy = Policy(**_chosen(changes)).over(found[base].policy)
            found[name] = replace(found[base], words=cells[0], policy=policy)
            continue
        measures, words, caveat = (*cells, "")[:3]
        own: dict[str, dict[str, Any]] = {}
        only, lacks, cutoff = [], [], None
        for item in measures.split(", "):
            is_own = not item.startswith("(")
            text = item if is_own else item[1:-1]
            for part in (part for part in text.split() if "=" not in part):
                if part.startswith("@"):
                    cutoff = int(part[1:])
                elif part.startswith("-"):
                    lacks.append(part[1:])
                else:
                    only += [part] if is_own else []
                    own[part] = own.get(part, {}) | _chosen(text)
        same = own.get("nDCG", {}).items()
        own["DCG"] = {option: value for option, value in same if option not in {"ideal", *_DECISIONS}}
        policy, has = Policy(**_chosen(_GIVEN.get(base, base)) | _chosen(changes)), () if "*" in only else tuple(only)
        found[name] = Preset(words, policy, own, frozenset(lacks), cutoff, caveat, has)
    return found


def _chosen(text: str) -> dict[str, Any]:
    pairs = (part.split("=") for part in text.split() if "=" in part)
    return {name: int(text) if text.isdigit() else float(text) if text[0].isdigit() else text for name, text in pairs}


PRESETS = _read(_TABLE)


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; " + did_you_mean(name, PRESETS))
    return PRESETS[name]
