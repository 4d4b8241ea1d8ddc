"""rankgauge judges"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, option
from rankgauge.cli.output import deliver, present, progress

if TYPE_CHECKING:
    from rankgauge import Judgments

# As in `compare`; a test holds them against the analysis.
TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
CORRECTIONS = ("holm", "bh", "none")


@command(
    "rankgauge judges judgments.qrels runs/*.trec --judge llm.qrels",
    "rankgauge judges judgments.qrels --judge llm.qrels --rel 2",
)
@click.argument("judgments")
@click.argument("runs", nargs=-1, metavar="[RUN...]")
@option(
    "Input",
    "--judge",
    "judge",
    multiple=True,
    required=True,
    metavar="[NAME=]FILE",
    help="Judgments to hold against JUDGMENTS. Repeatable.",
)
@options.measures
@options.only
@options.duplicates
@options.columns
@option("Input", "--common", is_flag=True, help="Use only the documents that all judges have.")
@option(
    "Input",
    "--grades",
    multiple=True,
    metavar="LIST",
    callback=options.number_list(float),
    help="The scale, as in 0,1,2,3. [default: the grades that occur]",
)
@options.graded_policy
@options.further
@option(
    "Policy",
    "--rel",
    type=float,
    help="Compare labels as 'at least this or not'; also the lowest value of a relevant document, for binary measures.",
)
@option(
    "Statistics",
    "--baseline",
    "against",
    metavar="NAME",
    help="Compare systems with this one only. [default: all pairs]",
)
@option(
    "Statistics",
    "--test",
    type=click.Choice(TESTS),
    default="t",
    show_default=True,
    help="Significance test of the verdicts.",
)
@option(
    "Statistics",
    "--correction",
    type=click.Choice(CORRECTIONS),
    default="none",
    show_default=True,
    help="Correction for multiple comparisons.",
)
@options.confidence
@options.seed
@options.output()
def judges(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Check whether judges agree and whether it matters.

    Without runs, labels are compared. With runs, also the order of the systems and the verdicts under each judge.
    """
    import rankgauge

    inputs.read_once(judgments, *runs, *chosen["judge"], chosen["only"])
    if not runs:
        about_runs = ("measures", "against", "test", "correction", "seed", *options.POLICY[:-1], "like")
        options.refuse(about_runs, "it is about runs, and none are given")
    listed = inputs.runs_from(runs, chosen["duplicates"], chosen["columns"]) if runs else None
    with progress("judging", chosen) as report:
        found = rankgauge.judges(
            inputs.judgments_from(judgments, chosen["duplicates"], chosen["columns"]),
            _named(chosen["judge"], chosen),
            listed,
            measures or None,
            policy=options.policy_from(chosen | {"rel": None}) if runs else None,
            only=inputs.only_from(chosen),
            grades=chosen["grades"] or None,
            baseline=chosen["against"],
            progress=report,
            **{name: chosen[name] for name in ("like", "test", "correction", "confidence", "seed", "rel", "common")},
        )
    if chosen["form"] == "table":
        deliver(found.text(chosen["decimals"], notes=not chosen["quiet"]) + "\n", chosen["output"])
    else:
        present(found, chosen)


def _named(files: tuple[str, ...], chosen: dict[str, Any]) -> list[Judgments] | dict[str, Judgments]:
    """Judgments under the names given; all by their files' names where none is."""
    split = [options.split_name(file) for file in files]
    read = [inputs.judgments_from(path, chosen["duplicates"], chosen["columns"]) for _, path in split]
    if not any(name for name, _ in split):
        return read
    from rankgauge.errors import UsageError

    names = [name or path for name, path in split]
    if len(set(names)) < len(names):
        raise UsageError("two judges have the same name; give each another one, as in NAME=FILE")
    return dict(zip(names, read, strict=True))
