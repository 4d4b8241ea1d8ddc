"""Names of systems are untrusted text: a comparison prints them harmlessly and in line."""

import numpy as np
import pytest
from rich.cells import cell_len

import rankgauge

HOSTILE = ["evil\x1b[2J", "gpj.\N{RIGHT-TO-LEFT OVERRIDE}exe", "検索システム第一号", "line\nbreak", "a\x07b\x9b31m"]


@pytest.fixture
def scores():
    values = np.random.default_rng(3).random((len(HOSTILE), 12, 2))
    return rankgauge.Scores.from_matrix(values, HOSTILE, measures=["nDCG@10", "own\x1b]0;title\x07"], rows="systems")


@pytest.mark.parametrize(
    "options", [{}, {"all_pairs": True}, {"by": {f"query{at}": "語\x1b[31m" for at in range(1, 9)}}]
)
def test_a_comparison_obeys_no_name_and_keeps_its_columns(scores, options):
    text = str(rankgauge.compare(scores, test="t", **options))
    assert all(character.isprintable() or character == "\n" for character in text)
    lines = text.splitlines()
    heads = [at for at, line in enumerate(lines) if line.startswith("system")]
    assert heads
    for head in heads:
        end = cell_len(lines[head][: lines[head].index("verdict")])
        for line in lines[head + 1 : head + 2 + len(HOSTILE)]:
            if line.endswith(("undecided", "baseline", "better", "worse")):
                assert cell_len(line.rstrip().rsplit(" ", 1)[0]) == end - 1
    assert max(map(cell_len, lines)) <= 80
