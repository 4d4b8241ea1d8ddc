"""explain with data: one query rank by rank, alone or against another measure, policy, preset or run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from rankgauge.cli import options
from rankgauge.cli.output import deliver, render
from rankgauge.errors import RankgaugeError, UsageError

if TYPE_CHECKING:
    from rankgauge.data.policy import Policy
    from rankgauge.evaluation.contrast import Contrast
    from rankgauge.evaluation.explain import Explanation


def explain_query(measure: str, chosen: dict[str, Any]) -> None:
    from rankgauge.evaluation.contrast import Contrast
    from rankgauge.evaluation.explain import explain

    missing = [name for name in ("judgments", "run", "query") if not chosen[name]]
    if missing:
        raise UsageError(f"--{missing[0]} is missing: an explanation of a query needs --judgments, --run and --query")
    policy = options.policy_from(chosen)
    call: dict[str, Any] = {
        "measure": measure,
        "judgments": chosen["judgments"],
        "run": options.runs_from((chosen["run"],))[0],
        "query": chosen["query"],
        "policy": policy,
        "like": chosen["like"],
    }
    first = explain(**call)
    result: Explanation | Contrast = first
    if chosen["versus"]:
        result = Contrast(first, explain(**call | _other(chosen["versus"], policy)))
    if chosen["plot"]:
        from rankgauge.presentation.charts import save_chart
        from rankgauge.presentation.explanation_chart import explanation_chart

        save_chart(explanation_chart(result), chosen["plot"])
    deliver(render(result.table(), result.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


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
        return {"run": options.runs_from((versus,))[0]}
    try:
        return {"measure": parse(versus)}
    except RankgaugeError as problem:
        kinds = f"a preset ({', '.join(PRESETS)}), a policy such as ties=mean, a run file or a measure"
        raise UsageError(f"--versus {versus} is none of {kinds}.\n{problem}") from None
