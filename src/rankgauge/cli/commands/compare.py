"""rankgauge compare"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.answer import Answer, Paper
from rankgauge.cli.help import command, option
from rankgauge.cli.output import present, progress, say
from rankgauge.errors import UsageError

# Written out, so that --help loads no analysis; a test holds them against the analysis.
TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
SAMPLED_TESTS = ("sign-flip", "bootstrap", "randomised-tukey")
CORRECTIONS = ("holm", "bh", "max-t", "none")
INTERVALS = ("t", "bootstrap")
FORMS = (*options.FORMATS[1:], "junit", "comment", "html")
_CODES = {"exit": 3, "pass": 0, "warn": 0, "fail": 1}
INTERVALS_FOR = ("verdict", "pair")
CORRECTED_WITHIN = ("all", "measure")
_SETTINGS = (
    *("baseline", "all_pairs", "test", "correction", "correction_within", "confidence"),
    *("seed", "equivalence", "samples", "interval", "interval_for"),
)
_UNJUDGED = {
    "judgments",
    "runs",
    "no_judgments",
    "cutoff",
    "queries",
    "only",
    "duplicates",
    "columns",
    "names",
    "depth",
    "per_query",
}
"""What --no-judgments has a use for, beside the options of output."""
_ACROSS = {
    *(
        "collections",
        "measures",
        "only",
        "duplicates",
        "columns",
        "complete",
        "names",
        *options.POLICY,
        "further",
        "like",
    ),
    *("baseline", "correction", "confidence", "equivalence"),
}
"""What --collection has a use for."""
_OUTPUT = {"form", "decimals", "output", "quiet", "no_progress", "notes"}


def _outputs(context: click.Context, parameter: click.Parameter, given: tuple[str, ...]) -> list[tuple[str, str]]:
    """FORM=FILE"""
    pairs = [text.partition("=")[::2] for text in given]
    for form, path in pairs:
        if form not in FORMS or not path:
            words = f"{form}={path} is not FORM=FILE with a form of {', '.join(FORMS)}"
            raise click.BadParameter(words, context, parameter)
    return pairs


@command(
    "rankgauge compare judgments.qrels runs/*.trec --baseline system-02",
    'rankgauge compare judgments.qrels runs/*.trec --fail-if "nDCG@10 < baseline"',
)
@inputs.source
@options.complete
@options.names
@options.queries
@option(
    "Input",
    "--judge",
    metavar="FILE",
    help="A machine's judgments (scores, with --scores) of many queries, beside people's of some, drawn at random.",
)
@option(
    "Input",
    "--collection",
    "collections",
    multiple=True,
    greedy=True,
    metavar="NAME JUDGMENTS RUN...",
    help="Compare on several collections, each after its own --collection; runs of one system have the same name.",
)
@option("Input", "--no-judgments", is_flag=True, help="Compare two runs without judgments: what changed for users?")
@option(
    "Input",
    "--cutoff",
    type=click.IntRange(min=1),
    help="With --no-judgments: number of documents that users see. [default: 10]",
)
@options.policy
@options.baseline
@option("Statistics", "--all-pairs", is_flag=True, help="Compare every pair of systems.")
@option(
    "Statistics",
    "--test",
    type=click.Choice(TESTS),
    help="Significance test. [default: sign-flip; with --judge: t]",
)
@option(
    "Statistics",
    "--correction",
    type=click.Choice(CORRECTIONS),
    default="holm",
    show_default=True,
    help="Correction for multiple comparisons.",
)
@option(
    "Statistics",
    "--correction-within",
    type=click.Choice(CORRECTED_WITHIN),
    default="all",
    show_default=True,
    help="Correct over all measures together, or over the pairs of each measure.",
)
@option(
    "Statistics",
    "--equivalence",
    type=float,
    metavar="MARGIN",
    help="Call systems equivalent if they differ by less than this.",
)
@options.samples("[default: as many as the verdicts need]")
@options.seed
@option(
    "Statistics",
    "--interval",
    type=click.Choice(INTERVALS),
    default="t",
    show_default=True,
    help="Method for confidence intervals.",
)
@option(
    "Statistics",
    "--interval-for",
    type=click.Choice(INTERVALS_FOR),
    default="verdict",
    show_default=True,
    help="Intervals at the level that decides the verdict, or of each pair alone.",
)
@options.confidence
@option("Statistics", "--by", metavar="COLUMN", help="Compare also for each value of this column of --queries.")
@option(
    "Statistics",
    "--fail-if",
    "rules",
    multiple=True,
    metavar="RULE",
    help='Exit with 1 if this holds, as in "nDCG@10 < baseline - 0.01", or 3 if more queries are needed. Repeatable.',
)
@option(
    "Statistics",
    "--sequential",
    "ledger",
    type=click.Path(dir_okay=False),
    metavar="LEDGER",
    help="With --fail-if, on every commit: count the looks in this file, so that false alarms stay rare over all.",
)
@option(
    "Statistics",
    "--undecided",
    type=click.Choice(["exit", "pass", "warn", "fail"]),
    default="exit",
    show_default=True,
    help="What an undecided rule of --fail-if does: exit with 3, pass, pass with a warning, or fail.",
)
@option("Output", "--compact", is_flag=True, help="Print systems by measures, as in a paper: best in bold, marks.")
@option("Output", "--caption", help="Caption of the table of --compact.")
@option("Output", "--label", help="LaTeX label of the table of --compact.")
@option(
    "Output",
    "--also",
    multiple=True,
    metavar="FORM=FILE",
    callback=_outputs,
    help="Write another form as well, as in junit=gate.xml, comment=comment.md or html=page.html. Repeatable.",
)
@option(
    "Statistics",
    "--bayes",
    is_flag=True,
    help="Say how likely each system is better, or better by the margin of --equivalence; noisy differences shrink.",
)
@option("Statistics", "--robust", is_flag=True, help="Say for each pair whether every gain and discount agrees.")
@option(
    "Output", "--notes", is_flag=True, help="Print every note on a terminal, not only those that may change a number."
)
@option("Output", "--per-query", is_flag=True, help="Print one row per query instead of one per pair; JSON has both.")
@options.output("junit", "comment")
def compare(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Test whether systems really differ from a baseline.

    With --fail-if the exit code is 1 if a rule is broken and 3 if more queries are needed to decide.
    """
    import rankgauge

    if chosen["collections"]:
        _across((judgments, *runs), measures, chosen)
        return
    if chosen["no_judgments"]:
        _without_judgments((judgments, *runs), chosen)
        return
    _check(chosen)
    with progress("comparing", chosen) as report:
        found = rankgauge.compare(
            **inputs.scores_or_collection(judgments, runs, measures, {**chosen, "beside": True}),
            **{name: chosen[name] for name in _SETTINGS},
            by=chosen["by"],
            robust=chosen["robust"],
            bayes=chosen["bayes"],
            queries=chosen["queries"] if chosen["by"] else None,
            judge=_judge(chosen),
            progress=report,
        )
    comparison = found if chosen["by"] is None else found.overall
    if chosen["per_query"] and len(comparison.scores.systems) == 1:
        raise UsageError("--per-query shows the differences of two systems, and there is one; add another run")
    gate = comparison.gate(*chosen["rules"], ledger=chosen["ledger"]) if chosen["rules"] else None
    texts = _texts(chosen, comparison.queries)
    answer = Answer(
        comparison,
        None if chosen["by"] is None else found,
        gate,
        comparison.differences() if chosen["per_query"] else None,
        texts,
        Paper(chosen["caption"], chosen["label"]) if chosen["compact"] else None,
        every_note=chosen["notes"],
    )
    for form, path in [*chosen["also"], (chosen["form"], chosen["output"])]:
        answer.write(form, path, chosen["decimals"], quiet=chosen["quiet"])
    if gate is not None:
        if chosen["output"] is not None or chosen["form"] not in {"table", "md", "comment"}:
            for result in gate.rules:
                say(result.message)
        if gate.outcome == "undecided" and chosen["undecided"] == "warn":
            say("warning: undecided, and let pass because of --undecided warn")
        click.get_current_context().exit(_CODES[chosen["undecided"]] if gate.outcome == "undecided" else gate.exit_code)


