"""rankgauge judges"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import rankgauge
from rankgauge import verbs
from rankgauge.cli import inputs, options
from rankgauge.cli.help import command, input_option, of, policy_option, statistics_option
from rankgauge.cli.output import present, progress
from rankgauge.errors import UsageError

if TYPE_CHECKING:
    from rankgauge import Judgments


@command(
    "rankgauge judges judgments.qrels runs/*.trec --judge llm.qrels",
    "rankgauge judges judgments.qrels --judge llm.qrels --rel 2",
)
@options.optional_runs
@input_option("--judge [NAME=]FILE", "Judgments to compare with JUDGMENTS. Repeatable.", multiple=True, required=True)
@options.measures
@options.only
@options.duplicates
@options.columns
@input_option("--common", "Use only the documents that all judges have.", bool)
@input_option(
    "--grades LIST",
    "The scale, as in 0,1,2,3. [default: the grades that occur]",
    multiple=True,
    callback=options.number_list(float),
)
@options.graded_policy
@policy_option(
    "--rel",
    "Compare labels as 'at least this or not'; also the lowest value of a relevant document, for binary measures.",
    float,
)
@statistics_option("--baseline NAME", "Compare systems with this one only. [default: all pairs]", into="against")
@statistics_option("--test", "Significance test of the verdicts.", of(verbs.judges, "test"), default="t")
@statistics_option("--correction", "Correction for multiple comparisons.", ("holm", "bh", "none"), default="none")
@options.confidence
@options.seed
@options.output()
def judges(judgments: str, runs: tuple[str, ...], measures: tuple[str, ...], **chosen: Any) -> None:
    """Check whether judges agree and whether it matters.

    Without runs, labels are compared. With runs, also the order of the systems and the verdicts under each judge.
    """
    inputs.read_once(judgments, *runs, *chosen["judge"], chosen["only"])
    if not runs:
        about_runs = ("measures", "against", "test", "correction", "seed", *options.POLICY[:-1], "like")
        options.refuse(about_runs, "it is about runs, and none are given")
    with progress("judging", chosen) as report:
        found = rankgauge.judges(
            inputs.judgments_from(judgments, chosen),
            _named(chosen),
            inputs.runs_from(runs, chosen) if runs else None,
            measures or None,
            policy=options.policy_from(chosen | {"rel": None}) if runs else None,
            only=inputs.only_from(chosen),
            grades=chosen["grades"] or None,
            baseline=chosen["against"],
            progress=report,
            **options.picked(chosen, "like", "test", "correction", "confidence", "seed", "rel", "common"),
        )
    present(found, chosen, text=lambda: found.text(chosen["decimals"], notes=not chosen["quiet"]))


def _named(chosen: dict[str, Any]) -> list[Judgments] | dict[str, Judgments]:
    """Judgments under the names given; all by their files' names where none is."""
    split = [options.split_name(file) for file in chosen["judge"]]
    read = [inputs.judgments_from(path, chosen) for _, path in split]
    if not any(name for name, _ in split):
        return read
    names = [name or path for name, path in split]
    if len(set(names)) < len(names):
        raise UsageError("two judges have the same name; give each another one, as in NAME=FILE")
    return dict(zip(names, read, strict=True))
