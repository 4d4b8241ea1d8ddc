"""Files named on the command line, as the public functions take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import rankgauge
from rankgauge.cli import options
from rankgauge.cli.help import input_option, together
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.data.judgments import Judgments, Run
    from rankgauge.evaluation.scores import Scores

_MATRIX = ("ids", "header", "rows")
_POLICY = (*options.POLICY, "further", "like")

source = together(
    click.argument("judgments", required=False),
    click.argument("runs", nargs=-1, metavar="[RUN...]"),
    options.measures,
    input_option(
        "--scores FILE",
        "Read scores instead of judgments and runs: saved by `evaluate --save`, or a matrix in a text file, "
        "one row per query and one column per system.",
        once=True,
    ),
    input_option(
        "--ids first|none|NAMES",
        "Columns of the matrix that hold names: the first, none, or these. [default: detected]",
    ),
    input_option(
        "--header/--no-header", "Whether the matrix starts with a header. [default: detected]", bool, default=None
    ),
    input_option("--rows", "What the rows of the matrix are. [default: queries]", ("queries", "systems")),
    options.columns,
    options.group_sizes,
    options.only,
    options.duplicates,
)


def judgments_from(argument: str, chosen: dict[str, Any]) -> Judgments:
    """PATH, or PATH:COLUMN for the column of judged values, as the options about judgments say."""
    path, column = options.split_part(argument)
    complete = chosen.get("complete", False)
    if chosen.get("group_sizes") is not None:
        return rankgauge.read_judgments(path, group_sizes=chosen["group_sizes"], complete=complete)
    named = {"duplicates": chosen.get("duplicates", "error"), **_columns(chosen, "query", "document")}
    value = column or _columns(chosen, "value").get("value")
    return rankgauge.read_judgments(path, column=value, complete=complete, **named)


def judge_from(chosen: dict[str, Any]) -> Judgments | None:
    """What --judge names: the labels of another judge, of single documents."""
    alone = chosen | {"complete": False, "group_sizes": None}
    return None if chosen["judge"] is None else judgments_from(chosen["judge"], alone)


def _columns(chosen: dict[str, Any], *roles: str) -> dict[str, Any]:
    return {role: name for role, name in (chosen.get("columns") or {}).items() if role in roles}


def runs_from(arguments: tuple[str, ...], chosen: dict[str, Any]) -> list[Run]:
    """PATH, NAME=PATH, or either with :PART for one run of a file that holds several."""
    read_once(*arguments)
    runs: list[Run] = []
    columns = _columns(chosen, "query", "document", "score")
    settings = {"duplicates": chosen.get("duplicates", "error"), "names": chosen.get("names", "file")}
    for argument in arguments:
        name, whole = options.split_name(argument)
        path, part = options.split_part(whole)
        if part is None and not columns:
            runs += rankgauge.read_runs(path, name=name, **settings)
        else:
            runs.append(rankgauge.read_run(path, name=name, part=part, **settings, **columns))
    return runs


def tables_from(chosen: dict[str, Any]) -> tuple[Judgments, list[Run]]:
    """The judgments and the runs (or the one --run) of a command that needs both."""
    runs = chosen["runs"] if "runs" in chosen else (chosen["run"],)
    beside = (chosen.get(name) for name in ("only", "queries", "documents", "judge"))
    read_once(chosen["judgments"], *runs, *beside)
    return judgments_from(chosen["judgments"], chosen), runs_from(runs, chosen)


def decisions_from(chosen: dict[str, Any]) -> dict[str, Any]:
    """Policy, preset and the queries to use, as every public function takes them."""
    return {"policy": options.policy_from(chosen), "like": chosen["like"], "only": only_from(chosen)}


def only_from(chosen: dict[str, Any]) -> list[str] | None:
    """The ids of --only FILE|ID,…"""
    from rankgauge.data.about import chosen_queries

    return None if chosen["only"] is None else chosen_queries(chosen["only"])


def weights_from(chosen: dict[str, Any]) -> dict[str, float] | None:
    """The column of --queries that --weights names."""
    if chosen["weights"] is None:
        return None
    return rankgauge.read_queries(chosen["queries"]).weights(chosen["weights"])


def read_once(*arguments: str | None) -> None:
    """Refuses a call that would read standard input twice: the second reader would find it empty."""
    if [options.split_name(argument)[1] for argument in arguments if argument is not None].count("-") > 1:
        raise UsageError("standard input can be read only once\nGive all files but one by name.")


def scores_or_collection(chosen: dict[str, Any], *, beside: bool = False) -> dict[str, Any]:
    """What every analysis takes first: scores from --scores, or judgments, runs, measures and policy.

    `beside` allows both: saved scores, and runs that are evaluated now.
    """
    if chosen["scores"] is not None:
        if chosen["judgments"] is None:
            return {"scores": _read(chosen), "only": only_from(chosen)}
        if not (chosen["runs"] and beside):
            raise UsageError("give either JUDGMENTS and RUN, or --scores, not both")
        return {"scores": _beside(chosen), "only": only_from(chosen)}
    if chosen["judgments"] is None or not chosen["runs"]:
        both = options.both_lists(chosen["judgments"]) if chosen["judgments"] else ""
        hint = both or "Name them, or give scores with --scores FILE."
        raise UsageError(f"judgments and at least one run are needed\n{hint}")
    options.refuse(_MATRIX, "it describes a matrix of scores\nGive the matrix with --scores FILE.")
    judged, runs = tables_from(chosen)
    return {"scores": judged, "runs": runs, "measures": chosen["measures"] or None, **decisions_from(chosen)}


def _beside(chosen: dict[str, Any]) -> Scores:
    """Saved scores of a baseline, and runs that are evaluated now by the same measures and policy."""
    options.refuse([*_MATRIX, *_POLICY], f"{chosen['scores']} has its policy, and new runs follow it")
    saved = rankgauge.read_scores(chosen["scores"], chosen["measures"] or None)
    return saved.beside(rankgauge.evaluate(*tables_from(chosen), saved.measures, policy=saved.policy))


def _read(chosen: dict[str, Any]) -> Scores:
    options.refuse(
        ["duplicates", "columns", "group_sizes", "complete", "names"],
        "it is about judgments and runs, and these are scores",
    )
    options.refuse((name for name in _POLICY if name != "missing"), f"{chosen['scores']} holds scores")
    given = options.picked(chosen, "header", "rows", "missing")
    if chosen["ids"] is not None:
        given["ids"] = {"first": True, "none": False}.get(chosen["ids"], chosen["ids"].split(","))
    return rankgauge.read_scores(chosen["scores"], chosen["measures"] or None, **given)
