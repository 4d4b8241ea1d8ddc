"""Commands and pages speak of users and items where the columns of the judgments do."""

from __future__ import annotations

import html
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli

RUNS = ["weak.csv", "fair.csv", "good.csv"]
OURS = re.compile(r"\b(?:quer(?:y|ies)|documents?)\b", re.IGNORECASE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three recommenders on the same users; a user that nobody serves, and one who likes nothing."""
    folder, draw = tmp_path_factory.mktemp("users"), random.Random(3)  # noqa: S311 - a few ratings
    users, items = [f"u{at}" for at in range(45)], [f"i{at}" for at in range(60)]
    liked = {user: {item: draw.choice([1, 2]) for item in draw.sample(items, 8)} for user in users}
    liked["u1"] = dict.fromkeys(liked["u1"], 0)
    rows = [f"{user},{item},{value}" for user in users for item, value in liked[user].items()]
    (folder / "truth.csv").write_text("\n".join(["user,item,rating", *rows]))
    for name, lift in zip(RUNS, (0.3, 0.8, 1.2), strict=True):
        rows = []
        for user in users[1:]:
            scored = sorted(((draw.gauss() + lift * liked[user].get(item, 0), item) for item in items), reverse=True)
            rows += [f"{user},{item},{score:.4f}" for score, item in scored[:12]]
        (folder / name).write_text("\n".join(["user,item,prediction", *rows]))
    return folder


def said(folder: Path, *arguments: str) -> str:
    """What a command prints, without the policy, whose words are those of options."""
    done = CliRunner().invoke(
        cli, [word if word.startswith("-") or "." not in word else str(folder / word) for word in arguments]
    )
    assert done.exit_code == 0, done.output
    return re.sub(r"policy: .*", "", done.output).replace(str(folder), "")


@pytest.mark.parametrize(
    "arguments",
    [
        ("stability", "truth.csv", *RUNS, "-m", "nDCG@10 RR"),
        ("stability", "truth.csv", *RUNS, "--systems", "others", "--missing", "drop"),
        ("discriminate", "truth.csv", *RUNS, "--samples", "50"),
        ("holes", "truth.csv", *RUNS[:2]),
        ("holes", "truth.csv", *RUNS, "--all-pairs", "--ideal", "open"),
        ("robust", "truth.csv", *RUNS, "--missing", "drop"),
        ("robust", "truth.csv", *RUNS[:2]),
        ("optimize", "truth.csv", *RUNS, "--missing", "drop"),
        ("optimize", "truth.csv", *RUNS, "--folds", "0", "--objective", "power"),
    ],
    ids=" ".join,
)
def test_a_command(folder: Path, arguments: tuple[str, ...]) -> None:
    told = said(folder, *arguments)
    assert OURS.findall(told) == []
    assert re.search(r"\busers?\b", told)


def test_gains_by_cutoff(folder: Path) -> None:
    found = rankgauge.optimize(folder / "truth.csv", [folder / run for run in RUNS], "nDCG@10", cutoffs=[5, 10])
    assert found.table().notes[0] == "Φ is for one user and on these users: it says nothing of unseen ones"


@pytest.mark.parametrize("runs", [RUNS, RUNS[:2], RUNS[:1]], ids=len)
def test_the_page(folder: Path, tmp_path: Path, runs: list[str]) -> None:
    page = tmp_path / "page.html"
    said(folder, "report", "truth.csv", *runs, "--output", str(page))
    told = visible(page)
    assert OURS.findall(told) == []
    assert {"Users", "item"} <= set(re.findall(r"\w+", told))


def test_the_explorer(folder: Path, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    said(folder, "explore", "truth.csv", *RUNS, "--output", str(page))
    told = visible(page)
    assert OURS.findall(told) == []
    assert {"User by user", "users needed", "Unjudged items are", "Items found"} <= set(
        re.findall(r"User by user|users needed|Unjudged items are|Items found", told)
    )


def visible(page: Path) -> str:
    """The texts of a page; of its scripts and of the policy, none."""
    text = re.sub(r"<(script|style)\b.*?</\1>", "", page.read_text(), flags=re.DOTALL)
    return re.sub(r"ties=\S+", "", html.unescape(re.sub(r"<[^>]+>", "\n", text)))
