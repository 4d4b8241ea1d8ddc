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
from rankgauge import Judgments, Policy, Run, evaluate, read_run
from rankgauge.data.match import threads
from rankgauge.data.match.threads import Shares
from rankgauge.data.read import trec, trec_pieces, trec_regroup
from rankgauge.data.read.bytes import Source, gzip_tool
from rankgauge.data.read.trec_pieces import cut_blocks, cuts, last_change, pieces_of
from rankgauge.errors import DataError

JUDGED = {f"q{n}": {"a": 1, "b": 0, "c": 2} for n in range(1, 6)}
LINES = [f"q{n} Q0 {d} 1 {5 - at}.5 t\n" for n in range(1, 6) for at, d in enumerate("abcx")]


@pytest.fixture
def small(monkeypatch):
    """Pieces of a few lines, two workers; and how many pieces were read, and how many files whole."""
    read = {"pieces": 0, "whole": 0}

    def counted(name, what):
        function = getattr(trec, name)

        def call(*given):
            read[what] += 1
            return function(*given)

        monkeypatch.setattr(trec, name, call)

    counted("read_piece", "pieces")
    counted("read", "whole")
    monkeypatch.setattr(threads, "shares_of", lambda *_: Shares(2, 90))
    return read


texts = st.lists(
    st.tuples(st.sampled_from(["q1", "q2", "é3"]), st.sampled_from([" x\n", "\tyy zz\n", "\n"])), max_size=12
)


@given(texts, st.sampled_from(["", "\n", "# c\n", " "]), st.sampled_from(["", "q9 unfinished"]), st.integers(1, 40))
@example([("q1", " x\n"), ("q2", " x\n")], "", "", 1)
def test_pieces_make_up_the_text_and_neighbours_share_no_query(lines, front, back, size):
    text = (front + "".join(query + rest for query, rest in lines) + back).encode()
    whole = io.BytesIO(text)
    by_place = [text[begin:end] for begin, end in cuts(whole, size)]
    in_stream = list(cut_blocks(iter(partial(io.BytesIO(text).read, size), b"")))
    for pieces in (by_place, in_stream):
        assert b"".join(pieces) == text
        queries = [[line.split()[0] for line in piece.splitlines() if line.split()] for piece in pieces]
        for one, two in pairwise(queries):
            assert not one or not two or one[-1] != two[0]


def test_a_cut_is_where_the_last_query_begins():
    assert last_change(b"q1 a\nq1 b\nq2 a\nq2 b\nq2 unfin") == 10
    assert last_change(b"q1 a\nq1 b\n") is None
    assert last_change(b"1 a\nq1 b\n") is None  # the first line may lack its beginning
    assert last_change(b"q0\nq1 a\n\n# c\nq2 b\n") == 13
    assert last_change(b"") is None


def test_a_clean_file_is_read_in_pieces_and_never_whole(tmp_path, small):
    (tmp_path / "a.run").write_text("".join(LINES))
    (tmp_path / "b.run.gz").write_bytes(gzip.compress("".join(LINES).encode()))
    (tmp_path / "c.run.zst").write_bytes(zstandard("".join(LINES).encode()))
    scores = evaluate(JUDGED, [tmp_path / "a.run", tmp_path / "b.run.gz", tmp_path / "c.run.zst"], "nDCG AP")
    assert (scores.values == scores.values[0]).all()
    assert small["pieces"] > 6
    assert small["whole"] == 0
    want = evaluate(JUDGED, {f"q{n}": {d: 5.5 - at for at, d in enumerate("abcx")} for n in range(1, 6)}, "nDCG AP")
    assert (scores.values[0] == want.values[0]).all()


SCATTERED = sorted(LINES, key=lambda line: line.split()[2])


@pytest.fixture
def kept(monkeypatch):
    """The temporary files that are made."""
    made = []

    def temporary():
        made.append(io.BytesIO())
        return made[-1]

    monkeypatch.setattr(trec_regroup, "TemporaryFile", temporary)
    return made


@pytest.mark.parametrize("ending", ["", ".gz", ".zst"])
def test_a_file_with_scattered_queries_is_regrouped_and_never_read_whole(tmp_path, small, kept, ending):
    pack = {"": bytes, ".gz": gzip.compress, ".zst": zstandard}[ending]
    (tmp_path / f"a.run{ending}").write_bytes(pack("".join(SCATTERED).encode()))
    (tmp_path / "b.run").write_text("".join(LINES))
    scores = evaluate(JUDGED, [tmp_path / f"a.run{ending}", tmp_path / "b.run"], "nDCG AP")
    assert small["whole"] == 0
    assert [file.closed for file in kept] == [True]
    assert scores.values[0].tobytes() == scores.values[1].tobytes()


