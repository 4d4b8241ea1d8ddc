"""TREC-COVID round 3: the official means of all 79 runs."""

from __future__ import annotations

import csv
import json

from click.testing import CliRunner

from rankgauge import Policy, evaluate
from rankgauge.cli.main import cli

# Their scores differ only beyond single precision, in which trec_eval 9 compared them.
SINGLE_PRECISION = {"UIowaS_Rd3MLReRank", "UIowaS_Run2"}


def official(folder):
    with (folder / "leaderboard.csv").open() as file:
        return {row["run"]: (row["ndcg@10"], row["P@5"]) for row in csv.DictReader(file)}


def differing(means, folder):
    return {
        run
        for run, expected in official(folder).items()
        if (f"{means[run]['nDCG@10']:.4f}", f"{means[run]['P@5']:.4f}") != expected
    }


def test_the_command_line_reproduces_all_79_official_means_as_trec_eval_9(collections):
    folder = collections / "trec-covid-round3"
    runs = sorted(map(str, (folder / "runs").glob("*.gz")))
    arguments = ["evaluate", str(folder / "qrels.txt.gz"), *runs, "-m", "nDCG@10 P@5", "--like", "trec_eval-9"]
    result = CliRunner().invoke(cli, [*arguments, "--missing", "zero", "--format", "json"])
    assert result.exit_code == 0, result.output
    means = json.loads(result.stdout)["mean"]
    assert len(means) == len(official(folder)) == 79
    assert differing(means, folder) == set()


def test_in_double_precision_two_means_differ_and_no_other(collections):
    folder = collections / "trec-covid-round3"
    runs = sorted((folder / "runs").glob("*.gz"))
    means = evaluate(folder / "qrels.txt.gz", runs, "nDCG@10 P@5", policy=Policy(missing="zero")).mean()
    assert differing(means, folder) == SINGLE_PRECISION
