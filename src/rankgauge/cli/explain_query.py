"""explain with data: one query rank by rank, alone or against another measure, policy, preset or run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.cli import options
from rankgauge.cli.output import check_plot, present
from rankgauge.errors import RankgaugeError, UsageError

if TYPE_CHECKING:
    from rankgauge.data.policy import Policy
    from rankgauge.data.run import Run
    from rankgauge.evaluation.contrast import Contrast
    from rankgauge.evaluation.explain import Explanation


def explain_query(measure: str, chosen: dict[str, Any]) -> None:
    from rankgauge.evaluation.contrast import Contrast
    from rankgauge.evaluation.explain import explain

    missing = [name for name in ("judgments", "run", "query") if not chosen[name]]
    if missing:
        raise UsageError(f"--{missing[0]} is missing: an explanation of a query needs --judgments, --run and --query")
    check_plot(chosen)
    policy = options.policy_from(chosen)
    call: dict[str, Any] = {
        "measure": measure,
        "judgments": options.judgments_from(chosen["judgments"]),
        "run": _one_run(chosen["run"]),
        "query": chosen["query"],
        "policy": policy,
        "like": chosen["like"],
    }
    first = explain(**call)
    result: Explanation | Contrast = first
    if chosen["versus"]:
        result = Contrast(first, explain(**call | _other(chosen["versus"], policy)))
    present(result.table(), result.to_dict, chosen, lambda: _chart(result))


def _chart(result: Explanation | Contrast) -> Any:
    from rankgauge.presentation.explanation_chart import explanation_chart

    return explanation_chart(result)


def _one_run(argument: str) -> Run:
    found = options.runs_from((argument,))
    if len(found) > 1:
        names = ", ".join(run.name for run in found[:5]) + (", …" if len(found) > 5 else "")
        raise UsageError(f"{argument} holds {len(found):,} runs: {names}\nName one, as in {argument}:{found[0].name}.")
    return found[0]


def _other(versus: str, policy: Policy) -> dict[str, Any]:
    """What --versus changes: a preset, a policy such as ties=mean, a run, or a measure."""
    from rankgauge.data.policy import Policy as PolicyType
    from rankgauge.evaluation.presets import PRESETS
    from rankgauge.measures.grammar import parse

    if versus in PRESETS:
        return {"like": versus}
    name, sign, value = versus.partition("=")
    if sign and name in {"ties", "unjudged", "missing", "undefined", "depth", "rel"}:
        number = {"depth": int, "rel": float}.get(name, str)
        try:
            changed: dict[str, Any] = {name: number(value)}
        except ValueError:
            raise UsageError(f"--versus {versus}: {value!r} is not a number") from None
        return {"policy": PolicyType(**changed).over(policy)}
    if Path(versus).exists():
        return {"run": _one_run(versus)}
    try:
        return {"measure": parse(versus)}
    except RankgaugeError as problem:
        kinds = f"a preset ({', '.join(PRESETS)}), a policy such as ties=mean, a run file or a measure"
        raise UsageError(f"--versus {versus} is none of {kinds}.\n{problem}") from None