def _judge(chosen: dict[str, Any]) -> Any:
    """The other judge: judgments beside judgments, scores beside scores."""
    if chosen["judge"] is None or chosen["scores"] is not None:
        return chosen["judge"]
    return inputs.judgments_from(chosen["judge"], chosen["duplicates"], chosen["columns"])


def _check(chosen: dict[str, Any]) -> None:
    """Options without effect, or that do not go together."""
    options.refuse(["cutoff"], "it is for --no-judgments\nWith judgments the measure has it, as in -m nDCG@10.")
    test = chosen["test"] or ("t" if chosen["judge"] else "sign-flip")
    if test not in SAMPLED_TESTS:
        options.refuse(["samples"], f"the {test} test draws no samples")
    if chosen["by"] is None and not chosen["per_query"]:
        options.refuse(["queries"], "only --by and --per-query use it")
    if chosen["by"] is not None:
        if chosen["queries"] is None:
            raise UsageError(f"--by {chosen['by']} needs --queries FILE, the file with this column")
        if chosen["per_query"]:
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


def _texts(chosen: dict[str, Any], queries: Sequence[str]) -> dict[str, str]:
    """Texts of the queries, where --queries has them."""
    if chosen["queries"] is None:
        return {}
    from rankgauge import read_queries

    about = read_queries(chosen["queries"])
    return {query: text for query in queries if (text := about.text(query)) is not None}


