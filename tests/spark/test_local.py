"""Spark in this machine's memory, with workers in processes of their own."""

from __future__ import annotations

import subprocess
import sys

import polars as pl
import pytest
from click.testing import CliRunner

from evaluation.spark.awkward import awkward, every_measure, same, told
from rankgauge import Policy, evaluate, measures, read_judgments, read_run
from rankgauge.cli.main import cli
from rankgauge.errors import DataError, MeasureError, PolicyError, UsageError
from rankgauge.evaluation.spark.engine import _probe, buckets_for
from spark.processes import ended_halfway, python_workers

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def data():
    return awkward()


@pytest.fixture(scope="module")
def tables(local, data):
    judged, runs = (local.createDataFrame(frame.to_arrow()).cache() for frame in (data.judged, data.returned))
    return judged, runs


@pytest.fixture(scope="module")
def here(data):
    return evaluate(data.judgments, data.runs, every_measure())


@pytest.mark.parametrize("buckets", [1, 8, 64])
def test_every_measure_has_the_same_bits_as_in_one_process(tables, here, buckets):
    there = evaluate(*tables, every_measure(), buckets=buckets)
    assert there.systems == tuple(sorted(here.systems))
    assert there.queries == tuple(sorted(here.queries))
    assert same(here, there)
    assert there.mean() == here.mean()
    assert told(there.notes) == told(here.notes)


def test_means_alone_have_the_same_bits_and_notes(tables, here):
    means = evaluate(*tables, every_measure(), buckets=8, per_query=False)
    assert means.mean() == here.mean()
    assert means.queries == len(here.queries)
    assert means.counts.tolist() == here.means().counts.tolist()
    assert told(means.notes) == told(here.notes)


def test_chosen_and_weighted_queries_count_as_in_one_process(tables, data):
    weights = {query: 1 / (at + 3) for at, query in enumerate(data.judgments)}
    only = [*list(data.judgments)[:20], "nobody"]
    options = {"only": only, "weights": weights, "policy": Policy(ties="mean", missing="drop")}
    whole = evaluate(data.judgments, data.runs, "nDCG@10 GMAP", **options)
    there = evaluate(*tables, "nDCG@10 GMAP", **options)
    assert same(whole, there)
    assert there.mean() == whole.mean()
    assert told(there.notes) == told(whole.notes)
    assert evaluate(*tables, "nDCG@10 GMAP", **options, per_query=False).mean() == whole.mean()


def test_a_real_collection_has_the_same_bits(local, real):
    judgments, runs = read_judgments(real.judgments), [read_run(path) for path in real.runs]
    named = [run.to_polars().with_columns(system=pl.lit(run.name)) for run in runs]
    judged, returned = (local.createDataFrame(f.to_arrow()) for f in (judgments.to_polars(), pl.concat(named)))
    graded = judgments.to_polars()["value"].max() > 2  # levels(…) of every_measure() has gains for two grades
    measures = [one for one in every_measure() if not (graded and "levels" in str(one))]
    chosen = {measure.definition.name: measure for measure in measures}.values()
    whole, there = (evaluate(*pair, chosen) for pair in ((judgments, runs), (judged, returned)))
    assert len(there.systems) == len(runs)
    assert same(whole, there)
    assert there.mean() == whole.mean()


def test_tables_may_be_many_have_other_names_and_come_from_elsewhere(local, data):
    runs = {}
    for name, run in data.runs.items():
        flat = [(q, d, s) for q, found in run.items() for d, s in found.items()]
        runs[name] = local.createDataFrame(flat, "`query-id` string, item_id string, Score float")
    (first, frame), *_ = runs.items()
    rounded = {q: {d: float(f"{s:.1f}") for d, s in found.items()} for q, found in data.runs[first].items()}
    mixed = {**runs, first: rounded}
    whole = evaluate(data.judgments, data.runs, "nDCG@10 AP")
    assert evaluate(data.judgments, {"one": frame}, "nDCG@10").mean()["one"]["nDCG@10"] == pytest.approx(
        whole.mean()[first]["nDCG@10"]
    )
    there = evaluate(data.judgments, mixed, "nDCG@10 AP")
    assert there.systems == tuple(data.runs)
    assert there.mean()[first] == whole.mean()[first]
    assert evaluate(data.judgments, frame, "nDCG@10").systems == ("run",)


