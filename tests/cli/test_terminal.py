"""compare on a terminal: as wide as it is, colored, with what to do next."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys

import numpy as np
import pytest

import rankgauge
from rankgauge import Scores
from rankgauge.cli.terminal import DRAWN, MOST_DRAWN, interval_drawing, terminal_text
from rankgauge.tables.notes import LOUD, Note

QUERIES = tuple(f"q{at}" for at in range(30))
NAMES = ("a-baseline-with-a-name-of-forty-characters", "a-second-system-with-a-very-long-name-too", "c")


@pytest.fixture(scope="module")
def comparison():
    values = np.array([[0.3], [0.5], [0.31]]) + np.random.default_rng(5).normal(0, 0.05, (3, 30))
    base = Scores.from_matrix(values, NAMES, QUERIES, "m", rows="systems")
    notes = (
        Note("ties", f"{LOUD}c: ties could change m from 0.1 to 0.2", 3, "c", severity=0.1),
        Note("unjudged-documents", "c: 7 unjudged documents", 7, "c"),
    )
    return rankgauge.compare(Scores(base.systems, base.queries, base.measures, base.values, notes=notes))


def shown(comparison, width, *, color=False, every_note=False, quiet=False):
    return terminal_text(comparison, None, width=width, color=color, every_note=every_note, quiet=quiet)


@pytest.mark.parametrize("width", [80, 120, 200])
def test_lines_fit_and_names_are_whole_where_there_is_room(comparison, width):
    text = shown(comparison, width)
    assert max(map(len, text.splitlines())) <= width
    table = text.partition("\nm\n")[2].partition("\nNext: ")[0]
    assert (NAMES[0] in table) == (width >= 200)
    assert ("●" in text) == (width >= 120)


def test_names_that_are_cut_stay_different():
    names = ("SFDC-fus12-enc23-tf3", "SFDC-fus12-enc3-tf3", "b")
    values = np.array([[0.3], [0.5], [0.31]]) + np.random.default_rng(5).normal(0, 0.05, (3, 30))
    text = shown(rankgauge.compare(Scores.from_matrix(values, names, QUERIES, "m", rows="systems")), 74)
    table = text.partition("\nm\n")[2].partition("\nNext: ")[0]
    first = [line.split()[0] for line in table.splitlines()[1:]]
    assert len(set(first)) == 3
    assert any("…" in name for name in first)


def test_a_drawing_takes_the_room_there_is():
    """Short names leave room at any width, so that only the drawing can make lines longer."""
    values = np.array([[0.3], [0.5], [0.31]]) + np.random.default_rng(5).normal(0, 0.05, (3, 30))
    found = rankgauge.compare(Scores.from_matrix(values, ("a", "b", "c"), QUERIES, "m", rows="systems"))
    narrow, wide = (max(map(len, re.findall("[├─●┤│]+", shown(found, width)))) for width in (120, 200))
    assert narrow < wide <= MOST_DRAWN


def test_loud_notes_come_before_the_table_and_the_others_on_request(comparison):
    text = shown(comparison, 80)
    assert text.index(f"! {LOUD}c") < text.index("\nm\n")
    assert "7 unjudged documents" not in text
    assert "add --notes" in text
    assert "7 unjudged documents" in shown(comparison, 80, every_note=True)
    assert "add --notes" not in shown(comparison, 80, every_note=True)
    assert LOUD not in shown(comparison, 80, quiet=True)


def test_it_says_what_to_do_and_which_baseline_was_taken(comparison):
    text = shown(comparison, 200)
    assert f"Next: Ship {NAMES[1]}." in text
    assert f"baseline {NAMES[0]}, the first run; " in text
    named = rankgauge.compare(comparison.scores, baseline=NAMES[1])
    assert f"baseline {NAMES[1]}; " in named.method


def test_colors_are_on_verdicts_and_only_where_asked_for(comparison):
    text = shown(comparison, 120, color=True)
    assert "\x1b[1;34mbetter" in text
    assert "\x1b[2m" in text
    assert "\x1b" not in shown(comparison, 120)
    assert re.sub(r"\x1b\[[\d;]*m", "", text).split() == shown(comparison, 120).split()


@pytest.mark.parametrize(
    ("span", "drawn"),
    [
        ((0.5, 0.0, 1.0), "├──────────────●──────────────┤"),
        ((0.75, 0.5, 1.0), "│              ├──────●───────┤"),
        ((float("nan"), 0.0, 1.0), ""),
    ],
)
def test_an_interval_is_drawn_to_scale(span, drawn):
    assert interval_drawing(span, 0.0, 1.0) == drawn
    assert len(drawn) in {0, DRAWN}


def test_a_pipe_gets_plain_text_and_every_note_and_no_color_is_respected(tmp_path):
    rankgauge.simulate(systems=3, queries=12, seed=7).save(tmp_path)
    runs = sorted(map(str, (tmp_path / "runs").iterdir()))
    command = [sys.executable, "-m", "rankgauge", "compare", str(tmp_path / "judgments.qrels"), *runs, "--no-progress"]
    piped = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "\x1b" not in piped
    assert "policy: " in piped
    seen = on_terminal(command, {})
    assert "\x1b[1m" in seen
    assert "Next: " in seen
    assert "\x1b" not in on_terminal(command, {"NO_COLOR": "1"})


def on_terminal(command, settings):
    environment = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
    inside, outside = pty.openpty()
    with subprocess.Popen(command, stdout=outside, stderr=subprocess.DEVNULL, env=environment | settings) as process:
        os.close(outside)
        parts = []
        while True:
            try:
                part = os.read(inside, 65536)
            except OSError:  # how Linux ends a terminal
                break
            if not part:
                break
            parts.append(part)
        assert process.wait() == 0
    os.close(inside)
    return b"".join(parts).decode()
