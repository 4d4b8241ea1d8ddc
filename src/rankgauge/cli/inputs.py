"""The scores that an analysis works on: evaluated now from JUDGMENTS and RUN…, or read from --scores FILE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.options import Command
from rankgauge.cli.output import progress
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.evaluation.scores import Scores

_MATRIX = ("ids", "header", "rows")
_POLICY = ("ties", "unjudged", "missing", "undefined", "depth", "rel", "like")


def source(command: Command) -> Command:
    """JUDGMENTS RUN… and -m, or --scores with what helps to read a matrix."""
    for decorate in reversed(
        [
            click.argument("judgments", required=False),
            click.argument("runs", nargs=-1, metavar="[RUN...]"),
            options.measures,
            click.option(
                "--scores",
                metavar="FILE",
                help="Instead of judgments and runs: scores kept by `evaluate --save`, or a matrix in a text file, "
                "one row per query and one column per system.",
            ),
            click.option(
                "--ids",
                metavar="first|none|NAMES",
                help="Columns of a matrix that hold names: the first, none, or these. [default: recognised]",
            ),
            click.option(
                "--header/--no-header", default=None, help="Whether a matrix begins with names. [default: recognised]"
            ),
            click.option(
                "--rows",
                type=click.Choice(["queries", "systems"]),
                help="What the rows of a matrix are. [default: queries]",
            ),
            options.only,
            options.duplicates,
        ]
    ):
        command = decorate(command)
    return command


def scores_from(
    judgments: str | None,
    runs: tuple[str, ...],
    measures: tuple[str, ...],
    chosen: dict[str, Any],
    *,
    undefined: str | None = None,
) -> Scores:
    """`undefined` is the command's own default where the user sets neither that nor a tool to be like."""
    if chosen["scores"] is not None:
        if judgments is not None:
            raise UsageError(f"--scores stands in place of JUDGMENTS and RUN…\nLeave out {judgments}, or --scores.")
        found = _read(chosen["scores"], measures, chosen)
        return found if chosen["only"] is None else _restricted(found, chosen)
    if judgments is None or not runs:
        raise UsageError("judgments and at least one run are needed\nName them, or give scores with --scores FILE.")
    for name in _MATRIX:
        if chosen[name] is not None:
            raise UsageError(f"--{name} is about a matrix of scores\nGive the matrix with --scores FILE.")
    return _evaluate(judgments, runs, measures, chosen, undefined)


def _evaluate(
    judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], chosen: dict[str, Any], undefined: str | None
) -> Scores:
    from rankgauge.data.policy import Policy
    from rankgauge.data.queries import chosen_queries
    from rankgauge.evaluation.evaluate import evaluate

    options.read_once(judgments, *runs, chosen["only"], chosen.get("queries"))
    policy = options.policy_from(chosen)
    if chosen["like"] is None:
        policy = policy.over(Policy(undefined=undefined))  # type: ignore[arg-type]  # Policy checks it
    listed = options.runs_from(runs, chosen["duplicates"])
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("evaluating", shown=shown and len(listed) > 1) as report:
        return evaluate(
            options.judgments_from(judgments, chosen["duplicates"]),
            listed,
            measures or "nDCG@10",
            policy=policy,
            like=chosen["like"],
            only=None if chosen["only"] is None else chosen_queries(chosen["only"]),
            progress=report,
        )


def _read(file: str, measures: tuple[str, ...], chosen: dict[str, Any]) -> Scores:
    from rankgauge.evaluation.storage import read_scores

    if chosen["duplicates"] != "error":
        raise UsageError("--duplicates is about judgments and runs\nLeave it out, or --scores.")
    options.refuse(chosen, tuple(name for name in _POLICY if name != "missing"), f"{file} holds scores already")
    given = {name: chosen[name] for name in ("header", "rows", "missing")}
    if chosen["ids"] is not None:
        given["ids"] = {"first": True, "none": False}.get(chosen["ids"], chosen["ids"].split(","))
    return read_scores(file, measures or None, **given)


def _restricted(table: Scores, chosen: dict[str, Any]) -> Scores:
    from rankgauge.data.queries import chosen_queries

    return table.only(chosen_queries(chosen["only"]))
