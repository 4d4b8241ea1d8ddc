from __future__ import annotations

import csv
import io
import json

from click.testing import CliRunner

from rankgauge.cli.main import cli
from rankgauge.measures import catalogue


def run(*arguments):
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result.stdout


def test_measures_lists_the_catalogue_in_its_order():
    lines = run("measures").splitlines()
    assert lines[0] == f"{len(catalogue())} measures"
    assert [line.split()[0].partition("[")[0].partition("@")[0] for line in lines[2:]] == [
        definition.name for definition in catalogue()
    ]


def test_other_forms_have_ranges_sources_and_foreign_names():
    rows = {row["measure"]: row for row in csv.DictReader(io.StringIO(run("measures", "--format", "csv")))}
    assert rows["AP[@k]"]["also read"].startswith("map as AP, map_cut_10 as AP@10, map@10 as AP@10, ")
    assert rows["AP[@k]"]["also read"].endswith("apk@10 as AP(over=reachable)@10")
    assert rows["DCG[@k]"]["range"] == "0 or more"
    data = json.loads(run("measures", "--format", "json"))
    assert [one["measure"] for one in data["measures"]] == [definition.name for definition in catalogue()]


def test_explain_prints_words_formula_options_and_the_canonical_spelling():
    text = run("explain", "ndcg_burges@20")
    assert text.startswith("nDCG(gain=exp)@20\nnormalized discounted cumulative gain\n")
    assert "gain=exp [default linear]: maps relevance to gain" in text
    assert "policy    ties=document, undefined=zero unless you say otherwise; mean over\n          queries" in text
    assert max(map(len, text.splitlines())) <= 80


def test_explain_has_the_same_as_data():
    one = json.loads(run("explain", "RBP(rel=1)@10", "--format", "json"))
    assert (one["measure"], one["range"]) == ("RBP(rel=1)@10", "0 to 1")
    assert {"name": "p", "value": "0.8", "default": "0.8"}.items() <= one["options"][0].items()
    assert "| formula |" in run("explain", "AP", "--format", "md")


def test_explain_writes_to_a_file(tmp_path):
    assert run("explain", "AP", "-o", str(tmp_path / "ap.txt")) == ""
    assert (tmp_path / "ap.txt").read_text().startswith("AP\naverage precision\n")
