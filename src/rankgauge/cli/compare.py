"""rankgauge compare"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import options, scores
from rankgauge.cli.options import Command
from rankgauge.cli.output import deliver, progress, render
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge.analysis.comparison.gate import Rule
    from rankgauge.cli.compare_output import Answer
    from rankgauge.data.queries import Queries

# Written out, so that --help loads no analysis; a test holds them against the analysis.
TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
CORRECTIONS = ("holm", "bh", "none")
INTERVALS = ("t", "bootstrap")
_SETTINGS = (
    *("baseline", "all_pairs", "test", "correction", "confidence"),
    *("seed", "equivalence", "samples", "interval"),
)
_UNJUDGED = frozenset(
    {"judgments", "runs", "no_judgments", "cutoff", "queries", "only", "duplicates", "depth", "per_query"}
)
"""What --no-judgments has a use for, beside the options of output."""
_OUTPUT = frozenset({"form", "decimals", "output", "quiet", "no_progress"})


def question(command: Command) -> Command:
    """What is compared with what, by which test."""
    for decorate in reversed(
        [
            click.option("--baseline", metavar="NAME", help="The system to compare with. [default: the first]"),
            click.option("--all-pairs", is_flag=True, help="Compare every two systems."),
            click.option(
                "--test", type=click.Choice(TESTS), default="sign-flip", show_default=True, help="How p is made."
            ),
            click.option(
                "--correction",
                type=click.Choice(CORRECTIONS),
                default="holm",
                show_default=True,
                help="For many comparisons at once.",
            ),
            click.option(
                "--equivalence", type=float, metavar="MARGIN", help="Smaller differences count as equally good."
            ),
            click.option("--samples", type=int, help="Sign flips, resamples or deals. [default: 10,000 or more]"),
            options.seed,
            click.option(
                "--interval",
                type=click.Choice(INTERVALS),
                default="t",
                show_default=True,
                help="How intervals are made.",
            ),
            options.confidence,
        ]
    ):
        command = decorate(command)
    return command


@click.command()
@scores.source
@question
@click.option("--queries", metavar="FILE", help="Words of the queries, and columns for --by.")
@click.option("--by", metavar="COLUMN", help="Compare again for every value of this column of --queries.")
@click.option(
    "--fail-if",
    "rules",
    multiple=True,
    metavar="RULE",
    help='As in "nDCG@10 < baseline - 0.01": exit 1 if so, 3 if these queries cannot tell. May be repeated.',
)
@click.option("--per-query", is_flag=True, help="One row per query instead of one per pair; json has both.")
@click.option("--no-judgments", is_flag=True, help="Two runs and no judgments: what changed for the users?")
@click.option(
    "--cutoff", type=click.IntRange(min=1), help="With --no-judgments: how many documents users see. [default: 10]"
)
@options.policy
@options.output("junit")
def compare(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Is the difference real? Systems against a baseline, or all pairs, on the same queries.

    Exit code: 0, and with --fail-if 1 when a rule is broken, 3 when more queries are needed to tell.
    """
    if chosen["no_judgments"]:
        _without_judgments((judgments, *runs), chosen)
        return
    if chosen["cutoff"] is not None:
        raise UsageError("--cutoff is about --no-judgments\nWith judgments the measure has it: -m nDCG@10.")
    answer = _answer(judgments, runs, measures, chosen)
    deliver(answer.rendered(chosen["form"], chosen["decimals"], quiet=chosen["quiet"]), chosen["output"])
    if answer.gate is None:
        return
    if chosen["output"] is not None or chosen["form"] not in {"table", "md"}:
        for result in answer.gate.rules:
            click.echo(result.message, err=True)
    click.get_current_context().exit(answer.gate.exit_code)


