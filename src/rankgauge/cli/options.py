"""Options that several commands share, and what they become."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from rankgauge.data.policy import Missing, Policy, Ties, Undefined, Unjudged
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.data.judgments import Judgments
    from rankgauge.data.queries import Queries
    from rankgauge.data.run import Run
    from rankgauge.data.sources import Duplicates

Command = TypeVar("Command", bound=Callable[..., Any])
_POLICY = ("ties", "unjudged", "missing", "undefined", "depth", "rel")


def _spelled(_context: click.Context, _parameter: click.Parameter, given: Any) -> Any:
    """Measures in the place of @FILE."""
    if not any(text.startswith("@") for text in ((given,) if isinstance(given, str) else given)):
        return given
    from rankgauge.measures.saved import spelled

    def read(text: str) -> str:
        path, part = split_part(text[1:])
        return spelled(path, part)

    if isinstance(given, str):
        return read(given)
    return tuple(read(text) if text.startswith("@") else text for text in given)


measures = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="LIST|@FILE",
    callback=_spelled,
    help='Measures, as in "nDCG@10 AP", or @FILE: a list in a file, or what optimize wrote. May be repeated. '
    "[default: nDCG@10]",
)
measure = click.argument("measure", callback=_spelled)
confidence = click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Level of the intervals.",
)
duplicates = click.option(
    "--duplicates",
    type=click.Choice(["error", "best"]),
    default="error",
    show_default=True,
    help="A document twice in a query.",
)
only = click.option("--only", metavar="FILE|ID,...", help="Count these queries only: ids, or a file of them.")
seed = click.option(
    "--seed", type=click.IntRange(min=0), default=7, show_default=True, help="The same seed gives the same numbers."
)
plot = click.option("--plot", type=click.Path(dir_okay=False), help="Draw a chart: .svg, .png or .json (Vega-Lite).")


def collection(command: Command) -> Command:
    """JUDGMENTS RUN… and -m."""
    for decorate in reversed(
        [
            click.argument("judgments"),
            click.argument("runs", nargs=-1, required=True, metavar="RUN..."),
            measures,
        ]
    ):
        command = decorate(command)
    return command


def policy(command: Command) -> Command:
    """The decisions that make tools disagree."""
    for decorate in reversed(
        [
            click.option(
                "--ties",
                type=click.Choice(get_args(Ties)),
                help="Order inside equal scores. [default: the measure's own, mostly document]",
            ),
            click.option(
                "--unjudged", type=click.Choice(get_args(Unjudged)), help="Documents without judgment. [default: zero]"
            ),
            click.option(
                "--missing",
                type=click.Choice(get_args(Missing)),
                help="Judged queries that a run lacks. [default: zero]",
            ),
            click.option(
                "--undefined",
                type=click.Choice(get_args(Undefined)),
                help="Queries on which a measure is 0/0. [default: the measure's own, mostly zero]",
            ),
            click.option("--depth", type=click.IntRange(min=1), help="Use only the first N documents of a run."),
            click.option("--rel", type=float, help="Value from which a document is relevant, for binary measures."),
            click.option(
                "--like", metavar="TOOL", help="Do as another tool does: trec_eval-9, trec_eval-10, gdeval, sklearn."
            ),
        ]
    ):
        command = decorate(command)
    return command


def data(command: Command) -> Command:
    """How rows are read and which queries count."""
    for decorate in reversed(
        [
            duplicates,
            click.option("--queries", metavar="FILE", help="Words of the queries, and columns to slice or weight by."),
            only,
            click.option("--weights", metavar="COLUMN", help="Weight queries by this column of --queries."),
            click.option(
                "--memory",
                metavar="AMOUNT",
                help="Memory for judgments and large runs together, as in 300MB. Scattered queries may need more.",
            ),
        ]
    ):
        command = decorate(command)
    return command


def output(*formats: str) -> Callable[[Command], Command]:
    """--format, --decimals, --output, --quiet, --no-progress."""

    def decorated(command: Command) -> Command:
        for decorate in reversed(
            [
                click.option(
                    "--format",
                    "form",
                    type=click.Choice(["table", "json", "csv", "md", "latex", *formats]),
                    default="table",
                    show_default=True,
                    help="What to print.",
                ),
                click.option(
                    "--decimals",
                    type=click.IntRange(0, 15),
                    help="Digits after the point. [default: 4; csv and json are full]",
                ),
                click.option(
                    "-o", "--output", type=click.Path(dir_okay=False), help="Write to a file, whole or not at all."
                ),
                click.option("--quiet", is_flag=True, help="No notes and no progress."),
                click.option("--no-progress", is_flag=True, help="No progress bar."),
            ]
        ):
            command = decorate(command)
        return command

    return decorated


def form_by_ending(options: dict[str, Any]) -> None:
    """Without --format, a file to be called .json is JSON."""
    source = click.get_current_context().get_parameter_source("form")
    if source is click.core.ParameterSource.DEFAULT and str(options["output"] or "").endswith(".json"):
        options["form"] = "json"


def policy_from(options: dict[str, Any]) -> Policy:
    """Takes the policy options out of a command's options."""
    return Policy(**{name: options.pop(name) for name in _POLICY})