def _across(paths: tuple[str | None, ...], measures: tuple[str, ...], chosen: dict[str, Any]) -> None:
    """--collection NAME JUDGMENTS RUN…, twice or more."""
    import rankgauge

    names = (str(parameter.name) for parameter in click.get_current_context().command.params)
    options.refuse((name for name in names if name not in _ACROSS | _OUTPUT), "it is for one collection")
    if any(path is not None for path in paths):
        raise UsageError("put judgments and runs behind their --collection NAME, or leave --collection out")
    if chosen["form"] in {"junit", "comment"}:
        raise UsageError(f"--format {chosen['form']} is for one collection; choose another format")
    read = {}
    for words in chosen["collections"]:
        if len(words) < 3:
            raise UsageError(f"--collection {' '.join(words)}: a name, judgments and at least one run are needed")
        name, judgments, *runs = words
        if name in read:
            raise UsageError(f"two collections are called {name}; give each its own name")
        judged = inputs.judgments_from(judgments, chosen["duplicates"], chosen["columns"], complete=chosen["complete"])
        read[name] = (judged, inputs.runs_from(tuple(runs), chosen["duplicates"], chosen["columns"], chosen["names"]))
    settings = {name: chosen[name] for name in ("baseline", "correction", "confidence", "equivalence", "like")}
    with progress("comparing", chosen) as report:
        found = rankgauge.compare(
            collections=read,
            measures=measures or None,
            policy=options.policy_from(chosen),
            only=inputs.only_from(chosen),
            progress=report,
            **settings,
        )
    present(found, chosen)


def _without_judgments(paths: tuple[str | None, ...], chosen: dict[str, Any]) -> None:
    import rankgauge

    names = (str(parameter.name) for parameter in click.get_current_context().command.params)
    options.refuse((name for name in names if name not in _UNJUDGED | _OUTPUT), "it needs judgments or scores")
    if chosen["form"] in {"junit", "comment"}:
        raise UsageError(f"--format {chosen['form']} needs judgments; choose another format")
    named = tuple(path for path in paths if path is not None)
    if len(named) != 2:
        raise UsageError(f"--no-judgments compares two runs, not {len(named)}\nName the old one, then the new one.")
    inputs.read_once(*named, chosen["only"], chosen["queries"])
    found = rankgauge.compare(
        None,
        inputs.runs_from(named, chosen["duplicates"], chosen["columns"], chosen["names"]),
        only=inputs.only_from(chosen),
        cutoff=chosen["cutoff"],
        depth=chosen["depth"],
    )
    everything = chosen["per_query"] or chosen["form"] == "csv"
    table = found.query_table(limit=None if everything else 10, texts=_texts(chosen, found.queries))
    present(found, chosen, table=table)