def test_ranks_stand_in_for_scores(local):
    judged = local.createDataFrame([(1, "a", 2), (1, "b", 1)], "qid int, docno string, rel int")
    ranked = local.createDataFrame([(1, "b", 1), (1, "a", 2)], "qid int, docno string, rank int")
    as_dicts = evaluate({"1": {"a": 2, "b": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "nDCG@10")
    assert evaluate(judged, ranked, "nDCG@10").mean() == as_dicts.mean()
    scored = local.createDataFrame([(1, "a", 0.5)], "qid int, docno string, score float")
    both = evaluate(judged, {"one": ranked, "two": scored}, "nDCG@10 P@1").mean()
    assert both["one"]["nDCG@10"] == as_dicts.mean()["run"]["nDCG@10"]


def test_judgments_without_values_count_as_1_and_values_are_taken_where_there_are_some(local):
    judged = local.createDataFrame([(1, 7, 3.0), (2, 8, 0.0)], "userId bigint, movieId bigint, rating float")
    ranked = local.createDataFrame([(1, 7, 0.5), (2, 8, 0.5)], "userId bigint, movieId bigint, score double")
    assert evaluate(judged, ranked, "P@1").mean()["run"] == {"P@1": 0.5}
    bare = evaluate(judged.drop("rating"), ranked, "P@1")
    assert bare.mean()["run"] == {"P@1": 1}
    assert [note.kind for note in bare.notes] == ["no-values"]


BAD = {
    "nan": ("double('nan')", "score nan of query {query}, document {document}"),
    "word": ("'high'", "score 'high' of query {query}, document {document}"),
    "nothing": ("null", "score None of query {query}, document {document}"),
    "twice": (None, "query {query}, document {document}"),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_row_in_one_partition_is_named(tables, data, kind):
    judged, runs = tables
    query, document, _, system = data.returned.row(17)
    this = f"query = '{query}' and document = '{document}' and system = '{system}'"
    expression, message = BAD[kind]
    if expression is None:
        wrong = runs.union(runs.where(this))
    else:
        kept = "cast(score as string)" if kind == "word" else "score"
        wrong = runs.selectExpr("system", "query", "document", f"if({this}, {expression}, {kept}) as score")
    with pytest.raises(DataError) as caught:
        evaluate(judged, wrong, buckets=8)
    assert f"{system} (bucket " in str(caught.value)
    assert message.format(query=query, document=document) in str(caught.value)
    assert "java" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"policy": Policy(missing="error")}, PolicyError, "lacks .* judged queries"),
        ({"policy": Policy(undefined="error")}, PolicyError, "AP is undefined on 1 query, the first"),
        ({"policy": Policy(ties="error")}, PolicyError, "has equal scores at ranks"),
        ({"policy": Policy(ties="order")}, UsageError, "needs rows in a given order"),
        ({"policy": Policy(unjudged="bounds")}, UsageError, "not computed in buckets"),
        ({"measures": measures.define("Own", lambda ranked, judged: 1.0)}, UsageError, "holds a Python function"),
        ({"measures": "nDCG(gain=levels(1))"}, MeasureError, "names 1 gains, but grade 2 was judged"),
        (
            {"measures": "ERR", "policy": Policy(pool="returned")},
            UsageError,
            "needs the highest relevance of all queries",
        ),
        ({"only": "q01"}, UsageError, "only='q01' is one text; give a list of query ids"),
        ({"buckets": 0}, UsageError, "buckets is 0; it must be a whole number of at least 1"),
    ],
)
def test_what_is_refused_in_one_process_is_refused_by_spark(tables, change, error, message):
    with pytest.raises(error, match=message):
        evaluate(*tables, **{"measures": "AP"} | change)


