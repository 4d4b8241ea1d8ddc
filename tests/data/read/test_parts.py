"""Files in parts of whole queries: the same numbers and the same faults as when they are read whole."""

from __future__ import annotations

import gzip
import io
import os
import sys
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from data.collection import zstandard
from rankgauge import Judgments, evaluate, read_run
from rankgauge.data import match
from rankgauge.data.read import trec
from rankgauge.data.read.bytes import Source, gzip_tool
from rankgauge.data.read.kind import parts_of
from rankgauge.data.read.trec import parts_of_blocks
from rankgauge.errors import DataError

JUDGED = {f"q{n}": {"a": 1, "b": 0, "c": 2} for n in range(1, 6)}
LINES = [f"q{n} Q0 {d} 1 {5 - at}.5 t\n" for n in range(1, 6) for at, d in enumerate("abcx")]
PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": zstandard}


@pytest.fixture
def small(monkeypatch):
    """Parts of a few lines, two workers; and how many parts were read, and how many files whole."""
    read = {"parts": 0, "whole": 0}

    def counted(name, what):
        function = getattr(trec, name)

        def call(*given):
            read[what] += 1
            return function(*given)

        monkeypatch.setattr(trec, name, call)

    counted("read_piece", "parts")
    counted("read", "whole")
    monkeypatch.setattr(match, "_shares", lambda *_: (2, 90))
    return read


texts = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "é3"]), st.sampled_from([" x\n", "\tyy zz\n", "\n"])), max_size=12
)


@given(texts, st.sampled_from(["", "\n", "# c\n", " "]), st.sampled_from(["", "q9 unfinished"]), st.integers(1, 40))
@example([("q1", " x\n"), ("q2", " x\n")], "", "", 1)
def test_parts_make_up_the_text_and_neighbors_share_no_query(lines, front, back, size):
    text = (front + "".join(query + rest for query, rest in lines) + back).encode()
    parts = [part() for part in parts_of_blocks(iter(partial(io.BytesIO(text).read, size), b""))]
    assert b"".join(parts) == text
    queries = [[line.split()[0] for line in part.splitlines() if line.split()] for part in parts]
    for one, two in pairwise(queries):
        assert not one or not two or one[-1] != two[0]


def test_a_clean_file_is_read_in_parts_and_never_whole(tmp_path, small):
    for ending, pack in PACKERS.items():
        (tmp_path / f"a.run{ending}").write_bytes(pack("".join(LINES).encode()))
    scores = evaluate(JUDGED, {ending or "plain": tmp_path / f"a.run{ending}" for ending in PACKERS}, "nDCG AP")
    assert (scores.values == scores.values[0]).all()
    assert small["parts"] > 6
    assert small["whole"] == 0
    want = evaluate(JUDGED, {f"q{n}": {d: 5.5 - at for at, d in enumerate("abcx")} for n in range(1, 6)}, "nDCG AP")
    assert (scores.values[0] == want.values[0]).all()


@pytest.mark.parametrize("glance", [3, 1000])
def test_a_file_with_scattered_queries_is_read_whole(tmp_path, small, monkeypatch, glance):
    monkeypatch.setattr(trec, "_GLANCED", glance)
    (tmp_path / "a.run").write_text("".join(sorted(LINES, key=lambda line: line.split()[2])))
    (tmp_path / "b.run").write_text("".join(LINES))
    scores = evaluate(JUDGED, [tmp_path / "a.run", tmp_path / "b.run"], "nDCG AP")
    assert small["whole"] == 1
    assert scores.values[0].tobytes() == scores.values[1].tobytes()


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q5 Q0 b 9 1 t\n", "1 of 21 rows repeats a document within a query"),
        ("new Q0 a 1 1 t\nq9 Q0 b 1 1 t\nnew Q0 a 1 2 t\n", "1 of 23 rows repeats a document within a query"),
        ("q5 Q0 z 9 nan t\n", "1 of 21 rows has a score that is not a finite number"),
        ("q5 Q0 z 9 1,5 t\n", "line 21: "),
        ("q5 Q0 z\n", "line 21: q5 Q0 z"),
    ],
)
def test_faults_are_said_as_if_the_file_were_read_whole(tmp_path, small, line, message):
    (tmp_path / "a.run").write_text("".join([*LINES, line]))
    with pytest.raises(DataError) as caught:
        evaluate(JUDGED, tmp_path / "a.run", "nDCG")
    assert message in str(caught.value)
    assert str(tmp_path / "a.run") in str(caught.value)


