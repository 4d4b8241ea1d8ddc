"""The compact table of a paper, compiled by a real LaTeX."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

import rankgauge as rg

DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage{booktabs}
\begin{document}
\input{table.tex}
See Table~\ref{tab:main}.
\end{document}
"""


@pytest.fixture(scope="module")
def comparison() -> rg.results.Comparison:
    queries = 24
    base = [[0.2 + 0.01 * (q % 7), 0.5 - 0.02 * (q % 5)] for q in range(queries)]
    better = [[a + 0.2, b - 0.2 + 0.005 * (q % 3)] for q, (a, b) in enumerate(base)]
    same = [[a + 0.001 * (-1) ** q, b] for q, (a, b) in enumerate(base)]
    scores = rg.Scores.from_matrix(
        [base, better, same], ["bm25_&", "50%_{x}", "~back\\slash^$#"], measures=["nDCG@10", "AP"], rows="systems"
    )
    return rg.compare(scores)


def test_bold_is_the_best_of_each_column(comparison: rg.results.Comparison) -> None:
    lines = comparison.to_markdown(compact=True).splitlines()
    assert lines[0].startswith("**Means over 24 queries")
    rows = {line.split("|")[1].strip(): line for line in lines if line.startswith("| ")}
    assert "**0.4275**↑" in rows["50%\\_\\{x\\}"]
    assert "0.2667↓" in rows["50%\\_\\{x\\}"]
    assert "**0.4617**" in rows["bm25\\_\\&"]


def test_notes_are_for_the_author(comparison: rg.results.Comparison) -> None:
    text = comparison.to_latex(compact=True, caption="Means", label="tab:main")
    comments = [line for line in text.splitlines() if line.startswith("% ")]
    assert any(comparison.summary in line for line in comments)
    assert "\\caption{Means}" in text
    assert "\\label{tab:main}" in text
    assert "significantly better" in text.split("\\end{tabular}")[1]
    assert "sign-flip test" in text.split("\\end{tabular}")[1]


def test_a_minus_is_a_minus(comparison: rg.results.Comparison) -> None:
    rows = [line for line in comparison.to_latex().splitlines() if line.endswith("\\\\")]
    assert any("$-$0." in row for row in rows)
    assert not any(" -0." in row for row in rows)
    assert not any("\\textbf{}" in row for row in rows)
    worse = rg.compare(
        rg.Scores.from_matrix([[[0.5], [0.6], [0.8]], [[0.1], [0.3], [0.2]]], measures=["AP"], rows="systems")
    )
    caption = next(line for line in worse.to_latex().splitlines() if line.startswith("\\caption"))
    assert "differs by $-$0.4333" in caption


def test_the_first_mark_of_the_legend_names_the_baseline(comparison: rg.results.Comparison) -> None:
    assert "↑ significantly better than bm25" in comparison.to_markdown(compact=True)
    rows = [[[0.5 + 0.01 * (q % 7)] for q in range(20)], [[0.2 + 0.01 * (q % 5)] for q in range(20)]]
    worse = rg.compare(rg.Scores.from_matrix(rows, ["old", "new"], measures=["AP"], rows="systems"))
    assert "- ↓ significantly worse than old; no mark: undecided\n" in worse.to_markdown(compact=True)


def test_the_legend_knows_systems_that_are_the_same() -> None:
    rows = [[[0.5 + 0.01 * (q % 7)] for q in range(20)], [[0.2 + 0.01 * (q % 5)] for q in range(20)]]
    scores = rg.Scores.from_matrix([rows[0], rows[0], rows[1]], ["old", "twin", "new"], measures=["AP"], rows="systems")
    assert "no mark: undecided or the same\n" in rg.compare(scores).to_markdown(compact=True)


def test_a_range_of_ranks_has_an_en_dash() -> None:
    judged = {f"q{n}": {"a": 1} for n in range(6)}
    runs = {name: {q: ["x"] * (n % k) + ["a"] for n, q in enumerate(judged)} for name, k in (("one", 2), ("two", 1))}
    runs = {name: {q: list(dict.fromkeys(row)) for q, row in run.items()} for name, run in runs.items()}
    found = rg.compare(judged, runs, "RR")
    assert "(1-2)" in str(found)
    assert "(1--2)" in found.to_latex()
    assert "(1-2)" not in found.to_latex()


@pytest.mark.parametrize("compact", [True, False])
def test_latex_compiles_it(comparison: rg.results.Comparison, *, compact: bool, tmp_path: Path, pdflatex: str) -> None:
    label = "tab:main"
    (tmp_path / "table.tex").write_text(comparison.to_latex(compact=compact, caption="A & B, 5% of C_1", label=label))
    (tmp_path / "page.tex").write_text(DOCUMENT)
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "page.pdf").stat().st_size > 10_000


@pytest.mark.parametrize("name", ["検索モデル", "café Šárka “x” – €", "🚀", "Ελλάδα", "ρ ≤ τ"])
def test_the_file_says_which_names_pdflatex_cannot_set(name: str, tmp_path: Path, pdflatex: str) -> None:
    scores = rg.Scores.from_matrix(
        [[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]], ["bm25", name], measures="nDCG@10", rows="systems"
    )
    text = rg.compare(scores).to_latex(compact=True, caption="Means", label="tab:main")
    (tmp_path / "table.tex").write_text(text)
    (tmp_path / "page.tex").write_text(DOCUMENT)
    command = [pdflatex, "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
    note = f"% needs XeLaTeX or LuaLaTeX, with a font that has these characters: {name}\n"
    assert (note in text) == (done.returncode != 0)


def test_nothing_is_said_of_intervals_that_are_not_shown(comparison: rg.results.Comparison) -> None:
    shown = [line for line in comparison.to_latex(compact=True).splitlines() if not line.startswith("%")]
    assert "interval" in comparison.method
    assert "interval" not in "\n".join(shown)
    assert "test" in "\n".join(shown)