def test_tables_that_do_not_fit_are_told_before_the_work(tables, local, data):
    judged, runs = tables
    cases = [
        ((judged.where("false"), runs), "judgments: contains no judgments"),
        ((judged, runs.where("false")), "runs: contains no documents"),
        ((judged, {"a": runs.drop("system"), "b": runs.drop("system").where("false")}), "b: contains no documents"),
        ((judged, runs.selectExpr("*", "null as x").drop("score")), "no column for the score"),
        ((judged, runs.selectExpr("query", "document", "array(score) as score")), "is not numeric"),
        ((judged.selectExpr("concat('x', query) as query", "document", "value"), runs), "none of its .* queries is"),
        ((judged, [runs.drop("system")] * 2), "two runs are called 'run'"),
        ((judged, runs.selectExpr("query", "document", "score", "if(score > 1, 'a', null) as system")), "empty cells"),
    ]
    for pair, message in cases:
        with pytest.raises(DataError, match=message):
            evaluate(*pair)
    with pytest.raises(UsageError, match="has a column 'system' already"):
        evaluate(judged, {"a": runs})


def test_a_lost_worker_is_explained_and_more_buckets_are_advised(tables, local):
    with ended_halfway(local, python_workers) as happened, pytest.raises(UsageError, match="Use more buckets"):
        evaluate(*tables, every_measure(), buckets=64)
    assert happened["killed"]
    assert evaluate(*tables, "nDCG@10").systems


def test_a_worker_without_packages_is_told_what_to_install(local, tmp_path, monkeypatch):
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path)], check=True)
    bare = str(tmp_path / "bin" / "python")
    monkeypatch.setattr(local.sparkContext, "pythonExec", bare)
    with pytest.raises(UsageError, match=rf"\({bare}, .*\) lacks numpy, polars, pyarrow, pandas\nInstall there"):
        _probe(local)


def test_another_version_of_python_is_explained(tables, local, monkeypatch):
    monkeypatch.setattr(local.sparkContext, "pythonVer", "3.9")
    with pytest.raises(UsageError, match=r"the workers run Python 3\.1\d, this program 3\.9; both must be the same"):
        evaluate(*tables)


def test_a_python_that_is_not_there_is_explained(tables, local, monkeypatch):
    monkeypatch.setenv("PYSPARK_PYTHON", "/nowhere/python")
    monkeypatch.setattr(local.sparkContext, "pythonExec", "/nowhere/python")
    with pytest.raises(UsageError, match="the workers cannot start '/nowhere/python'"):
        evaluate(*tables)


def test_the_command_line_reads_parquet(local, data, tmp_path, here):
    data.judged.write_parquet(tmp_path / "judged.parquet")
    data.returned.write_parquet(tmp_path / "all.parquet")
    one = data.returned.filter(pl.col("system") == "system-01").drop("system")
    one.write_parquet(tmp_path / "one.parquet")

    def text(*runs, form="csv"):
        command = ["evaluate", "--engine", "spark", str(tmp_path / "judged.parquet"), *map(str, runs), "--format", form]
        result = CliRunner().invoke(cli, [*command, "-m", "nDCG@10 AP"], catch_exceptions=False)
        assert result.exit_code == 0, result.output
        return result.stdout

    expected = evaluate(data.judgments, data.runs, "nDCG@10 AP")
    rows = [line.split(",") for line in text(tmp_path / "all.parquet").splitlines()[1:]]
    assert {row[0]: (float(row[1]), float(row[2])) for row in rows} == {
        system: tuple(row.values()) for system, row in expected.mean().items()
    }
    assert text(tmp_path / "one.parquet").splitlines()[1].startswith("one,")
    both = text(f"mine={tmp_path / 'one.parquet'}", tmp_path / "all.parquet", "--means-only", "--buckets", "3")
    assert [line.split(",")[0] for line in sorted(both.splitlines()[1:])] == ["mine", *sorted(data.runs)]
    assert "ndcg_cut_10           \tq01\t" in text(tmp_path / "all.parquet", "--per-query", form="trec")


def test_the_command_line_says_what_is_not_there(local, tmp_path):
    (tmp_path / "text.parquet").write_text("no parquet")
    for path, message in [("nothing.parquet", "there is no such file"), ("text.parquet", "this is not Parquet")]:
        command = ["evaluate", "--engine", "spark", str(tmp_path / path), str(tmp_path / path)]
        with pytest.raises(DataError, match=message):
            CliRunner().invoke(cli, command, catch_exceptions=False)


def test_about_a_million_rows_stand_in_a_bucket():
    assert buckets_for(10, 8) == 1
    assert buckets_for(3_000_000, 2) == 4
    assert buckets_for(3_000_000, 64) == 30
    assert buckets_for(1_000_000_000, 64) == 1000
