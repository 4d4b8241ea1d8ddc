"""reconcile on the command line: numbers that look like something else."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from rankgauge.cli.main import cli

JUDGED = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\nq3 0 d 1\n"
RUN = "q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\nq2 Q0 c 1 1 t\nq3 Q0 x 1 1 t\n"


@pytest.fixture
def called(tmp_path):
    (tmp_path / "judged.txt").write_text(JUDGED)
    (tmp_path / "run.txt").write_text(RUN)

    def call(*words):
        files = ["--judgments", str(tmp_path / "judged.txt"), "--run", str(tmp_path / "run.txt")]
        return CliRunner().invoke(cli, ["reconcile", *words, *files])

    return call


def test_a_negative_number_is_a_number(called):
    found = called("-0.25")
    assert found.exit_code == 0
    assert "= -0.25 of run: nothing known gives this" in found.output


def test_an_unknown_option_is_still_refused(called):
    assert called("0.25", "--secnd", "P@5=0.2").exit_code == 2
    assert called("-x").exit_code == 2


def test_a_number_above_one_is_a_percentage(called):
    found = called("54.36")
    assert found.exit_code == 0
    assert "this is our own number" in found.output
    assert "54.36 was read as 54.36%" in found.output


@pytest.mark.parametrize(
    ("value", "message"), [("nan", "not a finite number"), ("540", "is too large"), ("?", "not a number")]
)
def test_what_is_no_such_number_is_refused(called, value, message):
    assert message in str(called(value).exception)
