import gzip

import numpy as np
import pytest

from rankgauge import measures, read_scores
from rankgauge.data.read.matrix import read_matrix
from rankgauge.errors import DataError, UsageError


def read(text, **options):
    return read_matrix(text.encode(), "the matrix", **options)


def test_rows_are_queries_and_columns_systems():
    matrix = read("bm25,ltr\n.1,.2\n.3,.4\n.5,.6\n")
    assert matrix.systems == ("bm25", "ltr")
    assert matrix.queries == ("query1", "query2", "query3")
    assert np.array_equal(matrix.values, [[0.1, 0.3, 0.5], [0.2, 0.4, 0.6]])


def test_a_matrix_without_header_gets_names():
    matrix = read(".1,.2\n.3,.4\n")
    assert matrix.systems == ("system1", "system2")
    assert matrix.values[1, 0] == 0.2


@pytest.mark.parametrize("mark", [",", "\t", ";", " ", "   "])
def test_columns_may_be_separated_by_any_common_mark(mark):
    text = "\n".join(mark.join(row) for row in (("topic", "a", "b"), ("301", ".1", ".2"), ("302", ".3", ".4")))
    matrix = read(text + "\n\n")
    assert matrix.queries == ("301", "302")
    assert np.array_equal(matrix.values, [[0.1, 0.3], [0.2, 0.4]])


@pytest.mark.parametrize("name", ["topic", "Query", "qid", "query-id", "Topic ID", "", "#", "Unnamed: 0", "user_id"])
def test_a_column_of_numbers_with_the_name_of_an_id_is_one(name):
    matrix = read(f"{name},a,b\n301,.1,.2\n302,.3,.4\n303,.5,.6\n")
    assert matrix.systems == ("a", "b")
    assert matrix.queries == ("301", "302", "303")


def test_a_column_of_texts_holds_ids_whatever_its_name():
    matrix = read("what,a,b\nred shoes,.1,.2\nblue hats,.3,.4\n")
    assert matrix.queries == ("red shoes", "blue hats")


def test_ids_keep_their_zeros():
    assert read("topic,a,b\n007,.1,.2\n7,.3,.4\n").queries == ("007", "7")


def test_row_names_without_a_title_are_ids():
    matrix = read('"a" "b"\n"301" .1 .2\n"302" .3 .4\n')
    assert matrix.systems == ("a", "b")
    assert matrix.queries == ("301", "302")


@pytest.mark.parametrize(
    "numbers", [(1, 2, 3), (301, 302, 350), (19335, 47923, 87181), (9, 4, 7), ("301.0", "302.0", "303.0")]
)
def test_a_column_that_may_be_a_system_or_query_numbers_is_refused(numbers):
    text = "x,a,b\n" + "".join(f"{number},.{place},.5\n" for place, number in enumerate(numbers))
    with pytest.raises(DataError, match="the first column may be a system or the numbers of the queries") as caught:
        read(text)
    assert "ids=True" in str(caught.value)
    assert read(text, ids=True).systems == ("a", "b")
    assert read(text, ids=False).systems == ("x", "a", "b")
    assert read(text, ids=["x"]).systems == ("a", "b")


def test_query_numbers_without_header_are_recognised_beside_fractions():
    matrix = read("301 .1 .2\n302 1 .4\n305 .5 0\n")
    assert matrix.queries == ("301", "302", "305")
    assert matrix.systems == ("system1", "system2")


def test_rising_whole_numbers_beside_whole_numbers_are_refused():
    with pytest.raises(DataError, match="may be a system"):
        read("1 5 7\n2 4 4\n3 5 6\n")


def test_whole_numbers_that_repeat_are_scores():
    assert read("p1,p2\n5,9\n6,3\n5,7\n").systems == ("p1", "p2")


