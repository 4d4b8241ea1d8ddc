"""How the numbers were computed: policy, test, seed, version, and the commands that print them again."""

from __future__ import annotations

import html
import shlex

import rankgauge
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report.material import MOST_SYSTEMS, Material
from rankgauge.presentation.report.page import LONGEST_TEXT, Section
from rankgauge.tables.table import shortened

LONGEST_COMMAND = 20_000


def making_section(material: Material) -> Section:
    scores, comparison = material.scores, material.comparison
    facts = [
        ("systems", f"{len(scores.systems):,}"),
        ("queries", f"{len(scores.queries):,}"),
        ("measures", ", ".join(map(str, scores.measures))),
        ("policy", scores.remarks()[0].removeprefix("policy: ")),
    ]
    if comparison is not None:
        samples = "–" if comparison.samples is None else f"{comparison.samples:,}"
        if comparison.finer_samples and comparison.finer_samples != comparison.samples:
            samples += f"; {comparison.finer_samples:,} near the significance level"
        level = f"{100 * comparison.confidence:g}%"
        facts += [
            ("test", f"{comparison.test}, correction {comparison.correction}, confidence {level}"),
            ("intervals", comparison.remarks()[0].rpartition("; ")[2].removesuffix(".")),
            ("samples", samples),
        ]
    facts += [("seed", str(material.settings.seed)), ("version", f"rankgauge {rankgauge.__version__}")]
    rows = "".join(
        f'<tr><th align="left">{html.escape(name)}</th><td>{html.escape(shortened(value, LONGEST_TEXT))}</td></tr>'
        for name, value in facts
    )
    body = f'<div class="scroll"><table class="facts" cellpadding="4"><tbody>{rows}</tbody></table></div>'
    return Section("making", "How these numbers were computed", "", (body + _commands(material),))


def _commands(material: Material) -> str:
    """The command that wrote this page, and those that print its numbers; only where a command wrote it."""
    command = material.settings.command
    if not command:
        return ""
    own = html.escape(shortened(command, LONGEST_COMMAND))
    lines = "".join(f"<li><code>{html.escape(line)}</code></li>" for line in same_numbers(material))
    hint = (
        "Commands that print the same numbers; add the judgments, runs, policy options and --only of the command above:"
    )
    return f'<p class="command"><code>{own}</code></p><p class="hint">{hint}</p><ul>{lines}</ul>'


def same_numbers(material: Material) -> list[str]:
    """Commands whose output has the numbers of the page; JUDGMENTS and RUN... are those of the page's own command."""
    asked = _measures(material.scores)
    lines = [f"rankgauge evaluate JUDGMENTS RUN... {asked}"]
    if material.comparison is not None:
        found = material.comparison
        baseline = "" if found.baseline is None else f" --baseline {shlex.quote(found.baseline)}"
        lines.append(
            f"rankgauge compare JUDGMENTS RUN... {asked}{baseline} --confidence {found.confidence:g} --seed {found.seed}"
        )
    if material.stability is not None:
        lines.append(f"rankgauge stability JUDGMENTS RUN... {asked} --confidence {material.settings.confidence:g}")
    if material.discrimination is not None:
        curves = material.discrimination
        names = shlex.quote(" ".join(one.measure for one in curves.parts))
        top = f" --top {MOST_SYSTEMS}" if len(curves.systems) < len(material.scores.systems) else ""
        lines.append(f"rankgauge discriminate JUDGMENTS RUN... -m {names}{top} --seed {curves.seed}")
    if material.agreement is not None and material.variants is not None:
        lines.append(f"rankgauge agreement JUDGMENTS RUN... {_measures(material.variants)}")
    return [shortened(line, 2_000) for line in lines]


def _measures(scores: Scores) -> str:
    return "-m " + shlex.quote(" ".join(map(str, scores.measures)))
