"""rankgauge compare"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import deliver, present, progress, render, say
from rankgauge.errors import UsageError
from rankgauge.tables.table import Cell, Column, Table, number

if TYPE_CHECKING:
    from rankgauge.results import Comparison, Gate, PairDifferences, Slices

# Written out, so that --help loads no analysis; a test holds them against the analysis.
TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
SAMPLED_TESTS = ("sign-flip", "bootstrap", "randomised-tukey")
CORRECTIONS = ("holm", "bh", "max-t", "none")
INTERVALS = ("t", "bootstrap")
INTERVALS_FOR = ("verdict", "pair")
_SETTINGS = (
    *("baseline", "all_pairs", "test", "correction", "confidence"),
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
    "depth",
    "per_query",
}
"""What --no-judgments has a use for, beside the options of output."""
_OUTPUT = {"form", "decimals", "output", "quiet", "no_progress"}


@command(
    "rankgauge compare judgments.qrels runs/*.trec --baseline system-02",
    'rankgauge compare judgments.qrels runs/*.trec --fail-if "nDCG@10 < baseline"',
)
@inputs.source
@options.queries
@option(
    "Input",
    "--judge",
    metavar="FILE",
    help="A machine's judgments (scores, with --scores) of many queries, beside people's of some, drawn at random.",
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
@option("Output", "--per-query", is_flag=True, help="Print one row per query instead of one per pair; JSON has both.")
@options.output("junit")
def compare(judgments: str | None, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Test whether systems really differ from a baseline.

    With --fail-if the exit code is 1 if a rule is broken and 3 if more queries are needed to decide.
    """
    import rankgauge

    if chosen["no_judgments"]:
        _without_judgments((judgments, *runs), chosen)
        return
    _check(chosen)
    with progress("comparing", chosen) as report:
        found = rankgauge.compare(
            **inputs.scores_or_collection(judgments, runs, measures, chosen),
            **{name: chosen[name] for name in _SETTINGS},
            by=chosen["by"],
            queries=chosen["queries"] if chosen["by"] else None,
            judge=_judge(chosen),
            progress=report,
        )
    comparison = found if chosen["by"] is None else found.overall
    gate = comparison.gate(*chosen["rules"], ledger=chosen["ledger"]) if chosen["rules"] else None
    texts = _texts(chosen, comparison.queries)
    answer = Answer(
        comparison,
        None if chosen["by"] is None else found,
        gate,
        comparison.differences() if chosen["per_query"] else None,
        texts,
    )
    deliver(answer.rendered(chosen["form"], chosen["decimals"], quiet=chosen["quiet"]), chosen["output"])
    if gate is not None:
        if chosen["output"] is not None or chosen["form"] not in {"table", "md"}:
            for result in gate.rules:
                say(result.message)
        click.get_current_context().exit(gate.exit_code)


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
    if chosen["ledger"] is not None and not chosen["rules"]:
        raise UsageError("--sequential counts the looks of --fail-if; add a rule")
    if chosen["form"] == "junit" and not chosen["rules"]:
        raise UsageError("--format junit reports the rules of --fail-if; add one, or choose another format")
    if chosen["rules"]:
        from rankgauge.analysis.compare.gate import parse_rule

        from_baseline = [parse_rule(rule).from_baseline for rule in chosen["rules"]]
        if chosen["all_pairs"] and chosen["baseline"] is None and any(from_baseline):
            raise UsageError("the rule mentions a baseline, but --all-pairs has none; name one with --baseline")


def _texts(chosen: dict[str, Any], queries: Sequence[str]) -> dict[str, str]:
    """Texts of the queries, where --queries has them."""
    if chosen["queries"] is None:
        return {}
    from rankgauge import read_queries

    about = read_queries(chosen["queries"])
    return {query: text for query in queries if (text := about.text(query)) is not None}


def _without_judgments(paths: tuple[str | None, ...], chosen: dict[str, Any]) -> None:
    import rankgauge

    names = (str(parameter.name) for parameter in click.get_current_context().command.params)
    options.refuse((name for name in names if name not in _UNJUDGED | _OUTPUT), "it needs judgments or scores")
    if chosen["form"] == "junit":
        raise UsageError("--format junit reports the rules of --fail-if, which need judgments; choose another format")
    named = tuple(path for path in paths if path is not None)
    if len(named) != 2:
        raise UsageError(f"--no-judgments compares two runs, not {len(named)}\nName the old one, then the new one.")
    inputs.read_once(*named, chosen["only"], chosen["queries"])
    found = rankgauge.compare(
        None,
        inputs.runs_from(named, chosen["duplicates"], chosen["columns"]),
        only=inputs.only_from(chosen),
        cutoff=chosen["cutoff"],
        depth=chosen["depth"],
    )
    everything = chosen["per_query"] or chosen["form"] == "csv"
    table = found.query_table(limit=None if everything else 10, texts=_texts(chosen, found.queries))
    present(found, chosen, table=table)