def test_faults_are_said_in_the_order_of_the_runs(tmp_path, small):
    (tmp_path / "a.run").write_text("".join([*LINES, "q9 Q0 a 1 x t\n"]))
    (tmp_path / "b.run").write_text("q1 Q0 a 1 x t\n")
    runs = [read_run(tmp_path / name) for name in ("a.run", "b.run", "missing.run")]
    for first in (0, 1, 2):
        with pytest.raises(DataError, match=rf"{runs[first].name}\.run"):
            evaluate(JUDGED, runs[first:], "nDCG")


@pytest.mark.parametrize(("text", "message"), [("", "the file is empty"), ("# nothing\n\n", "contains no documents")])
@pytest.mark.parametrize("ending", PACKERS)
def test_a_file_without_rows_is_refused(tmp_path, small, text, message, ending):
    (tmp_path / f"a.run{ending}").write_bytes(PACKERS[ending](text.encode()))
    with pytest.raises(DataError, match=message):
        evaluate(JUDGED, tmp_path / f"a.run{ending}", "nDCG")


def test_a_part_of_remarks_only_adds_nothing(tmp_path, small):
    (tmp_path / "a.run").write_text("".join([*LINES[:4], "# remark\n" * 40, *LINES[4:]]))
    assert evaluate(JUDGED, tmp_path / "a.run", "nDCG").values.shape == (1, 5, 1)
    assert small["whole"] == 0


def test_what_cannot_be_cut_has_no_parts(tmp_path):
    (tmp_path / "empty.run").write_text("")
    (tmp_path / "a.csv").write_text("query,document,score\n" + "q1,a,1\n" * 20)
    for name in ("empty.run", "a.csv", "missing"):
        assert parts_of(Source(tmp_path / name), "score", 100) is None


def test_judgments_are_read_once_for_all_runs(tmp_path, small):
    judged = tmp_path / "j.qrels"
    judged.write_text("".join(f"{q} 0 {d} {v}\n" for q, found in JUDGED.items() for d, v in found.items()))
    (tmp_path / "a.run").write_text("".join(LINES))
    evaluate(Judgments(judged), [read_run(tmp_path / "a.run", name=str(n)) for n in range(3)], "nDCG")
    assert small["whole"] == 1


def test_the_beginning_of_packed_text_is_looked_at_without_the_rest(tmp_path):
    lines = "".join(f"q{n} 0 a 1\n" for n in range(100_000)).encode()
    for name, pack in (("a.run.gz", gzip.compress), ("a.run.zst", zstandard)):
        (tmp_path / name).write_bytes(pack(lines))
        head = Source(tmp_path / name).head()
        assert lines.startswith(head)
        assert 1000 < len(head) < 70_000


@pytest.fixture(params=["isal", "gzip"])
def unpacker(request, monkeypatch):
    """The reader of .gz: isal where it is installed, else Python's own."""
    if request.param == "isal" and os.environ.get("CI") != "true":
        pytest.importorskip("isal", reason="isal unpacks .gz faster; pip install rankgauge[fast]")
    if request.param == "gzip":
        monkeypatch.setitem(sys.modules, "isal", None)
    assert gzip_tool().__name__ == {"isal": "isal.igzip", "gzip": "gzip"}[request.param]


def test_gzip_is_read_the_same_with_and_without_isal(tmp_path, small, unpacker):
    text = "".join(LINES).encode()
    (tmp_path / "plain.run").write_bytes(text)
    expected = evaluate(JUDGED, tmp_path / "plain.run", "nDCG AP").values
    packed = gzip.compress(text)
    whole = {"one": packed, "two": gzip.compress(text[:60]) + gzip.compress(text[60:]), "zeros": packed + bytes(9)}
    for name, data in whole.items():
        (tmp_path / f"{name}.gz").write_bytes(data)
        assert evaluate(JUDGED, tmp_path / f"{name}.gz", "nDCG AP").values.tobytes() == expected.tobytes()
    assert small["parts"]
    damaged = {
        "cut": packed[:-9],
        "crc": packed[:-6] + b"abcdef",
        "flipped": packed[:12] + bytes([packed[12] ^ 0xFF]) + packed[13:],
        "tail": packed + b"x",
    }
    for name, data in damaged.items():
        (tmp_path / f"{name}.gz").write_bytes(data)
        with pytest.raises(DataError, match="the compressed data are damaged"):
            evaluate(JUDGED, tmp_path / f"{name}.gz", "nDCG")
    (tmp_path / "cut.zst").write_bytes(zstandard(text)[:-20])
    with pytest.raises(DataError, match="damaged"):
        evaluate(JUDGED, tmp_path / "cut.zst", "nDCG")
