"""Decisions in words, and as what a user types."""

from __future__ import annotations

import shlex

from rankgauge.evaluation.reconcile.setting import Change, Setting

_WORDS = {
    "precision=single": "scores compared in single precision",
    "ties=order": "equal scores in the order of the file",
    "ties=document-asc": "equal scores by document id ascending",
    "ties=reverse": "equal scores in the reverse order of the file",
    "ties=mean": "the mean over all orders of equal scores",
    "ties=worst": "equal scores in the worst order",
    "ties=best": "equal scores in the best order",
    "ties=mean-rank": "equal scores at their mean rank",
    "own_id=drop": "documents with the id of their query left out",
    "unjudged=drop": "documents without a judgment left out",
    "floor=zero": "documents scored 0 or less count as not relevant",
    "negative=keep": "negative grades count as they are",
    "negative=drop": "documents with a negative grade left out",
    "fraction=truncate": "grades cut to whole numbers",
    "fraction=below-1": "grades below 1 count as 0",
    "gain=exp": "exponential gain, 2^grade - 1",
    "gain=same": "every judged document has gain 1",
    "discount=jk(2)": "the weights of 2002, 1 / max(1, log2 rank)",
    "discount=zipf": "the weight 1 / rank",
    "at=threshold": "precision taken where scores change",
    "first=highest": "the first document of the highest grade",
    "pool=returned": "ideal and relevant documents counted among the returned ones only",
    "ideal=returned": "the ideal from the returned documents",
    "ideal=uncut": "the ideal not cut at k",
    "ideal=answered": "the ideal cut where the list ends",
    "ideal=top": "the ideal from the top k returned documents",
    "ideal=ones": "the ideal of k documents with gain 1",
    "over=reachable": "divided by min(k, R)",
    "over=returned": "divided by what was returned",
    "over=found": "divided by what was found",
    "over=k": "divided by k",
    "missing=drop": "queries that the run lacks left out",
    "missing=error": "queries that the run lacks refused",
    "extra=zero": "queries without judgments counted as 0",
    "extra=undefined": "queries without judgments counted as undefined",
    "undefined=zero": "queries with nothing relevant counted as 0",
    "undefined=one": "queries with nothing relevant counted as 1",
    "undefined=drop": "queries with nothing relevant left out",
    "undefined=error": "queries with nothing relevant refused",
    "mean=micro": "sum of numerators over sum of denominators",
    "empty=zero": "a mean over no query is 0",
}


def words_of(change: Change) -> str:
    text = str(change)
    if text in _WORDS:
        return _WORDS[text]
    name, value = change.name, change.value
    if name == "cutoff":
        return f"cut after {value} documents"
    if name == "gain":
        return f"gain 1 from {str(value)[len('binary(') : -1]} on, else 0"
    if name == "rel":
        return "relevant is what has a grade above 0" if value < 1e-6 else f"relevant from grade {value:g} on"
    if name == "digits":
        return f"each query rounded to {value} digits"
    return text


def policy_text(setting: Setting, ours: Setting) -> str:
    """What of the policy departs from ours, as --policy takes it."""
    return ",".join(str(change) for change in setting.changes_from(ours) if not change.is_option)


def command_for(setting: Setting, ours: Setting, like: str | None, judgments: str, run: str) -> str:
    """What to type to have this number from now on."""
    words = ["rankgauge", "evaluate", judgments, run]
    if like is not None:
        return shlex.join([*words, "-m", str(ours.measure), "--like", like])
    policy = policy_text(setting, ours)
    return shlex.join([*words, "-m", str(setting.measure), *(["--policy", policy] if policy else [])])
