from __future__ import annotations

import pytest

from rankgauge.data.columns import Picked, pick
from rankgauge.data.read.kind import Form, detect
from rankgauge.data.table import NAMES, Wanted
from rankgauge.errors import DataError


@pytest.mark.parametrize(
    ("name", "head", "form"),
    [
        ("a.qrels", "q1 0 d 1\n", Form("trec")),
        ("anything", "q1 Q0 d 1 2.5 t\n", Form("trec")),
        ("qrels.dev.tsv", "q1\t0\td\t1\n", Form("trec")),
        ("run.dev.tsv", "q1\td\t1\n", Form("trec")),
        ("qrels.tsv", "query-id\tcorpus-id\tscore\nq\td\t1\n", Form("delimited", "\t")),
        ("a.csv", "query,item,rating\nq,d,1\n", Form("delimited", ",")),
        ("a.csv", "query;item;rating\nq;d;1\n", Form("delimited", ";")),
        ("a.csv", '"qid","docno","rel"\n', Form("delimited", ",")),
        ("a.csv", "x,y,z\n", Form("delimited", ",")),
        ("noname", "user_id,item_id,score\n", Form("delimited", ",")),
        ("a.json", '{"q": {"d": 1}}', Form("json")),
        ("a.json", '{"qid": 1}\n{"qid": 2}\n', Form("jsonl")),
        ("a.json", '{\n "q": {"d": 1}}', Form("json")),
        ("noname", '[{"qid": 1}]', Form("json")),
        ("noname", '\ufeff{"qid": 1}\n{"qid": 2}', Form("jsonl")),
        ("a.jsonl", "whatever", Form("jsonl")),
        ("a.parquet", "whatever", Form("parquet")),
        ("noname", "PAR1\0", Form("parquet")),
        ("a.txt", "# qid:1: rambo\n4\tqid:1\t # 7555\trambo\n", Form("letor")),
        ("a.txt", "2 1:0.74 6:0.87\n", Form("letor")),
        ("a.txt", "a\0b", Form("binary")),
        ("a.csv", "", Form("trec")),
    ],
)
def test_the_kind_is_known_by_ending_or_by_the_first_lines(name, head, form):
    assert detect(name, head.encode()) == form


@pytest.mark.parametrize("role", ["query", "document", "value"])
def test_every_alias_is_known_however_it_is_written(role):
    usual = {"query": "qid", "document": "docid", "value": "grade"}
    for name in NAMES[role]:
        for spelled in (name, name.upper(), name.replace("_", "-"), name.replace("_", " ").title().replace(" ", "")):
            columns = [spelled if other == role else alias for other, alias in usual.items()]
            assert isinstance(pick(columns, Wanted("value"), "x"), Picked), spelled


def test_of_several_candidates_the_surer_name_is_taken_and_told():
    # What PyTerrier writes: the words of the query and an internal number beside the ids.
    picked = pick(["qid", "query", "docid", "docno", "rank", "score"], Wanted("score"), "x")
    assert isinstance(picked, Picked)
    assert (picked.query, picked.document, picked.number, picked.is_rank) == (0, 3, 5, False)
    assert [remark.text for remark in picked.remarks] == [
        "column 'qid' is taken as the query, not 'query'",
        "column 'docno' is taken as the document, not 'docid'",
    ]


def test_a_score_is_a_judged_value_as_beir_has_it_unless_ranks_or_systems_say_run():
    beir = pick(["query-id", "corpus-id", "score"], Wanted("value"), "x")
    assert isinstance(beir, Picked)
    assert beir.number == 2
    for more in ("rank", "system"):
        with pytest.raises(DataError) as fault:
            pick(["query-id", "corpus-id", "score", more], Wanted("value"), "x")
        assert fault.value.note.kind == "wrong-kind"


def test_a_column_named_outright_is_taken():
    picked = pick(["qid", "docid", "BM25 score", "grade"], Wanted("score", "bm25_score"), "x")
    assert isinstance(picked, Picked)
    assert picked.number == 2
