"""Golden questions in the shapes that people have: records that list the documents of their query."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import rankgauge as rg
from rankgauge.errors import DataError

RAGAS = [
    {"user_input": "how?", "reference_context_ids": ["d1"], "retrieved_context_ids": ["d1", "x"], "reference": "so"},
    {"user_input": "why?", "reference_context_ids": ["d3"], "retrieved_context_ids": ["x", "d3"], "reference": "as"},
]
TEXTS = [
    {"user_input": "how?", "reference_contexts": ["like this"], "retrieved_contexts": ["like this", "x"]},
    {"user_input": "why?", "reference_contexts": ["because"], "retrieved_contexts": ["x", "because"]},
]
LANGCHAIN = [
    {"query": "how?", "expected": ["d1"], "documents": [{"page_content": "…", "metadata": {"id": "d1"}}]},
    {"query": "why?", "expected": ["d2"], "documents": [{"page_content": "…", "metadata": {"id": i}} for i in "x2"]},
]
OBJECTS = [
    {"id": 1, "expected": ["a"], "retrieved": [{"id": "a", "score": 0.9}, {"id": "b", "score": 0.8}]},
    {"id": 2, "expected": ["b"], "retrieved": [{"id": "b", "score": 0.1}, {"id": "a", "score": 0.8}]},
]
SEARCH = [
    {"id": "g1", "relevant_doc_id": "a", "hits": [{"_id": "a", "_score": 2.5, "_source": {"title": "…"}}]},
    {"id": "g2", "relevant_doc_id": "a", "hits": [{"_id": "b", "_score": 2.5, "_source": {"title": "…"}}]},
]
PLAIN = [
    {"id": "g1", "question": "how?", "expected_ids": ["d1"], "retrieved_ids": ["d1", "x"]},
    {"id": "g2", "question": "why?", "expected_ids": ["d3"], "retrieved_ids": ["x", "d3"]},
]
SHAPES = {"ragas": RAGAS, "texts": TEXTS, "objects": OBJECTS, "search": SEARCH, "plain": PLAIN}


def written(path: Path, rows: list[dict[str, Any]]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def first(judged: Any, run: Any) -> float:
    (mean,) = rg.evaluate(judged, run, "hit@1").mean().values()
    return mean["hit@1"]


@pytest.mark.parametrize("shape", SHAPES)
def test_usual_shapes_are_read_from_files_lists_and_frames(shape: str, tmp_path: Path) -> None:
    rows = SHAPES[shape]
    path = written(tmp_path / "eval.jsonl", rows)
    assert first(path, path) == 0.5
    assert first(rows, rows) == 0.5
    assert first(iter(rows), iter(rows)) == 0.5
    assert first(pl.DataFrame(rows), pl.DataFrame(rows)) == 0.5
    assert first(pd.DataFrame(rows), pd.DataFrame(rows)) == 0.5


def test_documents_as_objects_may_keep_their_id_in_the_metadata(tmp_path: Path) -> None:
    path = written(tmp_path / "chain.jsonl", LANGCHAIN)
    assert first(f"{path}:expected", f"{path}:documents") == 0.5
    nameless = written(tmp_path / "nameless.jsonl", [{"query": "how?", "expected": ["a"], "hits": [{"text": "…"}]}])
    with pytest.raises(DataError, match="no column for the document"):
        first(nameless, nameless)


def test_python_takes_the_field_after_the_path_as_the_command_does(tmp_path: Path) -> None:
    path = written(tmp_path / "odd.jsonl", [{"id": "g1", "right": ["a", "b"], "wrong": ["c"], "mine": ["b", "a"]}])
    scores = rg.evaluate(f"{path}:right", {"mine": f"{path}:mine"}, "RR R@1")
    assert scores.mean() == {"mine": {"RR": 1.0, "R@1": 0.5}}
    with pytest.raises(DataError, match="no field 'correct'"):
        rg.evaluate(f"{path}:correct", f"{path}:mine")


def test_what_was_retrieved_is_never_taken_as_what_is_relevant(tmp_path: Path) -> None:
    path = written(tmp_path / "half.jsonl", [{"id": "g1", "answer": "42", "retrieved_ids": ["a", "b"]}])
    with pytest.raises(DataError, match="no field is known to list the relevant documents"):
        rg.evaluate(path, path)
    text = written(tmp_path / "answer.jsonl", [{"id": "g1", "ground_truth": "It is 42.", "retrieved_ids": ["a"]}])
    with pytest.raises(DataError, match="no field is known to list the relevant documents"):
        rg.evaluate(text, text)


def test_one_document_may_stand_without_brackets(tmp_path: Path) -> None:
    path = written(tmp_path / "one.jsonl", [{"query": "how?", "relevant": "d1", "results": ["d1", "d2"]}])
    assert first(f"{path}:relevant", path) == 1.0


def test_a_failed_query_is_none_in_python_too() -> None:
    judged, run = {"g1": ["a"], "g2": ["b"]}, {"g1": ["a"], "g2": None}
    scores = rg.evaluate(judged, run, "hit@1")
    assert scores.mean() == {"run": {"Success@1": 0.5}}
    assert [note.examples for note in scores.notes if note.kind == "missing-queries"] == [("g2",)]
    assert first(judged, {"mine": {"g1": None, "g2": ["b"]}}) == 0.5


CONTEXTS = [
    {"id": 1, "ground_truth": "Yes.", "relevant_docs": [{"id": "a"}], "contexts": [{"id": "a", "text": "…"}]},
    {"id": 2, "ground_truth": "No.", "relevant_docs": [{"id": "b"}], "contexts": [{"id": "x", "text": "…"}]},
]
BESIDE = {"config": {"k": 3}, "results": PLAIN}
BY_QUERY = {row["id"]: {name: cell for name, cell in row.items() if name != "id"} for row in PLAIN}
DATASET = {
    "queries": {"g1": "how?", "g2": "why?"},
    "relevant_docs": {"g1": ["d1"], "g2": ["d3"]},
    "corpus": {"d1": "…"},
}


@pytest.mark.parametrize("tree", [CONTEXTS, BESIDE, BY_QUERY], ids=["contexts", "beside a config", "by query"])
def test_a_file_of_json_holds_the_records_beside_or_below_other_things(tree: Any, tmp_path: Path) -> None:
    path = tmp_path / "eval.json"
    path.write_text(json.dumps(tree))
    assert first(str(path), str(path)) == 0.5


@pytest.mark.parametrize("part", ["", ":relevant_docs"])
def test_judgments_beside_queries_and_corpus(part: str, tmp_path: Path) -> None:
    path = tmp_path / "dataset.json"
    path.write_text(json.dumps(DATASET))
    assert first(f"{path}{part}", {"g1": ["d1"], "g2": ["x", "d3"]}) == 0.5


@pytest.mark.parametrize("at", [0, 1])
def test_a_record_without_the_list_is_a_failed_query_or_not_judged(at: int, tmp_path: Path) -> None:
    failed = [dict(row) for row in PLAIN]
    del failed[at]["retrieved_ids"]
    path = written(tmp_path / "failed.jsonl", failed)
    scores = rg.evaluate(path, path, "R@5")
    assert scores.mean() == {"failed": {"R@5": 0.5}}
    assert [note.examples for note in scores.notes if note.kind == "missing-queries"] == [(f"g{at + 1}",)]
    bare = [dict(row) for row in PLAIN]
    del bare[at]["expected_ids"]
    path = written(tmp_path / "bare.jsonl", bare)
    scores = rg.evaluate(path, path, "R@5")
    assert scores.mean() == {"bare": {"R@5": 1.0}}
    assert [note.examples for note in scores.notes if note.kind == "unjudged-queries"] == [(f"g{at + 1}",)]


def test_two_lists_of_one_query_are_no_ranking(tmp_path: Path) -> None:
    rows = [row | {"id": "g1"} for row in PLAIN]
    path = written(tmp_path / "twice.jsonl", rows)
    with pytest.raises(DataError, match="query g1 has more than one list of retrieved documents") as caught:
        rg.evaluate(path, path)
    assert "line 2" in str(caught.value)
    assert first(rg.Judgments(path, query="question"), rg.Run(path, query="question")) == 0.5


DEEP = [
    {"id": "g1", "expected": {"ids": ["a"]}, "output": {"docs": [{"meta": {"url": "a"}}, {"meta": {"url": "b"}}]}},
    {"id": "g2", "expected": {"ids": ["b"]}, "output": {"docs": [{"meta": {"url": "a"}}, {"meta": {"url": "b"}}]}},
]


def test_fields_of_inner_objects_are_named_by_their_path(tmp_path: Path) -> None:
    path = written(tmp_path / "deep.jsonl", DEEP)
    with pytest.raises(DataError, match=r"FILE:expected\.ids"):
        rg.evaluate(path, path)
    judged = f"{path}:expected.ids"
    with pytest.raises(DataError, match=r"Run\(table, document='meta\.url'\)"):
        rg.evaluate(judged, f"{path}:output.docs")
    assert first(judged, rg.Run(f"{path}:output.docs", document="meta.url")) == 0.5


def test_the_error_never_offers_what_was_retrieved_as_what_is_relevant(tmp_path: Path) -> None:
    path = written(tmp_path / "half.jsonl", [{"id": "g1", "retrieved_ids": ["a", "b"]}])
    with pytest.raises(DataError, match="The fields are id, retrieved_ids") as caught:
        rg.evaluate(path, path)
    assert "FILE:retrieved_ids" not in str(caught.value)


def test_columns_of_records_are_named_as_the_error_says(tmp_path: Path) -> None:
    judged = written(tmp_path / "bought.jsonl", [{"customer": 1, "sku": "a", "times": 2}])
    run = written(tmp_path / "mine.jsonl", [{"customer": 1, "sku": sku, "p": p} for sku, p in (("b", 2), ("a", 1))])
    with pytest.raises(DataError, match=r"Judgments\(table, query='customer', document='sku', value='times'\)"):
        rg.evaluate(judged, run)
    named = {"query": "customer", "document": "sku"}
    assert first(rg.Judgments(judged, value="times", **named), rg.Run(run, score="p", **named)) == 0.0


@pytest.mark.parametrize(
    "line",
    [
        '{"question": "q1", "relevant": ["a"], "relevant": ["b"]}',
        '{"question": "q1", "question": "q2", "relevant": ["a"]}',
        '{"query_id": "q1", "doc_id": "a", "grade": 1, "grade": 0}',
    ],
)
def test_a_name_that_stands_twice_in_a_record_is_refused(line, tmp_path):
    path = tmp_path / "twice.jsonl"
    path.write_text(line + "\n")
    with pytest.raises(DataError, match=r"line 1: '(relevant|question|grade)' stands twice in a record"):
        rg.evaluate(path, {"q1": {"a": 1.0}}, "RR")


def test_a_record_below_its_query_may_repeat_the_query(tmp_path):
    path = tmp_path / "inside.json"
    path.write_text('{"q1": {"query_id": "q1", "relevant": ["a"]}}')
    assert rg.evaluate(path, {"q1": {"a": 1.0}}, "RR").values.item() == 1


ONE_LIST = [{"query_id": "q1", "tags": ["a", "b"]}, {"query_id": "q2", "tags": ["c"]}]
SAME = "the list 'tags' is taken both as the relevant and as the retrieved documents"


@pytest.mark.parametrize("call", [("", ""), (":tags", ""), ("", ":tags")])
@pytest.mark.parametrize("like", [None, "lightgbm"])
def test_one_list_of_a_file_is_not_both_relevant_and_retrieved(
    call: tuple[str, str], like: str | None, tmp_path: Path
) -> None:
    path = written(tmp_path / "e.jsonl", ONE_LIST)
    with pytest.raises(DataError, match=SAME) as caught:
        rg.evaluate(f"{path}{call[0]}", f"{path}{call[1]}", like=like)
    assert f"{path}:expected_ids {path}:retrieved_ids" in str(caught.value)
    assert SAME in str(rg.check(path, path).errors[0])
    other = written(tmp_path / "other.jsonl", ONE_LIST)
    assert rg.evaluate(path, other).mean() == {"other": {"nDCG@10": 1.0}}


@pytest.mark.parametrize("form", [list, pl.DataFrame, pd.DataFrame])
def test_one_list_of_records_in_memory_is_not_both(form: Any) -> None:
    rows = form(ONE_LIST)
    for run in (rows, {"mine": rows}, rg.Run(rows)):
        with pytest.raises(DataError, match=SAME) as caught:
            rg.evaluate(rows, run)
        assert 'Judgments(records, value="expected_ids")' in str(caught.value)
    assert rg.evaluate(rows, form([dict(row) for row in ONE_LIST])).mean() == {"run": {"nDCG@10": 1.0}}
    both = form(PLAIN)
    named = rg.evaluate(rg.Judgments(both, value="expected_ids"), rg.Run(both, score="retrieved_ids"), "hit@1")
    assert named.mean() == {"run": {"Success@1": 0.5}}


GOOD = ['{"question_id": "q1", "expected_ids": ["a"], "retrieved_ids": ["a", "x"]}'] * 2
GOOD[1] = GOOD[1].replace("q1", "q3")
ODD = [
    *((f'{{"question_id": {name}, "expected_ids": ["b"], "retrieved_ids": ["a"]}}', f"query {shown}") for name, shown in (
        ("null", "None"), ("1.5", "1.5"), ('""', "''"), ("true", "True"), ('"\\ud800"', r"'\ud800'"),
    )),
    ('{"question": "how?", "expected_ids": ["b"], "retrieved_ids": ["a"]}', "the query in 'question', elsewhere in 'question_id'"),
    ('{"question_id": null, "question": "how?", "expected_ids": ["b"], "retrieved_ids": ["a"]}', "the query in 'question'"),
    ('{"question_id": "q2", "expected_ids": "a,b", "retrieved_ids": "a,b"}', "query q2: 'a,b' where a list of documents is expected"),
    ('{"question_id": "q2", "expected_ids": 1.5, "retrieved_ids": 1.5}', "query q2: 1.5 where documents are expected"),
    ('{"question_id": "q2", "expected_ids": [{"id": "b", "score": -5}, {"id": "a"}], "retrieved_ids": ["a"]}', "query q2, document a has no value, unlike others of its list"),
    ('{"question_id": "q2", "expected_ids": ["b"], "retrieved_ids": [{"id": "b", "score": -5}, {"id": "a"}]}', "query q2, document a has no score, unlike others of its list"),
    ('{"question_id": "q2", "expected_ids": ["b"], "retrieved_ids": [{"id": "b", "score": -5}, "a"]}', "query q2, document a has no score, unlike"),
    ('{"question_id": "q2", "expected_ids": ["b"], "retrieved_ids": [{"id": "b", "rank": 2}, {"id": "a"}]}', "query q2, document a has no score, unlike"),
]  # fmt: skip


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize(("odd", "message"), ODD)
def test_a_record_that_does_not_fit_the_others_is_refused_with_its_line(
    at: int, odd: str, message: str, tmp_path: Path
) -> None:
    """Seen red: the query was left out of the mean, or missing from the run, and nobody said so."""
    path = tmp_path / "e.jsonl"
    path.write_text("\n".join([*GOOD[:at], odd, *GOOD[at:]]))
    for judged, run in ((path, path), (f"{path}:expected_ids", f"{path}:retrieved_ids")):
        with pytest.raises(DataError) as caught:
            rg.evaluate(judged, run, "hit@1")
        # The first record decides which field names the query.
        line, words = (
            (2, "in 'question_id', elsewhere in 'question'")
            if at == 0 and "'question'" in message
            else (at + 1, message)
        )
        assert re.search(rf"(?m)^    line {line}: .*{re.escape(words)}", str(caught.value))
    assert not rg.check(path, path).is_sound


@pytest.mark.parametrize("at", range(3))
@pytest.mark.parametrize(
    ("odd", "hits"),
    [
        ('{"question_id": "q2", "expected_ids": "b", "retrieved_ids": "b"}', 1.0),
        ('{"question_id": "q2", "expected_ids": 7, "retrieved_ids": "7"}', 1.0),
        ('{"question_id": 2, "expected_ids": ["b"], "retrieved_ids": [{"id": "a", "rank": 2}, {"id": "b", "rank": 1}]}', 1.0),
        ('{"question_id": 2, "expected_ids": ["b"], "retrieved_ids": [{"id": "b"}, {"id": "a"}]}', 1.0),
        ('{"question_id": 2, "expected_ids": ["b"], "retrieved_ids": [{"id": "b", "score": 3}, {"id": "a", "score": 5}]}', 2 / 3),
        ('{"question_id": 2, "expected_ids": ["b"], "retrieved_ids": []}', 2 / 3),
    ],
)  # fmt: skip
def test_every_way_to_list_documents_may_be_on_any_line(at: int, odd: str, hits: float, tmp_path: Path) -> None:
    path = tmp_path / "e.jsonl"
    path.write_text("\n".join([*GOOD[:at], odd, *GOOD[at:]]))
    assert first(path, path) == first(f"{path}:expected_ids", f"{path}:retrieved_ids") == pytest.approx(hits)


def test_an_answer_is_no_document_where_contexts_are_listed(tmp_path: Path) -> None:
    """The old fields of Ragas."""
    rows = [{"question": "how?", "ground_truth": ["So."], "reference_contexts": ["a"], "retrieved_contexts": ["a"]}]
    path = written(tmp_path / "old.jsonl", rows)
    assert first(path, path) == first(rows, rows) == 1.0
