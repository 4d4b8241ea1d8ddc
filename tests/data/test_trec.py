from __future__ import annotations

import gzip

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from rankgauge import evaluate, read_judgments, read_run
from rankgauge.data import trec
from rankgauge.data.files import Content, system_name
from rankgauge.data.survey import survey
from rankgauge.errors import DataError

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n"
RUN = "q1 Q0 a 1 2.5 t\nq1 Q0 x 2 1.5 t\nq2 Q0 a 1 .5 t\n"


def content(text: str | bytes) -> Content:
    return Content(np.frombuffer(text if isinstance(text, bytes) else text.encode(), np.uint8))


def read(text, layout=trec.RUN):
    return trec.read(content(text), layout, "some.file").rows()


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
    ("text", "layout", "message"),
    [
        ("q1 Q0 a 1 2.5\n", trec.RUN, "line 1: q1 Q0 a 1 2.5  (5 fields)"),
        (RUN + "q2 Q0 b 2\n", trec.RUN, "1 of 4 lines do not have 6 fields\n    line 4: q2 Q0 b 2  (4 fields)"),
        (RUN + "q2 Q0 b c 2 1 t\n", trec.RUN, "line 4: q2 Q0 b c 2 1 t  (7 fields)"),
        (RUN + "q2 Q0 b 2 1 t more\nq2 Q0\n", trec.RUN, "1 of 5 lines do not have 6 fields\n    line 5"),
        ("q1  Q0 a 1 2.5\n", trec.RUN, "(5 fields)"),
        (QRELS + "q2 0 b\n", trec.JUDGMENTS, "line 4"),
        (RUN, trec.JUDGMENTS, "3 of 3 lines do not have 4 fields"),
        (RUN + "q2 Q0 b 2 high t\n", trec.RUN, "line 4: score 'high' of query q2, document b"),
        (QRELS + "q2 0 b x\n", trec.JUDGMENTS, "line 4: value 'x' of query q2, document b"),
        (b"q1 Q0 \xff 1 2.5 t\n", trec.RUN, "1 of 1 lines are not UTF-8 text\n    line 1"),
        (b"\x00\x01\x02", trec.RUN, "binary file"),
        ("a b\n" * 9, trec.RUN, "… and 6 more"),
        ("q1 Q0 " + "x" * 99 + " 1\n", trec.RUN, "…"),
    ],
)
def test_lines_that_do_not_fit_are_named(text, layout, message):
    with pytest.raises(DataError) as caught:
        read(text, layout)
    assert message in str(caught.value)
    assert str(caught.value).startswith("some.file: ")


def test_a_shifted_column_is_never_taken_for_a_score():
    # Five words and a doubled blank make six pieces for a parser that splits at single blanks.
    with pytest.raises(DataError):
        read("q1 Q0 a  7 2.5\n" + RUN)


@given(st.binary(max_size=60))
@example(b" ")
@example(b"\n#")
def test_the_survey_counts_what_is_there(raw):
    facts = survey(np.frombuffer(raw, np.uint8))
    assert facts.lines == raw.count(b"\n") + (bool(raw) and not raw.endswith(b"\n"))
    assert (facts.blanks, facts.tabs) == (raw.count(b" "), raw.count(b"\t"))
    assert facts.is_binary == (b"\0" in raw)
    assert facts.has_comments == any(line.startswith(b"#") for line in raw.split(b"\n"))


def test_a_survey_sees_across_its_pieces(monkeypatch):
    monkeypatch.setattr("rankgauge.data.survey._PIECE", 4)
    assert survey(np.frombuffer(b"abc  d", np.uint8)).doubled
    assert survey(np.frombuffer(b"abc\n#d", np.uint8)).has_comments
    assert not survey(np.frombuffer(b"abc d e", np.uint8)).doubled


def test_long_texts_are_normalised_block_by_block(monkeypatch):
    monkeypatch.setattr("rankgauge.data.trec._BLOCK", 7)
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


def test_words_behind_the_tag_of_a_run_are_ignored_as_in_trec_eval(tmp_path):
    (tmp_path / "run").write_text("q Q0 a 1 2.5 tag\nq Q0 b 2 1.5 tag with a remark\n")
    frame = read_run(tmp_path / "run").to_polars()
    assert frame.rows() == [("q", "a", 2.5), ("q", "b", 1.5)]


def test_a_blank_inside_an_id_is_not_taken_for_such_words(tmp_path):
    (tmp_path / "run").write_text("q Q0 a 1 2.5 tag\nq Q0 b c 2 1.5 tag\n")
    with pytest.raises(DataError, match="1 of 2 lines do not have 6 fields\n    line 2"):
        read_run(tmp_path / "run").to_polars()
