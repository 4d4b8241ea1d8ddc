from __future__ import annotations

import gzip
import re
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankgauge import evaluate, read_judgments, read_run
from rankgauge.data.read import trec
from rankgauge.data.read.bytes import Content, Source, system_name
from rankgauge.data.read.trec import RUN as RUN_FIELDS
from rankgauge.data.read.trec import is_binary, is_regular
from rankgauge.errors import DataError

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 a 1 .5 t\n"


def content(text: str | bytes) -> Content:
    return Content(np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8))


def table(text, number="score"):
    return trec.read(Source("some.file"), content(text), number)


def read(text, number="score"):
    return table(text, number).frame().rows()


PLAIN = [("q1", "a", 2.5), ("q1", "x", 1.5), ("q2", "a", 0.5)]


@pytest.mark.parametrize(
    "text",
    [
        RUN,
        RUN.rstrip("\n"),
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "  "),
        RUN.replace(" ", " \t "),
        RUN.replace("\n", "\r\n"),
        RUN.replace("\n", " \n"),
        RUN.replace("q1", " q1"),
        RUN.replace("\n", "\n\n"),
        "# a comment of six words here\n" + RUN,
        RUN + "# the end\n",
        "\ufeff" + RUN,
        "\ufeff" + RUN.replace(" ", "  "),
        "\n\n" + RUN,
    ],
)
def test_blanks_tabs_line_ends_comments_and_marks_make_no_difference(text):
    assert read(text) == PLAIN


def test_ids_stay_text():
    assert read("007 Q0 1e3 1 1 t\n") == [("007", "1e3", 1.0)]
    assert read('q Q0 "a 1 1 t\n') == [("q", '"a', 1.0)]


@given(
    st.lists(
        st.tuples(
            *[st.sampled_from([" ", "  ", "\t", " \t"])] * 5, st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n# c\n"])
        ),
        min_size=1,
        max_size=8,
    )
)
@example([("  ", " ", " ", " ", " ", "\n")])
def test_any_mixture_of_separators_reads_alike(separators):
    words = [(f"q{n}", "Q0", f"d{n}", "1", f"{n}.5", "t") for n in range(len(separators))]
    text = "".join(
        "".join(word + sign for word, sign in zip(line, signs, strict=True))
        for line, signs in zip(words, separators, strict=True)
    )
    assert read(text) == [(line[0], line[2], float(line[4])) for line in words]


@pytest.mark.parametrize(
    ("text", "number", "message"),
    [
        ("q1 Q0 a 1 2.5\n", "score", "line 1: q1 Q0 a 1 2.5  (5 fields)"),
        (RUN + "q2 Q0 b 2\n", "score", "1 of 4 lines does not have 6 fields\n    line 4: q2 Q0 b 2  (4 fields)"),
        (RUN + "q2 Q0 b\nq3 Q0 c\n", "score", "2 of 5 lines do not have 6 fields\n    line 4: q2 Q0 b  (3 fields)"),
        (RUN + "q2 Q0 b c 2 1 t\n", "score", "line 4: q2 Q0 b c 2 1 t  (7 fields)"),
        (RUN + "q2 Q0 b 2 1 t more\nq2 Q0\n", "score", "1 of 5 lines does not have 6 fields\n    line 5"),
        ("q1  Q0 a 1 2.5\n", "score", "(5 fields)"),
        (QRELS + "q2 0 b\n", "value", "line 4"),
        (QRELS + "q2 0 b 1 more\n", "value", "line 4: q2 0 b 1 more  (5 fields)"),
        (RUN, "value", "looks like a run (6 fields per line), but judgments are expected here"),
        ("q1 a 1\nq1 b 2\n", "value", "looks like a run (3 fields per line), but judgments are expected here"),
        (QRELS, "score", "looks like judgments (4 fields per line), but a run is expected here"),
        (RUN + "q2 Q0 b 2 high t\n", "score", "line 4: score 'high' of query q2, document b"),
        (QRELS + "q2 0 b x\n", "value", "line 4: value 'x' of query q2, document b"),
        ("q1 a 1\nq1 b 1.5\n", "score", "line 2: rank '1.5' of query q1, document b"),
        ("q1 a 1\nq1 b -2\n", "score", "line 2: rank '-2' of query q1, document b"),
        (b"q1 Q0 \xff 1 2.5 t\n", "score", "1 of 1 line is not UTF-8 text\n    line 1"),
        (b"\x00\x01\x02", "score", "binary file"),
        ("a b\n" * 9, "score", "… and 6 more"),
        ("q1 Q0 " + "x" * 99 + " 1 2\n", "score", "…"),
    ],
)
def test_lines_that_do_not_fit_are_named(text, number, message):
    with pytest.raises(DataError) as caught:
        read(text, number)
    assert message in str(caught.value)
    assert str(caught.value).startswith("some.file: ")


def test_the_rows_that_can_be_used_are_there_beside_all_faults():
    found = table(RUN + "q2 Q0 b\nq2 Q0 c 2 high t\n" + "q3 Q0 d 1 7 t\n")
    assert found.rows.rows() == [*PLAIN, ("q3", "d", 7.0)]
    assert [(fault.kind, fault.line, fault.count) for fault in found.faults] == [
        ("wrong-fields", 4, 1),
        ("not-a-number", 5, 1),
    ]


def test_words_after_the_tag_are_ignored_and_remarked_on():
    found = table(RUN + "q2 Q0 b 2 .1 t more words\n")
    assert found.frame().rows() == [*PLAIN, ("q2", "b", 0.1)]
    assert [(remark.kind, remark.line) for remark in found.remarks] == [("extra-fields", 4)]


