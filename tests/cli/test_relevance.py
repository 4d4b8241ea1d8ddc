from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "days.qrels").write_text(
        "".join(
            f"{day} 0 n{n} {value}\n"
            for day, values in {"d1": (100, 80, 90, 15, 10), "d2": (100, 20, 90, 15, 10)}.items()
            for n, value in enumerate(values)
        )
    )
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(cli, ["relevance", "days.qrels", *arguments], catch_exceptions=False)


def test_every_item_gets_the_relevance_of_its_day(folder):
    data = json.loads(run("--format", "json").stdout)
    assert data["preset"] == "paper"
    assert list(data["queries"]["d1"]["items"].values()) == pytest.approx([1, 0, 0.347222, 0, 0], abs=5e-7)
    assert list(data["queries"]["d2"]["items"].values()) == pytest.approx([1, 0, 0.776259, 0, 0], abs=5e-7)
    assert data["queries"]["d1"]["knots"] == [[10, 0], [80, 0], [100, 1]]


def test_one_function_may_serve_all_queries(folder):
    (folder / "k.json").write_text('{"preset": "knots", "knots": [[0, 0], [100, 1]]}')
    for option in (["--knots", "k.json"], ["--reference", "days.qrels"]):
        data = json.loads(run("--format", "json", *option).stdout)
        assert data["queries"]["d1"]["knots"] == data["queries"]["d2"]["knots"]


def test_it_is_drawn_and_tabled(folder):
    assert "relevance of 10 items" in run("--plot", "phi.svg").stdout
    assert "<svg" in (folder / "phi.svg").read_text()
