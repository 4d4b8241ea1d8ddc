from __future__ import annotations

import pytest

from rankgauge import evaluate, read_judgments, read_run
from rankgauge.errors import DataError

HEAD = "query_id,doc_id,score,rank\n"


def read(folder, text, name="run.csv"):
    (folder / name).write_bytes(text.encode())
    return read_run(folder / name).to_polars().rows()


@pytest.mark.parametrize("row", ["b,0.5,1", "q1,b,0.5,1,extra", "q1,b,0.5"])
def test_a_row_with_other_fields_is_never_shifted_into_place(tmp_path, row):
    with pytest.raises(DataError, match=f"line 3: {row}  "):
        read(tmp_path, HEAD + "q1,a,0.7,1\n" + row + "\n")


def test_quotes_keep_separators_line_ends_and_quotes(tmp_path):
    text = HEAD + 'q1,"a,\nb",1,1\r\n"q ""2""",d,"2.5",2\r\n'
    assert read(tmp_path, text) == [("q1", "a,\nb", 1.0), ('q "2"', "d", 2.5)]
    with pytest.raises(DataError, match=r"line 5: score 'x' of query q3"):
        read(tmp_path, text + "q3,d,x,1\n")


def test_scores_win_over_ranks_and_ranks_serve_alone(tmp_path):
    assert read(tmp_path, HEAD + "q1,a,0.7,9\n") == [("q1", "a", 0.7)]
    assert read(tmp_path, "qid,docno,rank\nq1,a,1\nq1,b,2\n") == [("q1", "a", -1.0), ("q1", "b", -2.0)]
    with pytest.raises(DataError, match=r"line 3: rank '2\.5'"):
        read(tmp_path, "qid,docno,rank\nq1,a,1\nq1,b,2.5\n")


def test_blank_lines_and_blanks_around_numbers_are_forgiven(tmp_path):
    assert read(tmp_path, "\n\n" + HEAD + "\nq1,a, 0.7 ,1\n\n") == [("q1", "a", 0.7)]


def test_an_empty_cell_that_nobody_needs_is_no_fault(tmp_path):
    assert read(tmp_path, HEAD + "q1,a,0.7,\nq1,b,0.6,2\n") == [("q1", "a", 0.7), ("q1", "b", 0.6)]


def test_broken_text_is_named_by_its_line(tmp_path):
    (tmp_path / "run.csv").write_bytes(HEAD.encode() + b"q1,a,1,1\nq1,\xff,1,1\n")
    with pytest.raises(DataError, match="not UTF-8 text\n    line 3"):
        read_run(tmp_path / "run.csv").to_polars()


def test_remarks_on_names_reach_the_scores(tmp_path):
    (tmp_path / "j.csv").write_text("qid,query,docno,grade\n1,rambo,a,1\n")
    scores = evaluate(read_judgments(tmp_path / "j.csv"), {"1": {"a": 1.0}})
    assert "column 'qid' is taken as the query, not 'query'" in str(scores.notes[0])