@pytest.mark.parametrize("separator", ["\t", " ", "  "])
def test_a_run_of_three_columns_is_ordered_by_its_ranks(separator):
    text = "q1 b 1\nq1 a 2\nq2 a 1\n".replace(" ", separator)
    assert read(text) == [("q1", "b", -1.0), ("q1", "a", -2.0), ("q2", "a", -1.0)]


def test_a_shifted_column_is_never_taken_for_a_score():
    # Five words and a doubled blank make six pieces for a parser that splits at single blanks.
    with pytest.raises(DataError):
        read("q1 Q0 a  7 2.5\n" + RUN)


def regular(raw, separators):
    """By the book: words between single separators, no remarks."""
    lines = raw.removesuffix(b"\n").split(b"\n") if raw else []
    words = [re.split(rb"[\x00-\x20]", line) for line in lines]
    plain = all(all(cells) and not cells[0].startswith(b"#") for cells in words)
    return plain and sum(len(cells) - 1 for cells in words) == separators * len(lines)


bits = st.lists(st.sampled_from([b"a", b"b c", b"#", b" ", b"\t", b"\n", b"\r", b"\0", b"x #"]), max_size=12)


@given(st.one_of(st.binary(max_size=60), bits.map(b"".join)), st.integers(0, 3), st.sampled_from([1, 2, 4, 99]))
@example(b" ", 1, 99)
@example(b"\n#", 0, 1)
@example(b"a b\nc d", 1, 4)
@example(b"abc  d", 1, 4)
def test_a_text_is_regular_by_the_book_wherever_pieces_are_cut(raw, separators, size):
    with mock.patch("rankgauge.data.read.trec.PIECE", size):
        assert is_regular(np.frombuffer(raw, np.uint8), separators) == regular(raw, separators)
        assert is_binary(np.frombuffer(raw, np.uint8)) == (b"\0" in raw)


@pytest.mark.parametrize(
    "last",
    [
        "q3 Q0\x0ba 1 2.5 t\n",  # a sign that separates nothing here
        "q3\tQ0 a 1 2.5 t\n",
        "q3 Q0 a\x01b 1 2.5\n",
        "q3 Q0 a 1 2.5\nq3 Q0 b 2 2.5 t u\n",
        "q3 Q0 b 2 2.5 t u\nq3 Q0 a 1 2.5\n",
        "q3 Q0 a\x00b 1 2.5\n",
    ],
)
def test_lines_that_only_seem_to_have_their_fields_are_read_as_if_by_words(last):
    """Bytes up to the blank are as many as they should be, but not all of them separate."""
    text = RUN + last
    assert is_regular(np.frombuffer(text.encode(), np.uint8), 5)
    words = [re.split("[ \t\n\v\f\r]+", line) for line in text.split("\n") if line]
    if all(len(cells) == 6 for cells in words):
        assert read(text) == [(cells[0], cells[2], float(cells[4])) for cells in words]
    else:
        with pytest.raises(DataError, match=r"line [45]|binary"):
            read(text)
        assert trec.read_piece(text.encode, RUN_FIELDS, "score") is None


def test_a_byte_0_in_an_id_makes_a_file_binary():
    text = RUN + "q3 Q0 a\0b 1 2.5 t\n"
    with pytest.raises(DataError, match="binary"):
        read(text)
    assert trec.read_piece(text.encode, RUN_FIELDS, "score") is None


def test_long_texts_are_normalized_block_by_block(monkeypatch):
    monkeypatch.setattr("rankgauge.data.read.trec._BLOCK", 7)
    assert read(RUN.replace(" ", "  ")) == PLAIN


def test_gzip_is_unpacked_and_damage_is_said(tmp_path):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "run.gz").write_bytes(gzip.compress(RUN.encode()))
    scores = evaluate(read_judgments(tmp_path / "a.qrels"), read_run(tmp_path / "run.gz"), "RR")
    assert scores.mean() == {"run": {"RR": 1.0}}
    (tmp_path / "bad.gz").write_bytes(gzip.compress(RUN.encode())[:-9])
    with pytest.raises(DataError, match="compressed data are damaged"):
        evaluate(tmp_path / "a.qrels", tmp_path / "bad.gz")


def test_files_that_cannot_be_read_are_named(tmp_path):
    for path, message in [(tmp_path / "none", "no such file"), (tmp_path, "a folder")]:
        with pytest.raises(DataError, match=message):
            evaluate(path, {"q": {"a": 1.0}})


def test_duplicates_are_named_with_their_lines(tmp_path):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN + "q1 Q0 a 3 9 t\n")
    with pytest.raises(DataError, match=r"line 4: query q1, document a \(first on line 1\)"):
        evaluate(tmp_path / "a.qrels", tmp_path / "run")
    (tmp_path / "a.qrels").write_text(QRELS + "q1 0 b 3\n")
    with pytest.raises(DataError, match=r"a.qrels: 1 of 4 rows repeats .*\n    line 4: query q1, document b"):
        evaluate(tmp_path / "a.qrels", tmp_path / "run")


@pytest.mark.parametrize("number", ["nan", "inf", "-Infinity", "1e999"])
def test_numbers_that_are_not_finite_are_named_with_their_line(tmp_path, number):
    (tmp_path / "a.qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN + f"q2 Q0 b 2 {number} t\n")
    with pytest.raises(DataError, match=r"line 4: (score|q2)"):
        evaluate(tmp_path / "a.qrels", tmp_path / "run")


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("runs/bm25.trec", "bm25"),
        ("bm25.run.gz", "bm25"),
        ("covidex.r3.t5_lr.gz", "covidex.r3.t5_lr"),
        ("input.ICT-BERT2", "input.ICT-BERT2"),
        (".gz", ".gz"),
        ("a.JSONL.zst", "a"),
    ],
)
def test_a_system_is_named_by_its_file_without_known_endings(path, name):
    assert system_name(path) == name
