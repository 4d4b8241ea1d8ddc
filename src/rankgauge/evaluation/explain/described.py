"""A measure in words under the conventions of a tool or a policy, where there are no data."""

from __future__ import annotations

from dataclasses import replace

from rankgauge.data.policy import Policy
from rankgauge.evaluation.evaluate import settle_one
from rankgauge.evaluation.tools.presets import preset
from rankgauge.evaluation.tools.setting import Setting, words_of
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import Description, description_of


def described(measure: str | Measure, policy: Policy | None, like: str | None) -> Description:
    """The measure as it would be computed, and each decision that departs from ours."""
    ours, theirs = Setting(*settle_one(measure, None, None)), Setting(*settle_one(measure, policy, like))
    found = description_of(theirs.measure)
    decisions = tuple((str(change), words_of(change)) for change in theirs.changes_from(ours))
    if like is None:
        return replace(found, decisions=decisions)
    tool = preset(like)
    caveat = f"; not promised: {tool.caveat}" if tool.caveat else ""
    return replace(found, decisions=decisions, tool=f"{like}: {tool.words}{caveat}")