def refuse(options: dict[str, Any], names: Iterable[str], because: str) -> None:
    """An option without effect is a misunderstanding, so it is an error."""
    for name in names:
        if options[name] is not None:
            raise UsageError(f"{because}: --{name.replace('_', '-')} cannot change anything\nLeave it out.")


@dataclass(frozen=True)
class Selection:
    """Which queries count and how much; `queries` tells more about them, where it is known."""

    queries: Queries | None
    only: list[str] | None
    weights: dict[str, float] | None


def selection_from(options: dict[str, Any]) -> Selection:
    """Takes --queries, --only and --weights out of a command's options."""
    from rankgauge.data.queries import chosen_queries, read_queries

    path, chosen, column = (options.pop(name) for name in ("queries", "only", "weights"))
    queries = None if path is None else read_queries(path)
    if column is not None and queries is None:
        raise UsageError(f"--weights {column} needs --queries FILE, the file that has this column")
    return Selection(
        queries,
        None if chosen is None else chosen_queries(chosen),
        None if column is None or queries is None else queries.weights(column),
    )


def judgments_from(argument: str, duplicates: Duplicates = "error") -> Judgments:
    """PATH, or PATH:COLUMN for the column of judged values."""
    from rankgauge.data.judgments import read_judgments

    path, column = split_part(argument)
    return read_judgments(path, column=column, duplicates=duplicates)


def runs_from(arguments: tuple[str, ...], duplicates: Duplicates = "error") -> list[Run]:
    """PATH, NAME=PATH, or either with :PART for one run of a file that holds several."""
    from rankgauge.data.run import read_run, read_runs

    read_once(*arguments)
    runs: list[Run] = []
    for argument in arguments:
        name, whole = split_name(argument)
        path, part = split_part(whole)
        if part is None:
            runs += read_runs(path, name=name, duplicates=duplicates)
        else:
            runs.append(read_run(path, name=name, part=part, duplicates=duplicates))
    return runs


def read_once(*arguments: str | None) -> None:
    """Refuses a call that would read standard input twice: the second reader would find it empty."""
    if [split_name(argument)[1] for argument in arguments if argument is not None].count("-") > 1:
        raise UsageError("standard input can be read only once\nGive all files but one by name.")


def split_name(argument: str) -> tuple[str | None, str]:
    """NAME=PATH; a path that exists is a path, whatever signs it has."""
    name, sign, path = argument.partition("=")
    return (name, path) if sign and name and not _exists(argument) else (None, argument)


def split_part(argument: str) -> tuple[str, str | None]:
    """PATH:PART, where there is a file PATH but none of the whole name."""
    path, sign, part = argument.rpartition(":")
    return (path, part) if sign and part and not _exists(argument) and _exists(path) else (argument, None)


def _exists(path: str) -> bool:
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False


def number_list(kind: type[int | float]) -> Callable[[click.Context, click.Parameter, Any], tuple[float, ...]]:
    """Reads numbers between commas, as in --reach 0.9,0.95; an option that may be repeated adds up."""

    def read(_context: click.Context, _parameter: click.Parameter, given: str | tuple[str, ...]) -> tuple[float, ...]:
        texts = (given,) if isinstance(given, str) else given
        words = [word for text in texts for word in text.replace(",", " ").split()]
        try:
            return tuple(kind(word) for word in words)
        except ValueError:
            example = "50,100" if kind is int else "0.9,0.95"
            raise click.BadParameter(f"{', '.join(texts)!r} is not a list of numbers such as {example}") from None

    return read


reach = click.option(
    "--reach",
    default="0.9,0.95",
    show_default=True,
    metavar="LIST",
    callback=number_list(float),
    help="Targets to count queries for.",
)
