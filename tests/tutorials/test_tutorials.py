"""Five readers, each from their own data to the result they paste: at most five commands, or ten lines of Python."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import rankgauge as rg
from rankgauge.cli.main import cli


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def typed(commands: str, gate: int = 0) -> list[str]:
    """What each command prints; there are at most five of them, and a gate ends with the exit code named."""
    lines = commands.strip().splitlines()
    assert len(lines) <= 5
    shown = []
    for line in lines:
        done = CliRunner().invoke(cli, shlex.split(line)[1:], catch_exceptions=False)
        assert done.exit_code == (gate if "--fail-if" in line else 0), done.output
        shown.append(done.stdout)
    return shown


def written(code: str, **given: Any) -> dict[str, Any]:
    """What a cell of a notebook leaves behind; it has at most ten lines."""
    assert len(code.strip().splitlines()) <= 10
    assert ";" not in code
    names = {"rg": rg, "pd": pd, "np": np, **given}
    exec(code, names)  # noqa: S102 - the text is ours
    return names


def test_an_ir_researcher_pastes_a_table_into_a_paper() -> None:
    rg.simulate(systems=4, queries=30, seed=3).save("trec")
    runs = " ".join(sorted(map(str, Path("trec/runs").iterdir())))
    check, _, _ = typed(f"""
rankgauge check trec/judgments.qrels {runs}
rankgauge evaluate trec/judgments.qrels {runs} -m "nDCG@10 AP RR@10" --save scores.parquet
rankgauge compare --scores scores.parquet --compact --caption "Main results" --label tab:main -o table.tex
""")
    assert "0 errors" in check
    table = Path("table.tex").read_text()
    scores = rg.read_scores("scores.parquet")
    means, verdict = scores.mean(), rg.compare(scores)
    marks = {"better": r"\textsuperscript{$\uparrow$}", "worse": r"\textsuperscript{$\downarrow$}"}
    for name, own in means.items():
        row = next(line for line in table.splitlines() if line.startswith(f"{name} & "))
        for measure, cell in zip(own, row.removesuffix(r" \\").split(" & ")[1:], strict=True):
            best = own[measure] == max(other[measure] for other in means.values())
            said = [pair.verdict for pair in verdict[measure].pairs if pair.system == name]
            text = f"{own[measure]:.4f}"
            shown = cell.split(r"\hphantom")[0]
            assert shown == (rf"\textbf{{{text}}}" if best else text) + marks.get(*said or [""], "")
    assert r"\caption{Main results}" in table
    assert r"\label{tab:main}" in table
    assert "sign-flip test" in table


def recommended(seed: int, good: float) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = [(u, i, s) for u in range(40) for i, s in zip(rng.permutation(30)[:10], rng.random(10), strict=True)]
    frame = pd.DataFrame(rows, columns=["userId", "movieId", "prediction"])
    frame.loc[frame.movieId < 6, "prediction"] += good
    return frame


def test_a_recommender_engineer_compares_two_models_by_country() -> None:
    watched = pd.DataFrame([(u, i) for u in range(40) for i in range(6)], columns=["userId", "movieId"])
    users = pd.DataFrame({"userId": range(40), "country": ["at", "de"] * 20})
    made = written(
        """
scores = rg.evaluate(watched, {"old": old, "new": new}, "HR@5 nDCG@5,10")
verdict = rg.compare(scores, baseline="old")
table = verdict.to_markdown(compact=True)
by_country = scores.by(users, "country")
""",
        watched=watched,
        users=users,
        old=recommended(1, 0.0),
        new=recommended(2, 0.5),
    )
    assert made["scores"].mean()["new"]["hr@5"] > made["scores"].mean()["old"]["HR@5"]
    mean = made["scores"].mean()["new"]
    better = {name: made["verdict"][name].pairs[0].verdict == "better" for name in made["verdict"]}
    assert list(better) == ["Success@5", "nDCG@5", "nDCG@10"]
    cells = " | ".join(f"**{mean[name]:.4f}**{'↑' if is_better else ''}" for name, is_better in better.items())
    assert f"| new | {cells} |" in made["table"]
    assert made["scores"].to_pandas()["query"].dtype == watched["userId"].dtype
    halves = made["by_country"].mean()
    assert list(halves) == ["at", "de"]
    assert (halves["at"]["new"]["nDCG@10"] + halves["de"]["new"]["nDCG@10"]) / 2 == pytest.approx(mean["nDCG@10"])
    pair = made["verdict"]["nDCG@5"].pairs[0]
    assert pair.verdict == "better"
    assert pair.p_adjusted < 0.001


def test_a_learning_to_rank_engineer_has_labels_and_predictions() -> None:
    rng = np.random.default_rng(5)
    labels, sizes = rng.integers(0, 4, 400), [10] * 40
    Path("rank.test").write_text("".join(f"{v} qid:{n // 10} 1:{n}\n" for n, v in enumerate(labels)))
    for name, noise in (("gbdt", 1.0), ("linear", 4.0)):
        Path(f"{name}.txt").write_text("".join(f"{v}\n" for v in labels + noise * rng.random(400)))
    shown, compared = typed("""
