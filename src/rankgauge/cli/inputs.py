"""Files named on the command line, as the public functions take them."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options
from rankgauge.cli.help import option, together
from rankgauge.cli.output import progress
from rankgauge.errors import DataError, UsageError, nearest

if TYPE_CHECKING:
    from rankgauge.data.judgments import Judgments
    from rankgauge.data.read.score_matrix import ScoreMatrix
    from rankgauge.data.run import Run
    from rankgauge.data.sources import Duplicates
    from rankgauge.evaluation.scores import Scores

_MATRIX = ("ids", "header", "rows")
_POLICY = (*options.POLICY, "like")

source = together(
    click.argument("judgments", required=False),
    click.argument("runs", nargs=-1, metavar="[RUN...]"),
    options.measures,
    option(
        "Input",
        "--scores",
        metavar="FILE",
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
    options.only,
    options.duplicates,
)


def judgments_from(argument: str, duplicates: Duplicates = "error") -> Judgments:
    """PATH, or PATH:COLUMN for the column of judged values."""
    from rankgauge import read_judgments

    path, column = options.split_part(argument)
    return read_judgments(path, column=column, duplicates=duplicates)


def runs_from(arguments: tuple[str, ...], duplicates: Duplicates = "error") -> list[Run]:
    """PATH, NAME=PATH, or either with :PART for one run of a file that holds several."""
    from rankgauge import read_run, read_runs

    read_once(*arguments)
    runs: list[Run] = []
    for argument in arguments:
        name, whole = options.split_name(argument)
        path, part = options.split_part(whole)
        if part is None:
            runs += read_runs(path, name=name, duplicates=duplicates)
        else:
            runs.append(read_run(path, name=name, part=part, duplicates=duplicates))
    return runs


def read_once(*arguments: str | None) -> None:
    """Refuses a call that would read standard input twice: the second reader would find it empty."""
    if [options.split_name(argument)[1] for argument in arguments if argument is not None].count("-") > 1:
        raise UsageError("standard input can be read only once\nGive all files but one by name.")


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
            raise UsageError("give either JUDGMENTS and RUN, or --scores, not both")
        found = _read(chosen["scores"], measures, chosen)
        return found if chosen["only"] is None else _restricted(found, chosen)
    if judgments is None or not runs:
        raise UsageError("judgments and at least one run are needed\nName them, or give scores with --scores FILE.")
    options.refuse(_MATRIX, "it describes a matrix of scores\nGive the matrix with --scores FILE.")
    return _evaluate(judgments, runs, measures, chosen, undefined)


def _evaluate(
    judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], chosen: dict[str, Any], undefined: str | None
) -> Scores:
    from rankgauge.data.policy import Policy
    from rankgauge.data.queries import chosen_queries
    from rankgauge.evaluation.evaluate import evaluate

    read_once(judgments, *runs, chosen["only"], chosen.get("queries"))
    policy = options.policy_from(chosen)
    if chosen["like"] is None:
        policy = policy.over(Policy(undefined=undefined))  # type: ignore[arg-type]  # Policy checks it
    listed = runs_from(runs, chosen["duplicates"])
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("evaluating", shown=shown and len(listed) > 1) as report:
        return evaluate(
            judgments_from(judgments, chosen["duplicates"]),
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

    options.refuse(["duplicates"], "it is about judgments and runs, and these are scores")
    source = Source(file)
    origin, raw = source.origin, source.load().bytes.tobytes()
    if holds_scores(raw):
        options.refuse((*_MATRIX, *_POLICY), f"{origin} holds evaluated scores")
        data = io.BytesIO(raw)
        data.name = origin
        return _selected(read_scores(data), measures)
    options.refuse((name for name in _POLICY if name != "missing"), f"{origin} holds a matrix of scores")
    if len(measures) > 1:
        raise UsageError(f"{origin} holds one measure; give -m once, to name it")
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
    """The scores of the queries that --only names; an unknown id is an error."""
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