def test_queries_scattered_after_the_beginning_are_regrouped_too(tmp_path, small, kept, monkeypatch):
    monkeypatch.setattr(trec_pieces, "_GLANCE", 3)
    (tmp_path / "a.run").write_text("".join(SCATTERED))
    (tmp_path / "b.run").write_text("".join(LINES))
    scores = evaluate(JUDGED, [tmp_path / name for name in ("a.run", "b.run")], "nDCG")
    assert (small["whole"], len(kept)) == (0, 1)
    assert scores.values[0].tobytes() == scores.values[1].tobytes()


def test_rows_keep_their_order_and_foreign_queries_theirs(tmp_path, small, kept):
    lines = [f"{q} Q0 {d} 1 1 t\n" for d in "xcab" for q in ("q3", "other-query-9", "q1", "other-query-12", "q2")]
    (tmp_path / "a.run").write_text("".join(lines))
    tables = {name: read_run(tmp_path / "a.run", name=name) for name in ("pieces", "whole")}
    tables["whole"] = Run(tables["whole"].to_polars(), name="whole")
    for order in ("order", "document"):
        found = {name: evaluate(JUDGED, run, "nDCG", policy=Policy(ties=order)) for name, run in tables.items()}
        assert found["pieces"].values.tobytes() == found["whole"].values.tobytes()
        texts = [str(scores.notes).replace(name, "") for name, scores in found.items()]
        assert texts[0] == texts[1]
        assert "other-query-9, other-query-12" in texts[0]
    assert kept


@pytest.mark.parametrize("fault", [None, OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_no_room_on_the_disk_means_that_the_file_is_read_whole(tmp_path, small, monkeypatch, fault):
    made = []

    class Full(io.BytesIO):
        def writelines(self, lines):
            made.append(self)
            if fault is not None and len(made) == 3:
                raise fault
            super().writelines(lines)

    monkeypatch.setattr(trec_regroup, "TemporaryFile", Full)
    (tmp_path / "a.run").write_text("".join(SCATTERED))
    if isinstance(fault, KeyboardInterrupt):
        with pytest.raises(KeyboardInterrupt):
            evaluate(JUDGED, tmp_path / "a.run", "nDCG")
    else:
        assert evaluate(JUDGED, tmp_path / "a.run", "nDCG").values.all()
        assert small["whole"] == (fault is not None)
    assert made[0].closed


@given(
    st.lists(st.tuples(st.sampled_from(["q", "q1", "query-0001", "query-0002", "é" * 9, "#no"]), st.integers(0, 90))),
    st.sampled_from(["", " ", "\t\n", "\x01"]),
    st.integers(1, 5),
    st.booleans(),
)
def test_lines_are_grouped_by_query_in_their_order(rows, front, groups, is_last_ended):
    lines = [f"{front}{query} Q0 {'d' * (1 + at % 7 * size)} 1 1 t".encode() for at, (query, size) in enumerate(rows)]
    text = b"\n".join(lines) + b"\n" * is_last_ended
    halves = [text[: text.find(b"\n") + 1], text[text.find(b"\n") + 1 :]]
    with trec_regroup.Regrouped(groups) as grouped:
        for number in (1, 0):
            if halves[number]:
                assert grouped.add((number, trec_pieces.TextPiece(partial(bytes, halves[number]), trec.RUN, "score")))
        found = [
            [words for line in piece.text().splitlines() if (words := line.split()) and words[0] != b"#no"]
            for piece in grouped.pieces()
        ]
    expected = [words for line in lines if (words := line.split())[0] != b"#no"]  # remarks may stay or go
    assert sorted(line for part in found for line in part) == sorted(expected)
    first = [{line[0] for line in part} for part in found]
    assert sum(map(len, first)) == len(set().union(*first))
    for part in found:
        assert part == [line for line in expected if line[0] in {one[0] for one in part}]


def test_a_query_nobody_judged_may_be_scattered_too(tmp_path, small):
    (tmp_path / "a.run").write_text("".join(["new Q0 a 1 1 t\n" * 1, *LINES, "new Q0 a 1 2 t\n"]))
    with pytest.raises(DataError, match="1 of 22 rows repeats a document within a query"):
        evaluate(JUDGED, tmp_path / "a.run", "nDCG")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("q5 Q0 b 9 1 t\n", "1 of 21 rows repeats a document within a query"),
        ("q5 Q0 z 9 nan t\n", "1 of 21 rows has a score that is not a finite number"),
        ("q5 Q0 z 9 1,5 t\n", "line 21: "),
        ("q5 Q0 z\n", "line 21: q5 Q0 z"),
    ],
)
def test_faults_are_told_as_if_the_file_were_read_whole(tmp_path, small, line, message):
    (tmp_path / "a.run").write_text("".join([*LINES, line]))
    with pytest.raises(DataError) as caught:
        evaluate(JUDGED, tmp_path / "a.run", "nDCG")
    assert message in str(caught.value)
    assert str(tmp_path / "a.run") in str(caught.value)


