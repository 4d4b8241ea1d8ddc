"""Options that several commands share, so that one word means one thing, and how their text is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import click
from click.core import ParameterSource

from rankgauge import verbs
from rankgauge.cli.help import (
    FILE,
    Decorator,
    at_least,
    flag_of,
    input_option,
    of,
    output_option,
    policy_option,
    statistics_option,
    together,
)
from rankgauge.data.policy import Policy
from rankgauge.errors import UsageError
from rankgauge.signature import choices

FORMATS = ("table", "json", "csv", "md", "latex")
POLICY = ("ties", "unjudged", "missing", "undefined", "depth", "rel")
_ROLES = ("query", "document", "value", "score")


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
    return cast("str", _spelled(context, parameter, given[0] if given else "nDCG@10"))


def number_list(kind: type[int | float]) -> Callable[[click.Context, click.Parameter, Any], tuple[float, ...]]:
    """Reads numbers between commas, as in --reach 0.9,0.95; a repeated option adds to the list."""

    def read(_context: click.Context, _parameter: click.Parameter, given: tuple[str, ...]) -> tuple[float, ...]:
        try:
            return tuple(kind(word) for text in given for word in text.replace(",", " ").split())
        except ValueError:
            example = "50,100" if kind is int else "0.9,0.95"
            raise click.BadParameter(f"{', '.join(given)!r} is not a list of numbers such as {example}") from None

    return read


def pairs(
    context: click.Context, parameter: click.Parameter, texts: Iterable[str], form: str, known: tuple[str, ...]
) -> list[tuple[str, str]]:
    """LEFT=RIGHT, with one of the known words on the left; `form` is how the help spells it, as in ROLE=COLUMN."""
    read = [text.partition("=")[::2] for text in texts]
    for left, right in read:
        if left.strip() not in known or not right:
            noun = form.partition("=")[0].lower()
            words = f"{left}={right} is not {form} with a {noun} of {', '.join(known)}"
            raise click.BadParameter(words, context, parameter)
    return [(left.strip(), right.strip()) for left, right in read]


def _named(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> dict[str, str]:
    """ROLE=COLUMN pairs between commas."""
    return dict(pairs(context, parameter, (pair for text in given for pair in text.split(",")), "ROLE=COLUMN", _ROLES))


def _drawable(_context: click.Context, _parameter: click.Parameter, given: str | None) -> str | None:
    """A chart that cannot be written is better refused before the work than after it."""
    if given:
        from rankgauge.presentation.charts.style import check_ending

        check_ending(given)
    return given


def _some_runs(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> tuple[str, ...]:
    """At least one run; where one file holds both, the message shows how to name its two lists."""
    if given or context.resilient_parsing:
        return given
    raise click.MissingParameter(both_lists(context.params["judgments"]) or None, context, parameter)


def both_lists(path: str) -> str:
    """How to name the relevant and the retrieved documents of a file that lists both; empty for other files."""
    import rankgauge
    from rankgauge.errors import RankgaugeError

    if ".json" not in path:
        return ""
    try:
        tables = rankgauge.read_judgments(path).table.load(), rankgauge.read_run(path).table.load()
    except (RankgaugeError, OSError):
        return ""
    fields = [table.lists[0] for table in tables if table.lists is not None]
    if len(set(fields)) < 2:
        return ""
    call = " ".join(f"{path}:{field}" for field in fields)
    return f"{path} lists both relevant and retrieved documents; name both lists, as in {call}"


collection = together(
    click.argument("judgments"), click.argument("runs", nargs=-1, metavar="RUN...", callback=_some_runs)
)
optional_runs = together(click.argument("judgments"), click.argument("runs", nargs=-1, metavar="[RUN...]"))
measure = click.argument("measure", callback=_spelled)
measures = input_option(
    "-m --measure LIST|@FILE",
    'Measures, as in "nDCG@10 AP", or @FILE: a file that lists them, or the result of optimize. Repeatable. '
    "[default: nDCG@10]",
    into="measures",
    multiple=True,
    callback=_spelled,
)
one_measure = input_option(
    "-m --measure MEASURE|@FILE",
    "Measure, or @FILE: a file that names it, or the result of optimize. [default: nDCG@10]",
    into="measure",
    multiple=True,
    callback=_one,
)
duplicates = input_option(
    "--duplicates",
    "What to do when a document repeats within a query: fail, or keep its best row.",
    ("error", "best"),
    default="error",
)
columns = input_option(
    "--columns ROLE=COLUMN,...",
    "Columns of judgments and runs, as in query=userId,document=movieId,value=clicks,score=prediction. "
    "[default: by their names]",
    multiple=True,
    callback=_named,
)
group_sizes = input_option(
    "--group-sizes FILE", "Number of rows of each query, one per line, for labels and predictions without query ids."
)
complete = input_option(
    "--complete",
    "Treat the judgments as complete: unjudged documents are not relevant, and no note mentions them.",
    bool,
)
names = input_option(
    "--names",
    "Name systems by their files, or by the tag in the last column of TREC runs.",
    ("file", "tag"),
    default="file",
)
only = input_option("--only FILE|ID,...", "Use only these queries: ids, or a file of ids.", once=True)
queries = input_option("--queries FILE", "File of query texts and other columns about queries.")
weights = input_option("--weights COLUMN", "Weight queries by this column of --queries.")
documents = input_option("--documents FILE", "File of document ids and titles.")
run = input_option("--run FILE", "Run, as a path or NAME=PATH.")
by = statistics_option("--by COLUMN", "Compare also for each value of this column of --queries.")


def baseline(default: str = "the first") -> Callable[[Any], Any]:
    return statistics_option("--baseline NAME", f"Baseline system. [default: {default}]", once=True)


all_pairs = statistics_option("--all-pairs", "Compare every pair of systems.", bool)
equivalence = statistics_option(
    "--equivalence MARGIN", "Call systems equivalent if they differ by less than this.", float
)
over = statistics_option("--over", "What to optimize.", of(verbs.optimize, "over"), default="discount")
confidence = statistics_option(
    "--confidence", "Confidence level of intervals.", of(verbs.compare, "confidence"), default=0.95
)
seed = statistics_option(
    "--seed", "Seed of the random numbers; the same seed gives the same result.", of(verbs.compare, "seed"), default=7
)
reach = statistics_option(
    "--reach LIST",
    "Reliability targets to find the number of queries for. Repeatable. [default: 0.9,0.95]",
    multiple=True,
    default=("0.9,0.95",),
    callback=number_list(float),
)
title = output_option("--title", "Heading of the page.", default="")
plot = output_option("--plot", "Save a chart as .svg, .png or .json (Vega-Lite).", FILE, callback=_drawable)
no_progress = output_option("--no-progress", "Show no progress bar.", bool)
folder = output_option(
    "-o --output", "Folder to write to; created if needed.", click.Path(file_okay=False), into="folder", required=True
)
ties = policy_option(
    "--ties",
    "How to order documents with equal scores. [default: the measure's own, mostly document; for score, mean]",
    choices(Policy, "ties"),
)
undefined = policy_option(
    "--undefined",
    "How to score queries on which a measure is undefined (0/0). [default: the measure's own, mostly zero]",
    choices(Policy, "undefined"),
)
rel = policy_option("--rel", "Lowest value of a relevant document, for binary measures.", float)
like = policy_option(
    "--like TOOL",
    "Follow another tool's conventions, as in trec_eval-9, sklearn or lightgbm; docs/whose-ndcg.md lists them.",
)
further = policy_option(
    "--policy NAME=VALUE,...",
    "Further conventions that only some tools follow, as in pool=returned,extra=zero.",
    into="further",
)
graded_policy = together(
    ties,
    policy_option(
        "--unjudged", "How to treat documents without a judgment. [default: zero]", choices(Policy, "unjudged")
    ),
    policy_option(
        "--missing",
        "How to score judged queries that are missing from a run. [default: zero]",
        choices(Policy, "missing"),
    ),
    undefined,
    policy_option("--depth", "Use only the first N documents of each query.", at_least(1)),
    like,
    further,
)
policy = together(graded_policy, rel)


def samples(default_text: str = "", **settings: Any) -> Decorator:
    words = f"Number of random samples. {default_text}".rstrip()
    return statistics_option("--samples", words, of(verbs.discriminate, "samples"), **settings)


def output_file(words: str, **settings: Any) -> Decorator:
    return output_option("-o --output", words, FILE, **settings)


def output(*formats: str, decimals: bool = True) -> Decorator:
    """--format, --decimals, --output, --quiet, --no-progress."""
    places = "Digits after the decimal point. [default: 4; csv: full precision]"
    return together(
        output_option("--format", "Output format.", (*FORMATS, *formats), into="form", default="table"),
        *([output_option("--decimals", places, at_least(0, 15))] if decimals else []),
        output_file("Write to this file instead of standard output."),
        output_option("--quiet", "Print no notes and no progress.", bool),
        no_progress,
    )


def policy_from(chosen: dict[str, Any]) -> Policy:
    named = Policy(**{name: chosen[name] for name in POLICY if name in chosen})
    return named.over(Policy.read(chosen["further"])) if chosen.get("further") else named


def picked(chosen: dict[str, Any], *names: str) -> dict[str, Any]:
    """The options that a public function takes under the same names."""
    return {name: chosen[name] for name in names}


def is_given(name: str) -> bool:
    """Whether the user set this option."""
    context = click.get_current_context()
    if context.params.get(name) == ():  # click before 8.3 says that arguments were given that are left out
        return False
    return context.get_parameter_source(name) not in {ParameterSource.DEFAULT, None}


def refuse(names: Iterable[str], because: str) -> None:
    """An option without effect is a misunderstanding, so it is an error."""
    parameters = {parameter.name: parameter for parameter in click.get_current_context().command.params}
    for name in names:
        if is_given(name):
            raise UsageError(f"{flag_of(parameters[name])} has no effect here because {because}")


def need_queries(chosen: dict[str, Any], *names: str) -> bool:
    """Whether an option names a column of --queries, which must then be there."""
    used = [name for name in names if chosen[name] is not None]
    if used and chosen["queries"] is None:
        raise UsageError(f"--{used[0]} {chosen[used[0]]} needs --queries FILE, the file with this column")
    return bool(used)


def split_name(argument: str) -> tuple[str | None, str]:
    """NAME=PATH; a path that exists is a path, whatever signs it has."""
    name, sign, path = argument.partition("=")
    return (name, path) if sign and name and not _exists(argument) else (None, argument)


def split_part(argument: str) -> tuple[str, str | None]:
    """PATH:PART, as Python takes it, too."""
    from rankgauge.data.door import split_part

    return split_part(argument)


def _exists(path: str) -> bool:
    from rankgauge.data.door import exists

    return exists(path)