def _answer(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], chosen: dict[str, Any]) -> Answer:
    from rankgauge.analysis.comparison.gate import gate
    from rankgauge.analysis.comparison.scores import compare as compare_scores
    from rankgauge.analysis.comparison.scores import compare_by, differences_by_query
    from rankgauge.cli.compare_output import Answer

    about, rules = _queries(chosen), _rules(chosen)
    labels = about.column(chosen["by"]) if chosen["by"] is not None and about is not None else None
    table = scores.scores_from(judgments, runs, measures, chosen)
    for rule in rules:
        rule.fitted([str(measure) for measure in table.measures])
    settings = {name: chosen[name] for name in _SETTINGS}
    shown = not (chosen["quiet"] or chosen["no_progress"])
    with progress("comparing", shown=shown) as report:
        found = compare_scores(table, **settings, progress=report)
    parts = None
    if labels is not None:
        with progress(f"by {chosen['by']}", shown=shown) as report:
            parts = compare_by(table, chosen["by"], labels, **settings, progress=report)
    return Answer(
        found,
        parts,
        gate(found, *rules) if rules else None,
        differences_by_query(table, found) if chosen["per_query"] else None,
        _texts(about, table.queries),
    )


def _rules(chosen: dict[str, Any]) -> Sequence[Rule]:
    from rankgauge.analysis.comparison.gate import parse_rule

    rules = [parse_rule(text) for text in chosen["rules"]]
    if chosen["form"] == "junit" and not rules:
        raise UsageError("junit reports whether a rule was kept\nGive one with --fail-if, or take another format.")
    if chosen["all_pairs"] and chosen["baseline"] is None and any(rule.from_baseline for rule in rules):
        raise UsageError("the rule speaks of a baseline, and --all-pairs has none\nName one with --baseline.")
    return rules


def _queries(chosen: dict[str, Any]) -> Queries | None:
    if chosen["by"] is not None:
        if chosen["queries"] is None:
            raise UsageError(f"--by {chosen['by']} needs the file that has this column\nName it with --queries FILE.")
        if chosen["per_query"]:
            raise UsageError("--per-query and --by cannot be shown together\nLeave one of them out.")
    if chosen["queries"] is None:
        return None
    from rankgauge.data.queries import read_queries

    return read_queries(chosen["queries"])


def _texts(about: Queries | None, queries: Sequence[str]) -> dict[str, str]:
    found = {} if about is None else {query: about.text(query) for query in queries}
    return {query: text for query, text in found.items() if text is not None}


def _without_judgments(paths: tuple[str | None, ...], chosen: dict[str, Any]) -> None:
    from rankgauge.analysis.comparison.churn import churn
    from rankgauge.data.ranked import document_lists

    for parameter in click.get_current_context().command.params:
        name = str(parameter.name)
        if name not in _UNJUDGED | _OUTPUT and _is_given(name):
            raise UsageError(f"{parameter.opts[0]} needs judgments or scores\nLeave it out, or --no-judgments.")
    if chosen["form"] == "junit":
        raise UsageError("junit reports whether a rule was kept, and a rule needs judgments\nTake another format.")
    named = tuple(path for path in paths if path is not None)
    if len(named) != 2:
        raise UsageError(f"--no-judgments compares two runs, not {len(named)}\nName the old one, then the new one.")
    listed = options.runs_from(named, chosen["duplicates"])
    before, after = _chosen_lists([document_lists(run, chosen["depth"]) for run in listed], chosen["only"])
    found = churn(before, after, cutoff=chosen["cutoff"] or 10)
    about = _queries(chosen)
    texts = _texts(about, [one.query for one in found.per_query])
    everything = chosen["per_query"] or chosen["form"] == "csv"
    table = found.query_table(limit=None if everything else 10, texts=texts)
    if chosen["quiet"]:
        table = replace(table, notes=())
    deliver(render(table, found.to_dict, chosen["form"], chosen["decimals"]), chosen["output"])


def _is_given(name: str) -> bool:
    return click.get_current_context().get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE


def _chosen_lists(lists: list[dict[str, list[str]]], only: str | None) -> list[dict[str, list[str]]]:
    if only is None:
        return lists
    from rankgauge.data.selection import chosen_queries

    wanted = chosen_queries(only)
    absent = [query for query in wanted if not any(query in one for one in lists)]
    if absent:
        raise UsageError(f"--only: neither run has query {absent[0]!r}" + (" and others" if len(absent) > 1 else ""))
    return [{query: documents for query, documents in one.items() if query in set(wanted)} for one in lists]
