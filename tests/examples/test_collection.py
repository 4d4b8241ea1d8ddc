"""The example collection: what it holds, that it is what its source says, and that it is small."""

from __future__ import annotations

import importlib.util
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge.cli.main import cli
from rankgauge.errors import UsageError

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def example():
    return rankgauge.examples.load()


def test_it_has_real_systems_on_all_queries_of_its_source(example):
    assert len(example.systems) >= 8
    assert example.queries.height == 251
    assert example.judgments["grade"].unique().sort().to_list() == [0, 1, 2, 3, 4]
    assert all(run.height == 3773 and run["score"].is_finite().all() for run in example.runs.values())
    assert example.table["document"].n_unique() == 3773


def test_it_is_under_300_kilobytes_in_the_package():
    assert sum(len(one.read_bytes()) for one in files("rankgauge.examples").iterdir() if one.is_file()) < 300_000


def test_the_systems_differ_and_the_trained_ones_beat_single_features(example):
    means = rankgauge.evaluate(example.judgments, example.runs, "nDCG@10").mean()
    assert len({one["nDCG@10"] for one in means.values()}) == len(example.systems)
    trained = min(means[name]["nDCG@10"] for name in ("lambdamart", "xendcg", "random-forest", "ridge"))
    assert trained > max(one["nDCG@10"] for name, one in means.items() if "feature" in name)


def test_the_command_writes_what_python_evaluates(example, tmp_path):
    done = CliRunner().invoke(cli, ["example", "-o", str(tmp_path / "here")], catch_exceptions=False)
    assert done.exit_code == 0
    runs = sorted((tmp_path / "here" / "runs").iterdir())
    from_files = rankgauge.evaluate(tmp_path / "here" / "judgments.qrels", runs, "nDCG@10 AP")
    assert from_files.mean() == rankgauge.evaluate(example.judgments, example.runs, "nDCG@10 AP").mean()
    assert rankgauge.check(tmp_path / "here" / "judgments.qrels", *runs).errors == ()
    assert "MIT License" in (tmp_path / "here" / "NOTICE.md").read_text()
    table = tmp_path / "here" / "table.csv"
    score = rankgauge.score("nDCG@10", file=table, truth="grade", predicted="lambdamart", groups="query")
    assert score == pytest.approx(from_files.mean()["lambdamart"]["nDCG@10"], abs=1e-3)  # ties apart


def test_a_folder_that_cannot_be_made_is_an_error_of_ours(example, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="cannot be created"):
        example.save(tmp_path / "file")


@pytest.fixture(scope="module")
def maker():
    pytest.importorskip("lightgbm")
    pytest.importorskip("sklearn")
    spec = importlib.util.spec_from_file_location("make_example", ROOT / "tools" / "make_example.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_script_makes_these_figures(example, maker, collections):
    """The systems that need a second; the others are made in the same way."""
    lists, parts = maker.read(collections / "ltr-lightgbm")
    assert example.table["grade"].to_list() == lists.grades.tolist()
    assert example.queries["part"].to_list() == parts.tolist()
    systems = maker.systems(lists)
    assert tuple(systems) == example.systems
    for name in ("ridge", "feature-91", "feature-216"):
        made = maker.held_out(lists, systems[name])
        assert np.abs(example.table[name].to_numpy() - made).max() <= 0.5001 * 10**-maker.DECIMALS


def test_no_system_has_seen_the_queries_it_scores(maker):
    """A ranker that knows the training queries by heart knows nothing of the others."""
    query = np.repeat(np.arange(20), 3)
    lists = maker.Lists(query[:, None].astype(float), np.tile([0, 1, 2], 20), query)

    def seen(train, features):
        return np.isin(features[:, 0], train.query).astype(float)

    assert maker.held_out(lists, seen).sum() == 0
