from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rankgauge import evaluate, read_judgments, read_run
from rankgauge.data.read.json import Members, line_of, parse
from rankgauge.errors import DataError


def run(folder, text, name="run.json"):
    (folder / name).write_text(text)
    return read_run(folder / name).to_polars().rows()


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": {"a": 2, "b": 1.0}}',
        '{"q1": {"a": "2", "b": "1"}}',
        '[{"qid": "q1", "docid": "a", "score": 2}, {"qid": "q1", "docid": "b", "score": true}]',
        '{"q1": [{"doc_id": "a", "score": 2}, {"doc_id": "b", "score": 1}]}',
        '{"meta": 1, "rows": [{"query": "q1", "results": {"a": 2, "b": 1}}]}',
        '{"query": "q1", "results": [{"docId": "a", "score": 2}, {"docId": "b", "score": 1}]}',
        '[{"score": 2, "docid": "a", "qid": "q1"}, {"qid": "q1", "docid": "b", "score": 1, "more": []}]',
    ],
)
def test_every_shape_gives_the_same_rows(tmp_path, text):
    assert run(tmp_path, text) == [("q1", "a", 2.0), ("q1", "b", 1.0)]


@pytest.mark.parametrize(
    "text",
    [
        '{"q1": ["a", 7]}',
        '[{"user": "q1", "items": ["a", 7]}]',
        '[{"qid": "q1", "docid": "a", "rank": 1}, {"qid": "q1", "docid": 7, "rank": 2}]',
    ],
)
def test_an_order_becomes_scores(tmp_path, text):
    assert run(tmp_path, text) == [("q1", "a", -1.0), ("q1", "7", -2.0)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[{"qid": "q", "docid": "a", "rank": 1},\n{"qid": "q", "docid": "b", "score": 2}]', "line 2: a score here"),
        ('[{"qid": "q", "docid": "a", "score": 1},\n3]', "line 2: 3 where a record is expected"),
        ('[{"qid": "q", "docid": null, "score": 1}]', "line 1: document None"),
        ('[{"qid": "q",\n"docid": 1.5, "score": 1}]', r"line 1: document 1\.5"),
        ('[{"qid": true, "docid": "a", "score": 1}]', "line 1: query True"),
        ('{"q": {"": 1}}', "line 1: document ''"),
        ('{"q": {"\\ud800": 1}}', "no proper id"),
        ('{"q": {"a": null,\n"b": [1]}}', r"line 2: score \[1\] of query q, document b"),
        ('{"q": {"a": 1%s}}' % ("0" * 400), "score inf of query q, document a"),
        ('{"q":\n{"a": 1%s}}' % ("0" * 5000), "line 2: score inf of query q, document a"),
        ("[" * 100_000, "cannot be read"),
        ("3", "3"),
        ("{}", "no documents"),
        ("[]", "no documents"),
        ('{"words": "x", "other": 3}', "where documents are expected"),
    ],
)
def test_what_does_not_fit_is_named_by_its_line(tmp_path, text, message):
    (tmp_path / "run.json").write_text(text)
    with pytest.raises(DataError, match=message):
        evaluate({"q": {"a": 1}}, tmp_path / "run.json")


@pytest.mark.parametrize("at", range(3))
def test_a_record_without_a_value_among_others_is_refused_wherever_it_is(tmp_path, at):
    """Seen red: it counted as 1."""
    records = [{"query": "q", "document": f"d{n}", **({} if n == at else {"grade": 0})} for n in range(3)]
    path = tmp_path / "j.jsonl"
    path.write_text("\n".join(map(json.dumps, records)))
    line, words = (2, "a value here, none elsewhere") if at == 0 else (at + 1, "no value here, one elsewhere")
    with pytest.raises(DataError, match=f"line {line}: {words}"):
        evaluate(path, {"q": {"d1": 1}})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"queries": {"q": "t"},\n"relevant_docs": {"q": ["a"],\n"p": ["a",\n"a"]}}', r"line 4: .*first on line 3"),
        ('{"q": {"retrieved": [],\n"relevant": ["a",\n""]}}', "line 3: document ''"),
        ('{"q": {"relevant": ["a",\n"a"],\n"more":\n[1, 2]}}', r"line 2: .*first on line 1"),
    ],
)
def test_lines_are_those_of_what_a_file_keeps_beside_other_things(tmp_path, text, message):
    """Seen red: lines of other members, or none."""
    (tmp_path / "j.json").write_text(text)
    with pytest.raises(DataError, match=message):
        evaluate(tmp_path / "j.json", {"q": {"a": 1}})


def test_lines_are_read_alone(tmp_path):
    good = '{"qid": "q", "docid": "a", "grade": 1}\n'
    (tmp_path / "j.jsonl").write_bytes(good.encode() + b'{"qid": "q", "docid": "\xff", "grade": 1}\n\n')
    with pytest.raises(DataError, match="1 of 2 lines is not UTF-8 text\n    line 2"):
        read_judgments(tmp_path / "j.jsonl").to_polars()


TREES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text('ab:,{["\\', max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text('ab:,{["\\', max_size=3), inner, max_size=4),
    max_leaves=12,
)


@given(TREES, st.integers(0, 3))
def test_the_line_of_every_value_is_found(tree, indent):
    text = json.dumps(tree, indent=indent)
    starts = list(_values(parse(text), ()))
    lines = [line_of(text, path) for path in starts]
    assert None not in lines
    assert lines == sorted(lines, key=lambda line: line or 0)
    if isinstance(tree, list):
        firsts = [line_of(text, (at,)) for at in range(len(tree))]
        assert len(set(firsts)) == len(firsts)


def _values(tree, path):
    yield path
    if isinstance(tree, list):
        for at, element in enumerate(tree):
            yield from _values(element[1] if isinstance(tree, Members) else element, (*path, at))
