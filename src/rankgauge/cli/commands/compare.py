"""rankgauge compare"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.answer import Answer
from rankgauge.cli.help import FILE, command, input_option, of, output_option, statistics_option
from rankgauge.cli.output import present, progress, say
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.results import Gate

# Written out, so that --help loads no analysis; a test holds them against the analysis.
SAMPLED_TESTS = ("sign-flip", "bootstrap", "randomised-tukey")
FORMS = (*options.FORMATS[1:], "junit", "comment", "html")
_SETTINGS = (
    *("baseline", "all_pairs", "test", "correction", "correction_within", "confidence", "seed", "equivalence"),
    *("samples", "interval", "interval_for", "by", "robust", "bayes"),
)
_UNJUDGED = {
    *("judgments", "runs", "no_judgments", "cutoff", "queries", "only", "duplicates", "columns", "names"),
    *("depth", "per_query"),
}
"""What --no-judgments has a use for, beside the options of output."""
_ACROSS = {
    *("collections", "measures", "only", "duplicates", "columns", "complete", "names", *options.POLICY),
    *("further", "like", "baseline", "correction", "confidence", "equivalence"),
}
"""What --collection has a use for."""
_OUTPUT = {"form", "decimals", "output", "quiet", "no_progress", "notes"}


def _outputs(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[tuple[str, str]]:
    return options.pairs(context, parameter, given, "FORM=FILE", FORMS)


@command(
    "rankgauge compare judgments.qrels runs/*.trec --baseline system-02",
    'rankgauge compare judgments.qrels runs/*.trec --fail-if "nDCG@10 < baseline"',
)
@inputs.source
@options.complete
@options.names
@options.queries
@input_option(
    "--judge FILE",
    "A machine's judgments of many queries; JUDGMENTS holds people's, of a random sample. With --scores: scores.",
)
@input_option(
    "--collection NAME JUDGMENTS RUN...",
    "Compare on several collections, each after its own --collection; runs of one system have the same name.",
    into="collections",
    multiple=True,
    greedy=True,
)
@input_option("--no-judgments", "Compare two runs without judgments: what changed for users?", bool)
@input_option(
    "--cutoff", "With --no-judgments: number of documents that users see. [default: 10]", of(verbs.compare, "cutoff")
)
@options.policy
@options.baseline("the first; best takes the one with the highest mean")
@options.all_pairs
@statistics_option("--test", "Significance test. [default: sign-flip; with --judge: t]", of(verbs.compare, "test"))
@statistics_option(
    "--correction",
    "Correction for multiple comparisons. [default: max-t; holm with --judge, --collection and other tests]",
    of(verbs.compare, "correction"),
)
@statistics_option(
    "--correction-within",
    "Correct over all measures together, or over the pairs of each measure.",
    of(verbs.compare, "correction_within"),
    default="all",
)
@options.equivalence
@options.samples("[default: as many as the verdicts need]")
@options.seed
@statistics_option("--interval", "Method for confidence intervals.", of(verbs.compare, "interval"), default="t")
@statistics_option(
    "--interval-for",
    "Intervals at the level that decides the verdict, or of each pair alone.",
    of(verbs.compare, "interval_for"),
    default="verdict",
)
@options.confidence
@options.by
@statistics_option(
    "--fail-if RULE",
    'Exit with 1 if this holds, as in "nDCG@10 < baseline - 0.01", or 3 if more queries are needed. Repeatable.',
    into="rules",
    multiple=True,
)
@statistics_option(
    "--sequential LEDGER",
    "Record each use of --fail-if in this file, so that false alarms do not add up over the commits you test.",
    FILE,
    into="ledger",
)
@statistics_option(
    "--undecided",
    "What an undecided rule of --fail-if does: exit with 3, pass, pass with a warning, or fail.",
    ("exit", "pass", "warn", "fail"),
    default="exit",
)
@output_option(
    "--compact", "Print one column per measure, as in a paper: best value in bold, significance marks.", bool
)
@output_option("--caption", "Caption of the table of --compact.")
@output_option("--label", "LaTeX label of the table of --compact.")
@output_option(
    "--also FORM=FILE",
    "Write another form as well, as in junit=gate.xml, comment=comment.md or html=page.html. Repeatable.",
    multiple=True,
    callback=_outputs,
)
@statistics_option(
    "--bayes",
    "Add the probability that each system is better, or better by the margin of --equivalence; noisy differences shrink.",
    bool,
)
@statistics_option("--robust", "Say for each pair whether the winner is the same under every gain and discount.", bool)
@output_option("--notes", "Print every note on a terminal, not only those that may change a number.", bool)
@output_option("--per-query", "Print one row per query instead of one per pair; JSON has both.", bool)
@options.output("junit", "comment")
def compare(**chosen: Any) -> None:
    """Test whether systems really differ from a baseline.

    With --fail-if the exit code is 1 if a rule is broken and 3 if more queries are needed to decide.
    """
    if chosen["collections"]:
        return _across(chosen)
    if chosen["no_judgments"]:
        return _without_judgments(chosen)
    _check(chosen)
    with progress("comparing", chosen) as report:
        found = rankgauge.compare(
            **inputs.scores_or_collection(chosen, beside=True),
            **options.picked(chosen, *_SETTINGS),
            queries=chosen["queries"] if chosen["by"] else None,
            # The other judge: judgments beside judgments, scores beside scores.
            judge=inputs.judge_from(chosen) if chosen["scores"] is None else chosen["judge"],
            progress=report,
        )
    comparison = found if chosen["by"] is None else found.overall
    if chosen["per_query"] and len(comparison.scores.systems) == 1:
        raise UsageError("--per-query shows the differences of two systems, and there is one; add another run")
    gate = comparison.gate(*chosen["rules"], ledger=chosen["ledger"]) if chosen["rules"] else None
    slices = None if chosen["by"] is None else found
    answer = Answer(comparison, slices, gate, _texts(chosen, comparison.queries), chosen)
    for form, path in [*chosen["also"], (chosen["form"], chosen["output"])]:
        answer.write(form, path)
    return None if gate is None else _end(gate, answer.exit_code(gate), chosen)


def _end(gate: Gate, code: int, chosen: dict[str, Any]) -> None:
    """The outcome in words, where nothing else says it, and as the exit code."""
    if chosen["output"] is not None or chosen["form"] not in {"table", "md", "comment"}:
        for result in gate.rules:
            say(result.message)
    words = {"warn": "warning: undecided, and let pass", "fail": "fail: undecided, and not let pass"}
    if gate.outcome == "undecided" and chosen["undecided"] in words:
        say(f"{words[chosen['undecided']]} because of --undecided {chosen['undecided']}")
    click.get_current_context().exit(code)


def _check(chosen: dict[str, Any]) -> None:
    """Options without effect, or that do not go together."""
    options.refuse(["cutoff"], "it is for --no-judgments\nWith judgments the measure has it, as in -m nDCG@10.")
    test = chosen["test"] or ("t" if chosen["judge"] else "sign-flip")
    if test not in SAMPLED_TESTS:
        options.refuse(["samples"], f"the {test} test draws no samples")
    if chosen["by"] is None and not chosen["per_query"]:
        options.refuse(["queries"], "only --by and --per-query use it")
    if options.need_queries(chosen, "by") and chosen["per_query"]:
        raise UsageError("--per-query and --by cannot be shown together; leave one of them out")
    _check_rules(chosen)
    _check_forms(chosen)


def _check_rules(chosen: dict[str, Any]) -> None:
    if chosen["ledger"] is not None and not chosen["rules"]:
        raise UsageError("--sequential counts the looks of --fail-if; add a rule")
    if not chosen["rules"]:
        options.refuse(["undecided"], "it is about the rules of --fail-if")
    if chosen["rules"]:
        from rankgauge.analysis.compare.gate import parse_rule

        from_baseline = [parse_rule(rule).from_baseline for rule in chosen["rules"]]
        if chosen["all_pairs"] and chosen["baseline"] is None and any(from_baseline):
            raise UsageError("the rule mentions a baseline, but --all-pairs has none; name one with --baseline")


def _check_forms(chosen: dict[str, Any]) -> None:
    if not chosen["compact"]:
        options.refuse(["caption", "label"], "it belongs to the table of --compact")
    if chosen["compact"] and (chosen["per_query"] or chosen["by"]):
        raise UsageError("--compact is a table of means; leave out --per-query and --by")
    if "junit" in {chosen["form"], *(form for form, _ in chosen["also"])} and not chosen["rules"]:
        raise UsageError("--format junit reports the rules of --fail-if; add one, or choose another format")


def _texts(chosen: dict[str, Any], queries: tuple[str, ...]) -> dict[str, str]:
    """Texts of the queries, where --queries has them."""
    if chosen["queries"] is None:
        return {}
    about = rankgauge.read_queries(chosen["queries"])
    return {query: text for query in queries if (text := about.text(query)) is not None}


def _only_with(used: set[str], because: str, chosen: dict[str, Any], about_forms: str) -> None:
    """Refuses the options that another way to compare has no use for."""
    names = (str(parameter.name) for parameter in click.get_current_context().command.params)
    options.refuse((name for name in names if name not in used | _OUTPUT), because)
    if chosen["form"] in {"junit", "comment"}:
        raise UsageError(f"--format {chosen['form']} {about_forms}; choose another format")


def _across(chosen: dict[str, Any]) -> None:
    """--collection NAME JUDGMENTS RUN…, twice or more."""
    _only_with(_ACROSS, "it is for one collection", chosen, "is for one collection")
    if chosen["judgments"] is not None:
        raise UsageError("put judgments and runs behind their --collection NAME, or leave --collection out")
    read = {}
    for words in chosen["collections"]:
        if len(words) < 3:
            raise UsageError(f"--collection {' '.join(words)}: a name, judgments and at least one run are needed")
        name, judgments, *runs = words
        if name in read:
            raise UsageError(f"two collections are called {name}; give each its own name")
        read[name] = inputs.judgments_from(judgments, chosen), inputs.runs_from(tuple(runs), chosen)
    with progress("comparing", chosen) as report:
        found = rankgauge.compare(
            collections=read,
            measures=chosen["measures"] or None,
            progress=report,
            **inputs.decisions_from(chosen),
            **options.picked(chosen, "baseline", "correction", "confidence", "equivalence"),
        )
    present(found, chosen)


def _without_judgments(chosen: dict[str, Any]) -> None:
    _only_with(_UNJUDGED, "it needs judgments or scores", chosen, "needs judgments")
    named = tuple(path for path in (chosen["judgments"], *chosen["runs"]) if path is not None)
    if len(named) != 2:
        raise UsageError(f"--no-judgments compares two runs, not {len(named)}\nName the old one, then the new one.")
    inputs.read_once(*named, chosen["only"], chosen["queries"])
    runs, only = inputs.runs_from(named, chosen), inputs.only_from(chosen)
    found = rankgauge.compare(None, runs, only=only, **options.picked(chosen, "cutoff", "depth"))
    everything = chosen["per_query"] or chosen["form"] == "csv"
    table = found.query_table(limit=None if everything else 10, texts=_texts(chosen, found.queries))
    present(found, chosen, table=table)