@pytest.mark.parametrize("measures", ["AP", "AP,RR"])
def test_a_long_table_in_another_order_is_no_matrix(measures):
    """Seen red: with two measures they were systems, and q1/bm25 a query."""
    numbers = ",".join([".5"] * (1 + measures.count(",")))
    with pytest.raises(
        DataError, match=r"column of queries and one of systems \('system'\).*\n.*system, query and one"
    ):
        read(f"query,system,{measures}\nq1,bm25,{numbers}\nq1,ltr,{numbers}\n")


def test_an_id_that_is_not_in_front_is_refused():
    with pytest.raises(DataError, match="column 'topic' has the name of an id but is among the systems"):
        read("a,b,topic\n.1,.2,1\n.3,.4,2\n")
    assert read("a,b,topic\n.1,.2,1\n.3,.4,2\n", ids="topic").queries == ("1", "2")

    assert read("topic,title,a,b\n1,cat,.1,.2\n2,dog,.3,.4\n").queries == ("1", "2")
    assert read("topic,title,a,b\n1,cat,.1,.2\n1,dog,.3,.4\n").queries == ("1/cat", "1/dog")


@pytest.mark.parametrize("index", ["", "Unnamed: 0", "index", "row"])
def test_an_index_beside_the_queries_does_not_name_them(index):
    """Seen red: the queries were 0 and 1."""
    assert read(f"{index},query,a,b\n0,q1,.1,.2\n1,q2,.3,.4\n").queries == ("q1", "q2")
    assert read(f"{index},query,a,b\n0,q1,.1,.2\n1,q1,.3,.4\n").queries == ("0/q1", "1/q1")


def test_a_named_id_column_that_is_absent_is_reported():
    with pytest.raises(DataError, match=r"has no column 'topics'\ndid you mean 'topic'"):
        read("topic,a,b\n1,.1,.2\n2,.3,.4\n", ids=["topics"])


def test_a_first_line_of_numbers_that_may_be_names_is_refused():
    text = "1,2,3\n.1,.2,.3\n.4,.5,.6\n"
    with pytest.raises(DataError, match="the first line could be scores or numbers of systems"):
        read(text)
    assert read(text, header=True).systems == ("1", "2", "3")
    assert read(text, header=False, ids=False).queries == ("query1", "query2", "query3")


def test_numbered_columns_after_an_unknown_title_are_refused():
    text = "tag,301,302\nbm25,.1,.2\nltr,.3,.4\n"
    with pytest.raises(DataError, match="the first line could be scores"):
        read(text)
    assert read(text, header=True).queries == ("bm25", "ltr")


def test_systems_called_by_numbers_are_read_under_an_id_title():
    assert read("topic,1,2\n301,.1,.2\n302,.3,.4\n").systems == ("1", "2")


def test_a_matrix_of_systems_by_queries_is_turned_when_asked():
    text = "system,301,302\nbm25,.1,.2\nltr,.3,.4\n"
    with pytest.raises(DataError, match="called 'system', but rows are read as queries"):
        read(text)
    matrix = read(text, rows="systems")
    assert matrix.systems == ("bm25", "ltr")
    assert matrix.queries == ("301", "302")
    assert np.array_equal(matrix.values, [[0.1, 0.2], [0.3, 0.4]])
    assert read(".1,.2\n.3,.4\n", rows="systems").queries == ("query1", "query2")


@pytest.mark.parametrize("gap", ["", "NA", "nan", "-"])
def test_an_empty_cell_is_shown_with_its_line_and_system(gap):
    text = f"topic,a,b\n1,.1,.2\n2,.3,{gap}\n3,{gap},.4\n4,.2,.7\n"
    with pytest.raises(DataError, match="2 of 8 cells are empty") as caught:
        read(text)
    assert f"line 3, b: {gap!r}" in str(caught.value)
    assert 'missing="drop"' in str(caught.value)
    assert np.isnan(read(text, missing="drop").values).sum() == 2
    assert read(text, missing="zero").values[1, 1] == 0


