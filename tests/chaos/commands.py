"""Every command on one small collection, as it is called to write a file."""

from __future__ import annotations

import shutil
from pathlib import Path

import rankgauge

OUT = "out"
"""Stands for the file or folder to write to."""


def collection(folder: Path) -> None:
    """Four systems, twelve queries, and what some commands need beside them."""
    rankgauge.simulate(4, 12, documents=30, seed=5).save(folder / "made")
    judged = next((folder / "made").glob("judgments*"))
    shutil.copy(judged, folder / "judgments.qrels")
    (folder / "runs").mkdir()
    for run in sorted((folder / "made").rglob("*.trec")):
        shutil.copy(run, folder / "runs" / run.name)
    (folder / "truth.csv").write_text("truth\n3\n1\n2\n0\n1\n")
    (folder / "guess.csv").write_text("guess\n0.5\n0.25\n0.75\n0\n0.125\n")
    rows = (f"q{q},d{d},{(7 * q + 3 * d) % 11}" for q in range(6) for d in range(40))
    (folder / "scores.csv").write_text("query,document,score\n" + "\n".join(rows) + "\n")


def commands(folder: Path) -> dict[str, list[str]]:
    """The words of each command; OUT is replaced."""
    judged, runs = str(folder / "judgments.qrels"), sorted(map(str, (folder / "runs").glob("*.trec")))
    both, out = [judged, *runs], ["-o", OUT]
    other = ["--judge", f"again={judged}"]
    return {
        "evaluate": ["evaluate", *both, *out],
        "evaluate --save": ["evaluate", *both, "--save", OUT + ".parquet"],
        "score": ["score", "rankDCG", str(folder / "truth.csv"), str(folder / "guess.csv"), *out],
        "explain": ["explain", "nDCG@5", "--judgments", judged, "--run", runs[0], "--query", "q02", *out],
        "reconcile": ["reconcile", "0.5", "--judgments", judged, "--run", runs[0], "-m", "nDCG@5", *out],
        "exposure": ["exposure", *runs, "--history", judged, *out],
        "compare": ["compare", *both, *out],
        "robust": ["robust", *both, *out],
        "judges": ["judges", *both, *other, *out],
        "holes": ["holes", *both, *out],
        "stability": ["stability", *both, *out],
        "agreement": ["agreement", *both, "-m", "nDCG@5 AP RR", *out],
        "discriminate": ["discriminate", *both, "-m", "nDCG@5 AP", *out],
        "report": ["report", *both, *out],
        "explore": ["explore", *both, *out],
        "measures": ["measures", *out],
        "optimize": ["optimize", *both, *out],
        "compromise": ["compromise", f"a={judged},{folder / 'runs'}", f"b={judged},{folder / 'runs'}", *out],
        "relevance": ["relevance", str(folder / "scores.csv"), *out],
        "check": ["check", *both, *out],
        "sample": ["sample", judged, "--queries", "3", *out],
    }
