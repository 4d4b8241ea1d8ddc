import gzip
import tempfile

import numpy as np
import pytest

from rankgauge import measures, read_scores
from rankgauge.errors import DataError, UsageError

AB, QUERIES = ("a", "b"), ("301", "302")
NUMBERED = "query1", "query2"


def read(text, **options):
    with tempfile.NamedTemporaryFile() as file:
        file.write(text.encode())
        file.flush()
        return read_scores(file.name, **options)


def joined(mark):
    return "\n".join(mark.join(row) for row in (("topic", "a", "b"), ("301", ".1", ".2"), ("302", ".3", ".4"))) + "\n\n"


@pytest.mark.parametrize(
    ("text", "options", "systems", "queries"),
    [
        ("bm25,ltr\n.1,.2\n.3,.4\n", {}, ("bm25", "ltr"), NUMBERED),
        (".1,.2\n.3,.4\n", {}, ("system1", "system2"), NUMBERED),
        # Columns are separated by any common mark.
        *((joined(mark), {}, AB, QUERIES) for mark in (",", "\t", ";", " ", "   ")),
        # A column of numbers with the name of an id is one.
        *(
            (f"{name},a,b\n301,.1,.2\n302,.3,.4\n", {}, AB, QUERIES)
            for name in ("topic", "Query", "qid", "query-id", "Topic ID", "", "#", "Unnamed: 0", "user_id")
        ),
        ("what,a,b\nred shoes,.1,.2\nblue hats,.3,.4\n", {}, AB, ("red shoes", "blue hats")),
        ("topic,a,b\n007,.1,.2\n7,.3,.4\n", {}, AB, ("007", "7")),
        ('query,a,b\n"q\n1",.1,.2\nq1,.3,.4\n', {}, AB, ("q\n1", "q1")),  # seen red: two queries q1
        ('"a" "b"\n"301" .1 .2\n"302" .3 .4\n', {}, AB, QUERIES),  # row names without a title
        # Without a header: numbers of queries beside fractions; whole numbers that repeat are scores.
        ("301 .1 .2\n302 .3 .4\n", {}, ("system1", "system2"), QUERIES),
        ("p1,p2\n5,9\n5,7\n", {}, ("p1", "p2"), NUMBERED),
        ("topic,1,2\n301,.1,.2\n302,.3,.4\n", {}, ("1", "2"), QUERIES),
        # Several columns of ids name a query by the first or together; an index of pandas does not (seen red).
        ("topic,title,a,b\n1,cat,.1,.2\n2,dog,.3,.4\n", {}, AB, ("1", "2")),
        ("topic,title,a,b\n1,cat,.1,.2\n1,dog,.3,.4\n", {}, AB, ("1/cat", "1/dog")),
        *(
            (f"{index},query,a,b\n0,q1,.1,.2\n1,{second},.3,.4\n", {}, AB, queries)
            for index in ("", "Unnamed: 0", "index", "row")
            for second, queries in (("q2", ("q1", "q2")), ("q1", ("0/q1", "1/q1")))
        ),
        ("a,b,topic\n.1,.2,1\n.3,.4,2\n", {"ids": ["topic"]}, AB, ("1", "2")),
        # What is refused unless somebody says.
        ("x,a,b\n1,.1,.2\n2,.3,.4\n", {"ids": True}, AB, ("1", "2")),
        ("x,a,b\n1,.1,.2\n2,.3,.4\n", {"ids": ["x"]}, AB, ("1", "2")),
        ("x,a,b\n1,.1,.2\n2,.3,.4\n", {"ids": False}, ("x", "a", "b"), NUMBERED),
        ("1,2,3\n.1,.2,.3\n.4,.5,.6\n", {"header": True}, ("1", "2", "3"), NUMBERED),
        ("1,2\n.1,.2\n.4,.5\n", {"header": False, "ids": False}, ("system1", "system2"), (*NUMBERED, "query3")),
        ("tag,301,302\nbm25,.1,.2\nltr,.3,.4\n", {"header": True}, QUERIES, ("bm25", "ltr")),
        ("system,301,302\na,.1,.3\nb,.2,.4\n", {"rows": "systems"}, AB, QUERIES),
        (".1,.3\n.2,.4\n", {"rows": "systems"}, ("system1", "system2"), NUMBERED),
    ],
)
def test_names_are_found_where_they_are(text, options, systems, queries):
    scores = read(text, **options)
    assert (scores.systems, scores.queries) == (systems, queries)
    assert scores.matrix().shape == (len(systems), len(queries))
    if ".1" in text and len(systems) == len(queries) == 2:
        assert scores.matrix()[:, 0].tolist() == [0.1, 0.2]


