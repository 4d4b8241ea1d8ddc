"""Files named on the command line, as the public functions take them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.help import option, together
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rankgauge.data.judgments import Judgments
    from rankgauge.data.run import Names, Run
    from rankgauge.data.sources import Duplicates
    from rankgauge.evaluation.scores import Scores

_MATRIX = ("ids", "header", "rows")
_POLICY = (*options.POLICY, "further", "like")

source = together(
    click.argument("judgments", required=False),
    click.argument("runs", nargs=-1, metavar="[RUN...]"),
    options.measures,
    option(
        "Input",
        "--scores",
        metavar="FILE",
        once=True,
        help="Read scores instead of judgments and runs: saved by `evaluate --save`, or a matrix in a text file, "
        "one row per query and one column per system.",
    ),
    option(
        "Input",
        "--ids",
        metavar="first|none|NAMES",
        help="Columns of the matrix that hold names: the first, none, or these. [default: detected]",
    ),
    option(
        "Input",
        "--header/--no-header",
        default=None,
        help="Whether the matrix starts with a header. [default: detected]",
    ),
    option(
        "Input",
        "--rows",
        type=click.Choice(["queries", "systems"]),
        help="What the rows of the matrix are. [default: queries]",
    ),
    options.columns,
    options.group_sizes,
    options.only,
    options.duplicates,
)


def judgments_from(
    argument: str,
    duplicates: Duplicates = "error",
    columns: Mapping[str, str] | None = None,
    group_sizes: str | None = None,
    *,
    complete: bool = False,
) -> Judgments:
    """PATH, or PATH:COLUMN for the column of judged values."""
    from rankgauge import read_judgments

    path, column = options.split_part(argument)
    if group_sizes is not None:
        return read_judgments(path, group_sizes=group_sizes, complete=complete)
    value = column or (columns or {}).get("value")
    return read_judgments(path, column=value, duplicates=duplicates, complete=complete, **_ids(columns))


def judged_from(argument: str, chosen: dict[str, Any]) -> Judgments:
    """The judgments as all options about them say."""
    named = chosen["duplicates"], chosen["columns"], chosen["group_sizes"]
    return judgments_from(argument, *named, complete=chosen.get("complete", False))


def _ids(columns: Mapping[str, str] | None) -> dict[str, str]:
    return {role: name for role, name in (columns or {}).items() if role in {"query", "document"}}


def runs_from(
    arguments: tuple[str, ...],
    duplicates: Duplicates = "error",
    columns: Mapping[str, str] | None = None,
    names: Names = "file",
) -> list[Run]:
    """PATH, NAME=PATH, or either with :PART for one run of a file that holds several."""
    from rankgauge import read_run, read_runs

    read_once(*arguments)
    runs: list[Run] = []
    for argument in arguments:
        name, whole = options.split_name(argument)
        path, part = options.split_part(whole)
        named = {**_ids(columns), **({"score": columns["score"]} if columns and "score" in columns else {})}
        if part is None and not named:
            runs += read_runs(path, name=name, duplicates=duplicates, names=names)
        else:
            runs.append(read_run(path, name=name, part=part, duplicates=duplicates, names=names, **named))
    return runs


def only_from(chosen: dict[str, Any]) -> list[str] | None:
    """The ids of --only FILE|ID,…"""
    from rankgauge.data.queries import chosen_queries

    return None if chosen["only"] is None else chosen_queries(chosen["only"])


def read_once(*arguments: str | None) -> None:
    """Refuses a call that would read standard input twice: the second reader would find it empty."""
    if [options.split_name(argument)[1] for argument in arguments if argument is not None].count("-") > 1:
        raise UsageError("standard input can be read only once\nGive all files but one by name.")


def scores_or_collection(
    judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], chosen: dict[str, Any]
) -> dict[str, Any]:
    """What every analysis takes first: scores from --scores, or judgments, runs, measures and policy."""
    only = only_from(chosen)
    if chosen["scores"] is not None and judgments is not None:
        return {"scores": _beside(judgments, runs, measures, chosen), "only": only}
    if chosen["scores"] is not None:
        return {"scores": _read(chosen["scores"], measures, chosen), "only": only}
    if judgments is None or not runs:
        raise UsageError("judgments and at least one run are needed\nName them, or give scores with --scores FILE.")
    options.refuse(_MATRIX, "it describes a matrix of scores\nGive the matrix with --scores FILE.")
    read_once(judgments, *runs, chosen["only"], chosen.get("queries"))
    return {
        "scores": judged_from(judgments, chosen),
        "runs": runs_from(runs, chosen["duplicates"], chosen["columns"], chosen.get("names", "file")),
        "measures": measures or None,
        "policy": options.policy_from(chosen),
        "like": chosen["like"],
        "only": only,
    }


def _beside(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], chosen: dict[str, Any]) -> Scores:
    """Saved scores of a baseline, and runs that are evaluated now by the same measures and policy."""
    import rankgauge

    if not runs or "beside" not in chosen:
        raise UsageError("give either JUDGMENTS and RUN, or --scores, not both")
    options.refuse([*_MATRIX, *_POLICY], f"{chosen['scores']} has its policy, and new runs follow it")
    saved = rankgauge.read_scores(chosen["scores"], measures or None)
    read_once(judgments, *runs)
    judged = judged_from(judgments, chosen)
    listed = runs_from(runs, chosen["duplicates"], chosen["columns"], chosen.get("names", "file"))
    return saved.beside(rankgauge.evaluate(judged, listed, saved.measures, policy=saved.policy))


def _read(file: str, measures: tuple[str, ...], chosen: dict[str, Any]) -> Scores:
    from rankgauge import read_scores

    options.refuse(
        ["duplicates", "columns", "group_sizes", "complete", "names"],
        "it is about judgments and runs, and these are scores",
    )
    options.refuse((name for name in _POLICY if name != "missing"), f"{file} holds scores")
    given = {name: chosen[name] for name in ("header", "rows", "missing")}
    if chosen["ids"] is not None:
        given["ids"] = {"first": True, "none": False}.get(chosen["ids"], chosen["ids"].split(","))
    return read_scores(file, measures or None, **given)
