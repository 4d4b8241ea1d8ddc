"""Options that several commands share, so that one word means one thing, and how their text is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource

from rankgauge.cli.help import Decorator, option, together
from rankgauge.data.policy import Missing, Policy, Ties, Undefined, Unjudged
from rankgauge.errors import UsageError

FORMATS = ("table", "json", "csv", "md", "latex")
POLICY = ("ties", "unjudged", "missing", "undefined", "depth", "rel")


def _spelled(_context: click.Context, _parameter: click.Parameter, given: Any) -> Any:
    """Measures, with each @FILE replaced by what the file holds."""
    texts = (given,) if isinstance(given, str) else given
    if not any(text.startswith("@") for text in texts):
        return given
    from rankgauge.measures.grammar import spelled

    read = tuple(spelled(*split_part(text[1:])) if text.startswith("@") else text for text in texts)
    return read[0] if isinstance(given, str) else read


def _one(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> str:
    """The one measure of an option that may not be repeated; click would silently take the last."""
    if len(given) > 1:
        raise click.BadParameter("takes one measure; give -m once", context, parameter)
    return str(_spelled(context, parameter, given[0] if given else "nDCG@10"))


def number_list(kind: type[int | float]) -> Callable[[click.Context, click.Parameter, Any], tuple[float, ...]]:
    """Reads numbers between commas, as in --reach 0.9,0.95; a repeated option adds to the list."""

    def read(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[float, ...]:
        try:
            return tuple(kind(word) for text in given for word in text.replace(",", " ").split())
        except ValueError:
            example = "50,100" if kind is int else "0.9,0.95"
            raise click.BadParameter(f"{', '.join(given)!r} is not a list of numbers such as {example}") from None

    return read


def output_file(what: str, **settings: Any) -> Decorator:
    return option("Output", "-o", "--output", type=click.Path(dir_okay=False), help=what, **settings)


measure = click.argument("measure", callback=_spelled)
measures = option(
    "Input",
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="LIST|@FILE",
    callback=_spelled,
    help='Measures, as in "nDCG@10 AP", or @FILE: a file that lists them, or the result of optimize. Repeatable. '
    "[default: nDCG@10]",
)
one_measure = option(
    "Input",
    "-m",
    "--measure",
    "measure",
    multiple=True,
    metavar="MEASURE|@FILE",
    callback=_one,
    help="Measure, or @FILE: a file that names it, or the result of optimize. [default: nDCG@10]",
)
duplicates = option(
    "Input",
    "--duplicates",
    type=click.Choice(["error", "best"]),
    default="error",
    show_default=True,
    help="What to do when a document repeats within a query: fail, or keep its best row.",
)
_ROLES = ("query", "document", "value", "score")


def _named(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """ROLE=COLUMN pairs between commas."""
    pairs = [pair.partition("=")[::2] for text in given for pair in text.split(",")]
    for role, column in pairs:
        if role.strip() not in _ROLES or not column:
            words = f"{role}={column} is not ROLE=COLUMN with a role of {', '.join(_ROLES)}"
            raise click.BadParameter(words, context, parameter)
    return {role.strip(): column.strip() for role, column in pairs}


columns = option(
    "Input",
    "--columns",
    multiple=True,
    metavar="ROLE=COLUMN,...",
    callback=_named,
    help="Columns of judgments and runs, as in query=userId,document=movieId,value=clicks,score=prediction. "
    "[default: by their names]",
)
group_sizes = option(
    "Input",
    "--group-sizes",
    metavar="FILE",
    help="Number of rows of each query, one per line, for labels and predictions without query ids.",
)
complete = option(
    "Input",
    "--complete",
    is_flag=True,
    help="Everything relevant is judged: other documents are not relevant, and no note asks about them.",
)
names = option(
    "Input",
    "--names",
    type=click.Choice(["file", "tag"]),
    default="file",
    show_default=True,
    help="Name systems by their files, or by the tag in the last column of TREC runs.",
)
only = option(
    "Input", "--only", metavar="FILE|ID,...", once=True, help="Use only these queries: ids, or a file of ids."
)
queries = option("Input", "--queries", metavar="FILE", help="File of query texts and other columns about queries.")
baseline = option(
    "Statistics",
    "--baseline",
    metavar="NAME",
    once=True,
    help="Baseline system, or best: the one with the highest mean. [default: the first]",
)
confidence = option(
    "Statistics",
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    help="Confidence level of intervals.",
)
seed = option(
    "Statistics",
    "--seed",
    type=click.IntRange(min=0),
    default=7,
    show_default=True,
    help="Seed of the random numbers; the same seed gives the same result.",
)


def samples(default_text: str = "", **settings: Any) -> Decorator:
    words = f"Number of random samples. {default_text}".rstrip()
    return option("Statistics", "--samples", type=click.IntRange(min=1), help=words, **settings)


reach = option(
    "Statistics",
    "--reach",
    multiple=True,
    default=("0.9,0.95",),
    metavar="LIST",
    callback=number_list(float),
    help="Reliability targets to find the number of queries for. Repeatable. [default: 0.9,0.95]",
)
plot = option(
    "Output", "--plot", type=click.Path(dir_okay=False), help="Save a chart as .svg, .png or .json (Vega-Lite)."
)
no_progress = option("Output", "--no-progress", is_flag=True, help="Show no progress bar.")


ties = option(
    "Policy",
    "--ties",
    type=click.Choice(get_args(Ties)),
    help="How to order documents with equal scores. [default: the measure's own, mostly document; for score, mean]",
)
undefined = option(
    "Policy",
    "--undefined",
    type=click.Choice(get_args(Undefined)),
    help="How to score queries on which a measure is undefined (0/0). [default: the measure's own, mostly zero]",
)
rel = option("Policy", "--rel", type=float, help="Lowest value of a relevant document, for binary measures.")
like = option(
    "Policy",
    "--like",
    metavar="TOOL",
    help="Follow another tool's conventions, as in trec_eval-9, sklearn or lightgbm; docs/whose-ndcg.md lists them.",
)
further = option(
    "Policy",
    "--policy",
    "further",
    metavar="NAME=VALUE,...",
    help="Further decisions that only some tools take, as in pool=returned,extra=zero.",
)
graded_policy = together(
    ties,
    option(
        "Policy",
        "--unjudged",
        type=click.Choice(get_args(Unjudged)),
        help="How to treat documents without a judgment. [default: zero]",
    ),
    option(
        "Policy",
        "--missing",
        type=click.Choice(get_args(Missing)),
        help="How to score judged queries that are missing from a run. [default: zero]",
    ),
    undefined,
    option("Policy", "--depth", type=click.IntRange(min=1), help="Use only the first N documents of each query."),
    like,
)
policy = together(graded_policy, rel, further)
collection = together(click.argument("judgments"), click.argument("runs", nargs=-1, required=True, metavar="RUN..."))


def output(*formats: str, decimals: bool = True) -> Decorator:
    """--format, --decimals, --output, --quiet, --no-progress."""
    rounding = option(
        "Output",
        "--decimals",
        type=click.IntRange(0, 15),
        help="Digits after the decimal point. [default: 4; csv: full precision]",
    )
    return together(
        option(
            "Output",
            "--format",
            "form",
            type=click.Choice([*FORMATS, *formats]),
            default="table",
            show_default=True,
            help="Output format.",
        ),
        *([rounding] if decimals else []),
        output_file("Write to this file instead of standard output."),
        option("Output", "--quiet", is_flag=True, help="Print no notes and no progress."),
        no_progress,
    )


def policy_from(chosen: dict[str, Any]) -> Policy:
    named = Policy(**{name: chosen[name] for name in POLICY if name in chosen})
    return named.over(Policy.read(chosen["further"])) if chosen.get("further") else named


def is_given(name: str) -> bool:
    """Whether the user set this option."""
    return click.get_current_context().get_parameter_source(name) not in {ParameterSource.DEFAULT, None}


def refuse(names: Iterable[str], because: str) -> None:
    """An option without effect is a misunderstanding, so it is an error."""
    parameters = {parameter.name: parameter for parameter in click.get_current_context().command.params}
    for name in names:
        if is_given(name):
            raise UsageError(f"{max(parameters[name].opts, key=len)} has no effect here because {because}")


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
