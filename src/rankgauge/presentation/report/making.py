"""How the numbers were computed: method, files, and the commands that print them again."""

from __future__ import annotations

import hashlib
import html
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import rankgauge
from rankgauge.analysis.compare.result import Comparison
from rankgauge.analysis.compare.tables import percent
from rankgauge.data.read.bytes import system_name
from rankgauge.errors import plural
from rankgauge.evaluation.means import remarks
from rankgauge.evaluation.scores import Scores
from rankgauge.presentation.report.leaderboard import together
from rankgauge.presentation.report.material import MOST_SYSTEMS, Material
from rankgauge.presentation.report.page import LONGEST_TEXT, Section, fact_row, scrolled
from rankgauge.tables.notes import shortened

LONGEST_COMMAND = 20_000


def making_section(material: Material) -> Section:
    scores, comparison = material.scores, material.comparison
    facts = [
        ("systems", f"{len(scores.systems):,}"),
        (material.queries, f"{len(scores.queries):,}"),
        ("measures", ", ".join(map(str, scores.measures))),
        ("policy", remarks(scores)[0].removeprefix("policy: ")),
    ]
    if comparison is not None:
        facts += _tests(comparison)
    facts += [("seed", str(material.settings.seed)), ("version", f"rankgauge {rankgauge.__version__}")]
    rows = (fact_row(name, html.escape(shortened(value, LONGEST_TEXT))) for name, value in facts)
    cite = f'<h3>To cite</h3><p class="cite">{html.escape(citation(material))}</p>'
    files = Files(material.files, scores.systems, material.settings.folder)
    parts = (scrolled("facts", "", rows), cite, _commands(material, files), _hashes(files))
    return Section("making", "How these numbers were computed", [part for part in parts if part], label="Method")


def _tests(comparison: Comparison) -> list[tuple[str, str]]:
    samples = f"{comparison.samples or 0:,}"
    if comparison.finer_samples and comparison.finer_samples != comparison.samples:
        samples += f"; {comparison.finer_samples:,} near the significance level"
    level = f"{100 * comparison.confidence:g}%"
    return [
        ("test", f"{comparison.test}, correction {comparison.correction}, confidence {level}"),
        ("intervals", next(part for part in comparison.method.rstrip(".").split("; ") if " interval" in part)),
        *([("samples", samples)] if comparison.samples is not None else []),
    ]


def citation(material: Material) -> str:
    """A sentence for the section on methods of a paper."""
    scores, found = material.scores, material.comparison
    measures = ", ".join(map(str, scores.measures))
    queries, version = plural(len(scores.queries), material.query), f"rankgauge {rankgauge.__version__}"
    if found is None:
        return f"{measures} on {queries}, computed with {version}."
    pairs = sum(len(part.pairs) for part in found.parts)
    by = {"holm": "Holm's correction, ", "bh": "Benjamini-Hochberg correction, ", "max-t": "max-t correction, "}
    adjusted = by.get(found.correction, "unadjusted, ")
    simultaneous = "simultaneous " if together(found) else ""
    return (
        f"{measures} on {queries}, {plural(pairs, 'comparison')} by the {found.test} test ({adjusted if pairs > 1 else ''}α = "
        f"{1 - found.confidence:.2g}), with {simultaneous}{percent(found.interval_confidence)} intervals of differences; {version}."
    )


def _commands(material: Material, files: Files) -> str:
    """The command that wrote this page, and those that print its numbers; only where a command wrote it."""
    command = material.settings.command
    if not command:
        return ""
    own = html.escape(shortened(files.portable(command), LONGEST_COMMAND))
    lines = "".join(
        f"<li><code>{html.escape(line.replace('JUDGMENTS RUN...', files.words()))}</code></li>"
        for line in same_numbers(material)
    )
    hint = (
        "Run in the folder of this page. These print the same numbers; add the policy options and --only of the first:"
    )
    return (
        f'<div class="commands"><h3>Commands</h3><p class="command"><code>{own}</code></p>'
        f'<p class="hint">{hint}</p><ul>{lines}</ul></div>'
    )


def _hashes(files: Files) -> str:
    if not files.known:
        return ""
    rows = (fact_row(shortened(name, 200), f"<code>{digest}</code>") for name, digest in files.hashes())
    table = scrolled("hashes", "", rows)
    return f'<details class="files"><summary>Files and their SHA-256</summary>{table}</details>'


def same_numbers(material: Material) -> list[str]:
    """Commands whose output has the numbers of the page; JUDGMENTS and RUN... are those of the page's own command."""
    asked = _measures(material.scores)
    lines = [f"rankgauge evaluate JUDGMENTS RUN... {asked}"]
    if material.comparison is not None:
        found = material.comparison
        baseline = " --all-pairs" if found.baseline is None else f" --baseline {shlex.quote(found.baseline)}"
        margin = "" if found.equivalence is None else f" --equivalence {found.equivalence:g}"
        lines.append(
            f"rankgauge compare JUDGMENTS RUN... {asked}{baseline}{margin} --confidence {found.confidence:g} --seed {found.seed}"
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


@dataclass(frozen=True)
class Files:
    """Judgments and runs; `known` is empty where something was given in memory."""

    known: Sequence[str]
    systems: Sequence[str]
    folder: Path

    def words(self) -> str:
        """Judgments and runs as a shell takes them; placeholders where the files are unknown."""
        return f"{shlex.quote(self._seen(self.known[0]))} {self._runs()}" if self.known else "JUDGMENTS RUN..."

    def portable(self, command: str) -> str:
        """The same command with paths as seen from the folder, and runs of one folder as a pattern."""
        if not self.known:
            return command
        words = shlex.split(command)
        places = [at for at, word in enumerate(words) if _without_name(word) in self.known]
        kept = [self._seen(word) if Path(word).is_absolute() else word for word in words]
        last = max(places, default=0)
        if places and places == list(range(2, last + 1)):
            return f"{shlex.join(kept[:2])} {self.words()} {shlex.join(kept[last + 1 :])}".rstrip()
        return shlex.join(kept)

    def hashes(self) -> Iterator[tuple[str, str]]:
        for path in dict.fromkeys(self.known):
            with Path(path).open("rb") as file:
                yield self._seen(path), hashlib.file_digest(file, "sha256").hexdigest()

    def _runs(self) -> str:
        runs = list(self.known[1:])
        if [system_name(run) for run in runs] != list(self.systems):
            return shlex.join(
                self._seen(run) if system_name(run) == name else f"{name}={self._seen(run)}"
                for name, run in zip(self.systems, runs, strict=True)
            )
        folder, ending = Path(runs[0]).parent, Path(runs[0]).suffix
        if len(runs) > 2 and sorted(map(Path, runs)) == sorted(folder.glob(f"*{ending}")):
            return f"{shlex.quote(self._seen(str(folder)))}/*{shlex.quote(ending)}"
        return shlex.join(map(self._seen, runs))

    def _seen(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def _without_name(word: str) -> str:
    return word.partition("=")[2] or word
