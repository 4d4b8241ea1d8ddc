"""NIST's own test set: what `--format trec` prints is what trec_eval prints, for every line of EXPECTED_MAP.tsv."""

from __future__ import annotations

import csv
import re
import shlex

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli
from rankgauge.measures.other_names import LEFT_OUT

FILES = [
    "out.test",
    "out.test.a",
    "out.test.aq",
    "out.test.aqc",
    "out.test.aqcM",
    "out.test.aql",
    "out.test.meas_params",
]
OPTIONS = {"-q": "--per-query", "-c": "--missing zero", "-M": "--depth", "-l": "--rel", "-m": "-m"}


def arguments(flags):
    """trec_eval's flags as ours; measures that are not in the catalogue are not asked for."""
    words = shlex.split(flags.replace("(default official)", ""))
    out = []
    while words:
        word = words.pop(0)
        flag, value = word[:2], word[2:]
        if flag in {"-m", "-M", "-l"}:
            value = value or words.pop(0)
            if flag == "-m" and re.match(r"\w+", value).group() in LEFT_OUT:
                continue
            out += [OPTIONS[flag], value]
        else:
            out += OPTIONS[word].split()
    return out


def is_in_catalogue(line):
    label = line.split()[0]
    return not any(re.fullmatch(rf"{name}(_.*)?", label) for name in LEFT_OUT)


@pytest.mark.parametrize("version", ["9", "10"])
@pytest.mark.parametrize("name", FILES)
def test_the_output_of_trec_eval_is_met_line_by_line(collections, version, name):
    folder = collections / "trec-eval"
    with (folder / "EXPECTED_MAP.tsv").open() as file:
        rows = {row["expected_file"]: row for row in csv.DictReader(file, delimiter="\t")}
    assert sorted(rows) == sorted(FILES)
    row = rows[name]
    command = ["evaluate", str(folder / row["qrels"]), str(folder / row["run"]), *arguments(row["flags"])]
    result = CliRunner().invoke(cli, [*command, "--format", "trec", "--like", f"trec_eval-{version}"])
    expected = (folder / name if version == "10" else folder / "expected-9.0.8" / name).read_text()
    lines = expected.splitlines(keepends=True)
    assert result.stdout == "".join(line for line in lines if is_in_catalogue(line))
    assert len(result.stdout.splitlines()) > 0.9 * len(lines)


def test_what_is_left_out_is_what_the_catalogue_names(collections):
    lines = (collections / "trec-eval" / "out.test.aq").read_text().splitlines()
    without = {line.split()[0] for line in lines if not is_in_catalogue(line)}
    assert without == {"relstring", "utility", "binG", "G", "ndcg_rel", "Rndcg"}