@dataclass(frozen=True)
class Answer:
    """All that one command found; what was not asked for is None."""

    comparison: Comparison
    slices: Slices | None
    gate: Gate | None
    differences: tuple[PairDifferences, ...] | None
    texts: Mapping[str, str]

    def to_dict(self) -> dict[str, Any]:
        found: dict[str, Any] = self.comparison.to_dict()
        if self.slices is not None:
            found["by"] = self.slices.to_dict()
        if self.gate is not None:
            found["gate"] = self.gate.to_dict()
        if self.differences is not None:
            found["per_query"] = [_pair_dict(pair, self.texts) for pair in self.differences]
        return found

    def rendered(self, form: str, decimals: int | None, *, quiet: bool) -> str:
        if form == "junit" and self.gate is not None:
            from rankgauge.presentation.junit import junit_text

            return junit_text(self.gate, self.comparison.summary)
        if form == "table" and self.differences is None:
            return self._text(decimals, quiet=quiet)
        parts = [
            render(replace(table, notes=()) if quiet else table, self.to_dict, form, decimals)
            for table in self._tables(form)
        ]
        verdict = self._verdict(form)
        return "\n".join([verdict, *parts] if form == "md" and verdict else [*parts, verdict] if verdict else parts)

    def _tables(self, form: str) -> list[Table]:
        if self.differences is not None:
            notes = self.comparison.remarks()[1:] if form != "csv" else ()
            table = difference_table(self.differences, self.texts, self.comparison.summary, notes)
            return [replace(table, legend=(self.comparison.method,))]
        if form == "json":
            return [Table((), ())]
        if form != "csv":
            return [self.comparison.table(), *([self.slices.table()] if self.slices else [])]
        whole = self.comparison.wide_table()
        if self.slices is None:
            return [whole]
        part = self.slices.wide_table()
        return [replace(part, rows=(*(("", *row) for row in whole.rows), *part.rows))]

    def _text(self, decimals: int | None, *, quiet: bool) -> str:
        parts = [self.comparison.text(decimals, notes=not quiet)]
        if self.slices is not None:
            parts.append(self.slices.text(decimals, notes=not quiet))
        if self.gate is not None:
            parts.append(self._verdict("table").rstrip("\n"))
        return "\n\n".join(parts) + "\n"

    def _verdict(self, form: str) -> str:
        """The gate in words, for the forms that people read."""
        if self.gate is None or form not in {"table", "md"}:
            return ""
        from rankgauge.tables.markup import escape_markdown
        from rankgauge.tables.text import wrapped

        lines = []
        for result in self.gate.rules:
            if form == "md":
                lines += [f"**Gate: {escape_markdown(result.rule)}: {result.outcome}**", ""]
                lines += [*(f"- {escape_markdown(check.message)}" for check in result.checks), ""]
            else:
                lines += [wrapped(f"fail if {result.rule}: {result.outcome}")]
                lines += [wrapped(check.message) for check in result.checks]
        return "\n".join(lines).rstrip("\n") + "\n"


def difference_table(
    pairs: Sequence[PairDifferences], texts: Mapping[str, str], caption: str, notes: Sequence[str] = ()
) -> Table:
    """Query by query, from the worst loss to the best win; columns that would never change are left out."""
    varied = [len({getattr(pair, name) for pair in pairs}) > 1 for name in ("measure", "system", "baseline")]
    single = not any(varied[1:])
    heads = (pairs[0].system, pairs[0].baseline) if single else ("score", "other")
    names = [name for name, shown in zip(("measure", "system", "baseline"), varied, strict=True) if shown]
    columns = (
        *(Column(name) for name in [*names, "query", *(["text"] if texts else [])]),
        *(number(name) for name in heads),
        number("difference", signed=True),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        about = [getattr(pair, name) for name in names]
        for one in pair.per_query:
            words = [texts.get(one.query, "")] if texts else []
            rows.append((*about, one.query, *words, one.system, one.baseline, one.difference))
    return Table(columns, tuple(rows), caption, tuple(notes))


def _pair_dict(pair: PairDifferences, texts: Mapping[str, str]) -> dict[str, Any]:
    queries = [
        {**one.to_dict(), **({"text": texts[one.query]} if one.query in texts else {})} for one in pair.per_query
    ]
    return {"measure": pair.measure, "system": pair.system, "baseline": pair.baseline, "queries": queries}