def test_a_cell_of_text_is_shown_with_its_line_and_system():
    with pytest.raises(DataError, match="1 of 4 cells are not numbers") as caught:
        read("a,b\n.1,.2\n.3,bad\n")
    assert "line 3, b: 'bad'" in str(caught.value)


def test_decimal_commas_are_explained():
    with pytest.raises(DataError, match="decimal point"):
        read("a;b\n0,1;0,2\n0,3;0,4\n")


def test_many_faults_are_counted_not_listed():
    with pytest.raises(DataError, match="… and 7 more"):
        read("a,b\n" + ".1,x\n" * 10)


def test_an_infinite_score_is_refused():
    with pytest.raises(DataError, match="infinite"):
        read("a,b\n.1,inf\n.3,.4\n")


def test_rows_of_different_length_are_refused():
    with pytest.raises(DataError, match="1 of 3 rows do not have the 3 cells of the others") as caught:
        read("a,b,c\n.1,.2,.3\n.1,.2\n.3,.2,.1\n")
    assert "line 3: 2" in str(caught.value)


def test_a_header_of_another_length_than_the_rows_is_refused():
    with pytest.raises(DataError, match="the header names 4 columns, the rows have 2"):
        read("a,b,c,d\n.1,.2\n.3,.4\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("a,b\n", "rows of scores: 0; at least 2"),
        ("a,b\n.1,.2\n", "rows of scores: 1; at least 2"),
        ("a\n.1\n.2\n", "columns of scores: 1; at least 2"),
        ("topic,a\n1,.1\n2,.2\n", "columns of scores: 1; at least 2"),
    ],
)
def test_too_little_to_compare_is_refused(text, message):
    with pytest.raises(DataError, match=message):
        read(text)


def test_names_must_differ():
    with pytest.raises(DataError, match="duplicate system name"):
        read("a,a\n.1,.2\n.3,.4\n")
    with pytest.raises(DataError, match="duplicate query name"):
        read("topic,a,b\n1,.1,.2\n1,.3,.4\n")


def test_files_are_read_plain_and_packed_and_name_the_measure(tmp_path):
    text = "\ufefftopic,a,b\r\n1,.1,.2\r\n2,.3,.4\r\n"
    (tmp_path / "web.ndcg.csv").write_text(text, encoding="utf-8", newline="")
    (tmp_path / "web.csv.gz").write_bytes(gzip.compress(text.encode()))
    plain, packed = read_scores(tmp_path / "web.ndcg.csv"), read_scores(str(tmp_path / "web.csv.gz"))
    assert [str(measure) for measure in plain.measures] == ["web.ndcg"]
    assert [str(measure) for measure in packed.measures] == ["web"]
    assert np.array_equal(plain.matrix("web.ndcg"), packed.matrix())
    assert read_scores(tmp_path / "web.csv.gz", "nDCG@20").measures == (measures.nDCG @ 20,)
    with pytest.raises(UsageError, match="no scores for AP; known: web"):
        packed.matrix("AP")


def test_a_file_that_cannot_be_read_says_why(tmp_path):
    with pytest.raises(DataError, match=r"absent\.csv: there is no such file"):
        read_scores(tmp_path / "absent.csv")
    (tmp_path / "broken.csv.gz").write_bytes(gzip.compress(b"a,b\n.1,.2\n" * 99)[:-20])
    with pytest.raises(DataError, match="compressed data are damaged"):
        read_scores(tmp_path / "broken.csv.gz")
    (tmp_path / "latin.csv").write_bytes("ä,b\n.1,.2\n.3,.4\n".encode("latin-1"))
    with pytest.raises(DataError, match="is not UTF-8 text"):
        read_scores(tmp_path / "latin.csv")


def test_unknown_options_are_refused():
    with pytest.raises(UsageError, match="did you mean 'systems'"):
        read(".1,.2\n.3,.4\n", rows="system")
    with pytest.raises(UsageError, match="unknown value 'skip' of missing"):
        read(".1,.2\n.3,.4\n", missing="skip")
