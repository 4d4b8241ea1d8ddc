"""Options that several commands share, and what they become."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from rankgauge.data.policy import Missing, Policy, Ties, Undefined, Unjudged

if TYPE_CHECKING:
    from rankgauge.data.run import Run

Command = TypeVar("Command", bound=Callable[..., Any])
_POLICY = ("ties", "unjudged", "missing", "undefined", "depth", "rel")

measures = click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="LIST",
    help='Measures, as in "nDCG@10 AP". May be repeated. [default: nDCG@10]',
)
confidence = click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Level of the intervals.",
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


def policy_from(options: dict[str, Any]) -> Policy:
    """Takes the policy options out of a command's options."""
    return Policy(**{name: options.pop(name) for name in _POLICY})


def runs_from(arguments: tuple[str, ...]) -> list[Run]:
    """Paths, or NAME=PATH; a path that exists is a path, whatever signs it has."""
    from rankgauge.data.run import read_run

    runs = []
    for argument in arguments:
        name, sign, path = argument.partition("=")
        if sign and name and not Path(argument).exists():
            runs.append(read_run(path, name=name))
        else:
            runs.append(read_run(argument))
    return runs


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
