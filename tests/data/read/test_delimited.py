from __future__ import annotations

import pytest

from rankgauge import check, evaluate, read_judgments, read_run
from rankgauge.errors import DataError

HEAD = "query_id,doc_id,score,rank\n"


def read(folder, text, name="run.csv"):
    (folder / name).write_bytes(text.encode())
    return read_run(folder / name).to_polars().rows()


LONG = ((1 << 18) - 3 * 10 - len(HEAD)) // 4  # of four rows like these
LAYOUTS = {
    HEAD: ["q1,a,0.7,1", "q1,b,0.6,2", "q1,c,0.5,3"],
    "query,document,rank,score\n": ["q1,a,1,90", "q1,b,2,80", "q1,c,3,70"],
    "query,document,score,title\n": ["q1,a,9,x", "q1,b,8,y", '"q1",c,7,"z, z\n"'],
    "query,document,score\n": ["q1,a,9", "q1,b,8", "q1,c,7"],
    "score,title,document,query\n": ["9,x,a,q1", '8,"y ""y"", y",b,q1', "7,z,c,q1"],
}


@pytest.mark.parametrize("sign", [",", ";", "\t", "|"])
@pytest.mark.parametrize("head", LAYOUTS)
def test_a_row_with_other_fields_is_never_shifted_into_place(tmp_path, head, sign):
    width, name = head.count(",") + 1, "run.tsv" if sign == "\t" else "run.csv"
    for at in range(3):
        for odd, fields in (("q1,b,2,0,95", 5), ("q1,b,2,0,", 5), ("b,2", 2), ('q1,"b"', 2), ("q1,b,2,0,9,8", 6)):
            rows = [*LAYOUTS[head][:at], odd, *LAYOUTS[head][at + 1 :]]
            line = 2 + at + sum(row.count("\n") for row in rows[:at])
            shown = odd.replace('"', "").replace(",", " " if sign == "\t" else sign)
            for quoted in (head + "\n".join(rows), head + "\n".join(rows).replace("q1,", '"q1",')):
                with pytest.raises(DataError) as caught:
                    read(tmp_path, quoted.replace(",", sign), name)
                lines = str(caught.value).splitlines()
                assert lines[0] == f"{tmp_path / name}: 1 of 3 lines does not have {width} fields"
                assert lines[1].strip() == f"line {line}: {shown}  ({fields} fields)"
                assert not check({"q1": {"a": 1}}, tmp_path / name).is_sound


@pytest.mark.parametrize(
    ("cell", "meant"),
    [
        *(
            ("a", "a"),
            ('"a"', "a"),
            ('"a""b"', 'a"b'),
            ('"a,b"', "a,b"),
            ('"a\n"', "a\n"),
            ('"a\r"', "a\r"),
            ('a"b', 'a"b'),
        ),
        *(("a'b", "a'b"), (' "a"', ' "a"'), ('"a"b', None), ('"a" ', None), ('"a', None), ("a\rb", None), ('""', None)),
    ],
)
def test_what_is_between_separators_is_one_cell_wherever_it_is(tmp_path, cell, meant):
    """Also where the bytes that are looked at together end inside it."""
    for length in (1, *range(LONG - 8, LONG + 3)):
        start = HEAD + "".join(f"q{n},{'d' * length},2,1\n" for n in range(4))
        if meant is None:
            with pytest.raises(DataError, match=r"line [56]"):
                read(tmp_path, start + f"q,{cell},3,1\nq,b,4,2\n")
        else:
            rows = read(tmp_path, start + f"q,{cell},3,1\nq,b,4,2\n")
            assert rows[4:] == [("q", meant, 3.0), ("q", "b", 4.0)]


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
