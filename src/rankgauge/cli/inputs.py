"""The scores that an analysis works on: evaluated now from JUDGMENTS and RUN…, or read from --scores FILE."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.options import Command
from rankgauge.cli.output import progress
from rankgauge.errors import DataError, UsageError, nearest

if TYPE_CHECKING:
    from rankgauge.data.read.score_matrix import ScoreMatrix
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
) -> Scores | ScoreMatrix:
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


def _read(file: str, measures: tuple[str, ...], chosen: dict[str, Any]) -> Scores | ScoreMatrix:
    """Kept scores and matrices are told apart by their first bytes."""
    from rankgauge.data.read.file import Source
    from rankgauge.data.read.score_matrix import read_score_matrix
    from rankgauge.evaluation.storage import holds_scores, read_scores

    if chosen["duplicates"] != "error":
        raise UsageError("--duplicates is about judgments and runs\nLeave it out, or --scores.")
    source = Source(file)
    origin, raw = source.origin, source.load().bytes.tobytes()
    if holds_scores(raw):
        options.refuse(chosen, (*_MATRIX, *_POLICY), f"{origin} holds scores that are made already")
        data = io.BytesIO(raw)
        data.name = origin
        return _selected(read_scores(data), measures)
    options.refuse(chosen, tuple(name for name in _POLICY if name != "missing"), f"{origin} holds a matrix of scores")
    if len(measures) > 1:
        raise UsageError(f"{origin} holds one measure\nGive -m once, to name it.")
    return read_score_matrix(
        _text(raw, origin),
        name=measures[0] if measures else None,
        ids={None: None, "first": True, "none": False}.get(chosen["ids"], str(chosen["ids"]).split(",")),
        header=chosen["header"],
        rows=chosen["rows"] or "queries",
        missing=chosen["missing"] or "error",
    )


def _selected(scores: Scores, measures: tuple[str, ...]) -> Scores:
    """The kept scores, or the measures of them that -m asks for."""
    from rankgauge.measures.grammar import parse_all

    return scores.only(parse_all(measures)) if measures else scores


def _restricted(table: Scores | ScoreMatrix, chosen: dict[str, Any]) -> Scores | ScoreMatrix:
    """The scores of the queries that --only names; a name that is not among them is a slip of the user's."""
    from rankgauge.data.queries import chosen_queries

    wanted, known = chosen_queries(chosen["only"]), set(table.queries)
    absent = [query for query in wanted if query not in known]
    if absent:
        others = f" and {len(absent) - 1:,} more" if len(absent) > 1 else ""
        close = nearest(absent[0], table.queries)
        hint = f"did you mean {close!r}?" if close else f"The scores are of {', '.join(table.queries[:3])}, …"
        raise UsageError(f"--only: there is no score of query {absent[0]!r}{others}\n{hint}")
    places = [place for place, query in enumerate(table.queries) if query in set(wanted)]
    return table.at_queries(places)


def _text(raw: bytes, origin: str) -> io.StringIO:
    try:
        text = io.StringIO(raw.decode("utf-8-sig"), newline="")
    except UnicodeDecodeError:
        raise DataError("is not UTF-8 text", origin, hint="Save it as plain CSV or TSV.") from None
    text.name = origin
    return text