rankgauge evaluate rank.test gbdt.txt linear.txt -m "nDCG@5,10 AP"
rankgauge compare rank.test linear.txt gbdt.txt -m nDCG@10 --compact --format md
""")
    assert "nDCG@5" in shown
    made = written(
        """
judged = rg.Judgments(labels, group_sizes=sizes)
scores = rg.evaluate(judged, {"gbdt": np.loadtxt("gbdt.txt"), "linear": np.loadtxt("linear.txt")}, "nDCG@10")
""",
        labels=labels,
        sizes=sizes,
    )
    mean = made["scores"].mean()["gbdt"]["nDCG@10"]
    assert f"{mean:.4f}" in shown
    assert f"**{mean:.4f}**↑" in compared


def golden(path: str, good: int) -> None:
    rows = [
        {"id": f"g{n}", "question": f"question {n}", "expected_ids": [f"d{n}"],
         "retrieved_ids": [f"d{n}" if n < good else "x", "y"] if n else None}
        for n in range(30)
    ]  # fmt: skip
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_a_rag_engineer_guards_a_pull_request() -> None:
    golden("main.jsonl", 28)
    golden("branch.jsonl", 12)
    shown, _ = typed(
        """
rankgauge evaluate branch.jsonl:expected_ids branch.jsonl:retrieved_ids -m "Success@1 RR"
rankgauge compare main.jsonl main=main.jsonl branch=branch.jsonl -m "Success@1" --fail-if "Success@1 < baseline - 2%" \
 --also junit=gate.xml --also comment=comment.md --undecided warn
""".replace("\\\n", ""),
        gate=1,
    )
    assert "0.3667" in shown
    assert 'failures="1"' in Path("gate.xml").read_text()
    comment = Path("comment.md").read_text()
    assert comment.startswith("❌ **fail** · branch is worse than main: Success@1 differs by -0.5333 (")
    assert "| main | **0.9000** |\n| branch | 0.3667↓ |\n" in comment
    assert comment.count("| g") == 5
    assert "Largest gains" not in comment  # there are none
    assert comment.rstrip().endswith("</details>")


def test_a_data_scientist_in_a_notebook() -> None:
    pytest.importorskip("altair")
    made = written(
        """
clicked = {1: [10, 11], 2: [12], 3: [10, 13], 4: [11]}
lists = {"old": {1: [12, 10], 2: [10, 12], 3: [11, 12], 4: [11, 10]}, "new": {u: [10, 11, 12] for u in clicked}}
scores = rg.evaluate(clicked, lists, ["hit_rate@2", "map"])
verdict = rg.compare(scores)
chart = rg.plot.changes(scores, "new", "old")
frame = scores.to_pandas()
why = rg.explain("map", clicked, lists["old"], 3)
"""
    )
    assert made["scores"].mean()["old"]["hit_rate@2"] == 0.75
    assert made["frame"]["query"].tolist() == [1, 2, 3, 4] * 2
    assert "<table" in made["verdict"]._repr_html_()
    bundle = made["chart"]._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg")
    assert set(bundle) == {"image/svg+xml", "image/png"}, "nothing that a browser would fetch from the web"
    assert repr(made["why"]) == "Explanation(AP of run on query 3: 0.0000)"
    assert repr(made["verdict"]).startswith("Comparison(")
