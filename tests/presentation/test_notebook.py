"""What a notebook shows, without the web and without PyArrow."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rankgauge as rg

pytest.importorskip("altair")


@pytest.fixture
def scores() -> rg.Scores:
    return rg.Scores.from_matrix([[0.1, 0.5, 0.3], [0.2, 0.4, 0.6]], ["a", "b"], measures="nDCG@10", rows="systems")


def test_a_chart_is_a_picture(scores: rg.Scores) -> None:
    bundle = rg.plot.changes(scores, "b", "a")._repr_mimebundle_()
    assert set(bundle) == {"image/svg+xml", "image/png"}
    assert bundle["image/svg+xml"].startswith("<svg")
    assert bundle["image/png"].startswith("iVBOR")


def test_so_is_what_a_user_makes_of_it(scores: rg.Scores) -> None:
    wider = rg.plot.changes(scores, "b", "a").properties(title="another")
    shown = wider._repr_mimebundle_(include=None, exclude=None)
    assert "another" in shown["image/svg+xml"]
    assert "cdn" not in str(shown)


def test_pandas_needs_no_pyarrow() -> None:
    pytest.importorskip("pandas")
    code = (
        "import sys; sys.modules['pyarrow'] = None; import rankgauge as rg\n"
        "frame = rg.Scores.from_matrix([[0.1, float('nan')], [0.2, 0.4]], ['a', 'b'], rows='systems').to_pandas()\n"
        "print(frame['score'].isna().sum(), list(frame['system']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "1 ['a', 'a', 'b', 'b']\n"