def test_faults_are_told_in_the_order_of_the_runs(tmp_path, small):
    (tmp_path / "a.run").write_text("".join([*LINES, "q9 Q0 a 1 x t\n"]))
    (tmp_path / "b.run").write_text("q1 Q0 a 1 x t\n")
    runs = [read_run(tmp_path / name) for name in ("a.run", "b.run", "missing.run")]
    for first in (0, 1, 2):
        with pytest.raises(DataError, match=rf"{runs[first].name}\.run"):
            evaluate(JUDGED, runs[first:], "nDCG")


def test_packed_data_that_are_damaged_are_named(tmp_path, small):
    for name, pack in (("a.run.gz", gzip.compress), ("a.run.zst", zstandard)):
        packed = pack("".join(LINES).encode())
        (tmp_path / name).write_bytes(packed[:-20])
        with pytest.raises(DataError, match="damaged"):
            evaluate(JUDGED, tmp_path / name, "nDCG")


def test_the_beginning_of_packed_text_is_looked_at_without_the_rest(tmp_path):
    lines = "".join(f"q{n} 0 a 1\n" for n in range(100_000)).encode()
    for name, pack in (("a.run.gz", gzip.compress), ("a.run.zst", zstandard)):
        (tmp_path / name).write_bytes(pack(lines))
        head = Source(tmp_path / name).head()
        assert lines.startswith(head)
        assert 1000 < len(head) < 70_000


@pytest.mark.parametrize(("text", "message"), [("", "the file is empty"), ("# nothing\n\n", "contains no documents")])
def test_a_file_without_rows_is_refused(tmp_path, small, text, message):
    (tmp_path / "a.run").write_text(text)
    (tmp_path / "b.run.gz").write_bytes(gzip.compress(text.encode()))
    (tmp_path / "c.run.zst").write_bytes(zstandard(text.encode()))
    for name in ("a.run", "b.run.gz", "c.run.zst"):
        with pytest.raises(DataError, match=message):
            evaluate(JUDGED, tmp_path / name, "nDCG")


def test_a_piece_of_remarks_only_adds_nothing(tmp_path, small):
    (tmp_path / "a.run").write_text("".join([*LINES[:4], "# remark\n" * 40, *LINES[4:]]))
    assert evaluate(JUDGED, tmp_path / "a.run", "nDCG").values.shape == (1, 5, 1)
    assert small["whole"] == 0


def test_what_cannot_be_cut_has_no_pieces(tmp_path):
    (tmp_path / "empty.run").write_text("")
    (tmp_path / "a.csv").write_text("query,document,score\n" + "q1,a,1\n" * 20)
    for name in ("empty.run", "a.csv", "missing"):
        assert pieces_of(Source(tmp_path / name), "score", 100) is None


def test_a_small_file_is_looked_at_by_whoever_reads_it(tmp_path):
    (tmp_path / "a.csv").write_text("query,document,score\nq1,a,1\n")
    (tmp_path / "a.run").write_text("".join(LINES))
    (csv,), (trec_text,) = (pieces_of(Source(tmp_path / name), "score", 1000) for name in ("a.csv", "a.run"))
    assert csv() is None
    assert len(trec_text()) == len(LINES)


def test_judgments_are_read_once_for_all_runs(tmp_path, small):
    judged = tmp_path / "j.qrels"
    judged.write_text("".join(f"{q} 0 {d} {v}\n" for q, found in JUDGED.items() for d, v in found.items()))
    (tmp_path / "a.run").write_text("".join(LINES))
    evaluate(Judgments(judged), [read_run(tmp_path / "a.run", name=str(n)) for n in range(3)], "nDCG")
    assert small["whole"] == 1


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
    assert small["pieces"]
    flipped = packed[:12] + bytes([packed[12] ^ 0xFF]) + packed[13:]
    for name, data in {
        "cut": packed[:-9],
        "crc": packed[:-6] + b"abcdef",
        "flipped": flipped,
        "tail": packed + b"x",
    }.items():
        (tmp_path / f"{name}.gz").write_bytes(data)
        with pytest.raises(DataError, match="the compressed data are damaged"):
            evaluate(JUDGED, tmp_path / f"{name}.gz", "nDCG")
