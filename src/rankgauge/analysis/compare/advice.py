"""What to do after a comparison, in a sentence."""

from __future__ import annotations

from rankgauge.analysis.compare.focus import Focus, brief
from rankgauge.analysis.compare.verdicts import Pair

# Nobody judges ten times as many queries to settle one comparison.
TOO_MANY = 10


def next_step(focus: Focus) -> str:
    """One thing to do."""
    pair = focus.pair
    system, baseline = brief(pair.system), brief(pair.baseline)
    if pair.verdict == "better":
        some = "largest losses" if pair.losses > 1 else "only loss"
        look = f" Look at its {some} first." if pair.losses else ""
        return f"{'Use' if focus.about_top else 'Ship'} {system}.{look}"
    if pair.verdict == "worse":
        return f"Keep {baseline}. The largest losses below show what {system} breaks."
    if pair.verdict == "equivalent":
        return f"Choose by cost or speed: {system} and {baseline} are equally good."
    return _more(focus, pair)


def _more(focus: Focus, pair: Pair) -> str:
    """For a difference that is undecided: judge more, or stop."""
    choice = (
        f"choose among the {len(focus.unbeaten)} systems that could be first by cost or speed"
        if focus.about_top and len(focus.unbeaten) > 1
        else f"keep {brief(pair.baseline)}"
        if not focus.about_top
        else "choose by cost or speed"
    )
    if pair.judge is None and not pair.wins + pair.losses:
        return f"Nothing to decide: {brief(pair.system)} and {brief(pair.baseline)} are the same on every query."
    if pair.queries_needed is None:
        if pair.judge is not None:
            return f"More human queries would not decide it, more queries might; or {choice}."
        return f"More queries like these would not decide it: {choice}."
    if pair.judge is not None:
        return f"Judge about {pair.queries_needed:,} human queries in all, drawn at random, or {choice}."
    missing = pair.queries_needed - pair.query_count
    settled = (
        f"about {pair.queries_needed:,} queries in all would settle {brief(pair.system)} against {brief(pair.baseline)}"
    )
    if pair.queries_needed > TOO_MANY * pair.query_count:
        return f"{choice[0].upper()}{choice[1:]}: {settled}."
    return f"Judge {missing:,} more {'query' if missing == 1 else 'queries'} ({settled}), or {choice}."
