"""TREC-COVID round 3: the official means of all 79 runs."""

from __future__ import annotations

import csv
import json

import pytest
from click.testing import CliRunner

from rankgauge import Policy, evaluate, stability
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


# Worked out independently of this package: σ²s, σ²t, σ²st, Φ(1), Φ(40) with its 95 % interval, Eρ²(40), queries for Φ ≥ .90 and ≥ .95.
STABILITY = """
nDCG(discount=zipf)@10    .031856 .041784 .036726 .288639 .941963 .910776 .961976 .971986 23 47
nDCG(discount=linear)@10  .032096 .041781 .031674 .304078 .945881 .915950 .964781 .975922 21 44
nDCG@10                   .031359 .041274 .030332 .304561 .945997 .915978 .964901 .976390 21 44
nDCG@20                   .027244 .034941 .019881 .331974 .952102 .924200 .969225 .982083 19 39
nDCG(discount=zipf)@100   .023479 .024703 .017570 .357083 .956927 .932531 .972115 .981636 17 35
nDCG(discount=linear)@100 .016185 .013474 .008084 .428814 .967773 .948763 .979335 .987667 12 26
nDCG@100                  .016394 .012274 .008019 .446865 .969984 .952465 .980696 .987919 12 24
"""


def test_stability_of_seven_ndcgs_is_found_to_the_printed_digits(collections):
    folder = collections / "trec-covid-round3"
    expected = {line.split()[0]: [float(cell) for cell in line.split()[1:]] for line in STABILITY.strip().splitlines()}
    runs = sorted((folder / "runs").glob("*.gz"))
    scores = evaluate(folder / "qrels.txt.gz", runs, list(expected), policy=Policy(depth=100, undefined="drop"))
    study = stability(scores, interval="arteaga")
    assert tuple(study) == tuple(expected)
    for one in study.parts:
        assert (one.systems, one.query_count) == (79, 40)
        variance, now = one.variance, one.dependability()
        found = [variance.system, variance.query, variance.residual, one.dependability(1).value]
        found += [now.value, now.low, now.high, one.generalizability().value]
        assert found == pytest.approx(expected[one.measure][:8], abs=5.1e-7), one.measure
        assert [one.queries_needed(target).value for target in (0.90, 0.95)] == expected[one.measure][8:]


def test_the_comparison_of_all_runs_fits_80_columns(real):
    runs, baseline = [str(path) for path in real.runs], "ridge" if len(real.runs) == 10 else "r3.fusion2"
    result = CliRunner().invoke(cli, ["compare", str(real.judgments), *runs, "--baseline", baseline])
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    assert f" of {len(runs) - 1} systems " in lines[0]
    assert sum(line.endswith((" better", " worse", " undecided", " baseline")) for line in lines) == len(runs)