MAY_BE = "the first column may be a system or the numbers of the queries"
GAPS = [f"topic,a,b\n1,.1,.2\n2,.3,{gap}\n3,{gap},.4\n4,.2,.7\n" for gap in ("", "NA", "nan", "-")]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        *(
            (
                "x,a,b\n" + "".join(f"{number},.{at},.5\n" for at, number in enumerate(numbers)),
                {},
                f"{MAY_BE}.*\n.*\n.*ids=True",
            )
            for numbers in ("123", (301, 302, 350), (19335, 47923, 87181), (9, 4, 7), ("301.0", "302.0", "303.0"))
        ),
        ("1 5 7\n2 4 4\n3 5 6\n", {}, "may be a system"),
        ("a,b,topic\n.1,.2,1\n.3,.4,2\n", {}, "column 'topic' has the name of an id but is among the systems"),
        # Seen red: with two measures these were systems, and q1/bm25 a query.
        *(
            (
                f"query,system,{names}\nq1,bm25,{cells}\nq1,ltr,{cells}\n",
                {},
                r"one of systems \('system'\).*\n.*system, query and one",
            )
            for names, cells in (("AP", ".5"), ("AP,RR", ".5,.5"))
        ),
        ("topic,a,b\n1,.1,.2\n2,.3,.4\n", {"ids": ["topics"]}, r"has no column 'topics'\ndid you mean 'topic'"),
        ("1,2,3\n.1,.2,.3\n.4,.5,.6\n", {}, "the first line could be scores or numbers of systems"),
        ("tag,301,302\nbm25,.1,.2\nltr,.3,.4\n", {}, "the first line could be scores"),
        ("system,301,302\nbm25,.1,.2\nltr,.3,.4\n", {}, "called 'system', but rows are read as queries"),
        *(
            (text, {}, '2 of 8 cells are empty\n    line 3, b: .*\n    line 4, a: .*\n.*missing="drop"')
            for text in GAPS
        ),
        ("a,b\n.1,.2\n.3,bad\n", {}, "1 of 4 cells are not numbers\n    line 3, b: 'bad'"),
        ("a;b\n0,1;0,2\n0,3;0,4\n", {}, "decimal point"),
        ("a,b\n" + ".1,x\n" * 10, {}, "… and 7 more"),
        ("a,b\n.1,inf\n.3,.4\n", {}, "infinite"),
        ("a,b\n.1,-nan\n.3,.4\n", {}, "1 of 4 cells are empty"),  # seen red: taken as a score
        ('a b\n.1 ".2\n3"\n.3 .4\n', {}, r"1 of 4 cells are not numbers\n    line 2, b: '.2\\n3'"),  # seen red: .23
        ("a,b,c\n.1,.2,.3\n.1,.2\n.3,.2,.1\n", {}, "1 of 3 rows do not have the 3 cells of the others\n    line 3: 2"),
        ("a,b,c,d\n.1,.2\n.3,.4\n", {}, "the header names 4 columns, the rows have 2"),
        ("", {}, "is empty"),
        ("a,b\n", {}, "rows of scores: 0; at least 2"),
        ("a,b\n.1,.2\n", {}, "rows of scores: 1; at least 2"),
        ("a\n.1\n.2\n", {}, "columns of scores: 1; at least 2"),
        ("topic,a\n1,.1\n2,.2\n", {}, "columns of scores: 1; at least 2"),
        ("a,a\n.1,.2\n.3,.4\n", {}, "duplicate system name"),
        ("topic,a,b\n1,.1,.2\n1,.3,.4\n", {}, "duplicate query name"),
    ],
)
def test_what_is_no_matrix_or_may_be_two_is_refused(text, options, message):
    with pytest.raises(DataError, match=message):
        read(text, **options)


@pytest.mark.parametrize("text", GAPS)
def test_empty_cells_are_missing_or_0_where_somebody_says_so(text):
    assert np.isnan(read(text, missing="drop").matrix()).sum() == 2
    assert read(text, missing="zero").matrix()[1, 1] == 0


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
