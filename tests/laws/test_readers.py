"""Whatever bytes a reader is given, only our own errors come out."""

from __future__ import annotations

import contextlib
import gzip

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from data.collection import JUDGED, SCORED, bare, files, trec_files, write
from rankgauge import read_judgments, read_run, read_runs
from rankgauge.data.about import chosen_queries, read_queries
from rankgauge.data.check import check
from rankgauge.errors import RankgaugeError
from rankgauge.evaluation.evaluate import evaluate

LETOR = "# a comment\n2 qid:1 1:0.5 2:3 # d1\n0 qid:1 1:0.25 # d2\n1 qid:2 2:1e-3 # d1\n"
QUERIES = 'query_id,text,traffic\nq1,rambo,10\nq2,"rocky, again",3\n'
NAMES = ["a", "a.csv", "a.tsv", "a.json", "a.jsonl", "a.parquet", "a.trec", "a.letor", "a.gz", "a.csv.zst"]


def encoded(data):
    return data if isinstance(data, bytes) else data.encode()


VALID = [
    *(
        (name, encoded(make(rows)))
        for number, rows in (("value", JUDGED), ("score", SCORED))
        for name, make in files(number).items()
    ),
    *((name, encoded(make(bare(SCORED)))) for name, make in trec_files("score").items()),
    *((name, encoded(make(bare(JUDGED)))) for name, make in trec_files("value").items()),
    ("a.letor", LETOR.encode()),
    ("queries.csv", QUERIES.encode()),
]


def read_every_way(path):
    """Through every reader; an error of ours is an answer, anything else is a fault of ours."""
    for read in (
        lambda: read_judgments(path).to_polars(),
        lambda: read_judgments(path, duplicates="best").to_polars(),
        lambda: read_run(path).to_polars(),
        lambda: [run.to_polars() for run in read_runs(path, duplicates="best")],
        lambda: read_run(path, part="1").to_polars(),
        lambda: read_queries(path).weights("traffic"),
        lambda: chosen_queries(str(path)),
        lambda: evaluate(path, SCORED),
        lambda: evaluate(JUDGED, path),
    ):
        with contextlib.suppress(RankgaugeError):
            read()
    found = check(path, path)
    assert all(error.text and error.kind for error in found.errors)
    str(found)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readers")


@settings(max_examples=150)
@given(st.sampled_from(NAMES), st.binary(max_size=80))
@example("a", b"")
@example("a.csv", b"\xff\xfe\x00")
@example("a.json", b"[" * 5000)
@example("a.json", b'{"q": {"d": 1' + b"0" * 5000 + b"}}")
@example("a.json", b'{"\\ud800": {"d": 1}}')
@example("a.csv", b'query,document,score\n"q,d,1\n')
@example("a.csv", b'query,document,value\n"q","d","-1"\n"" 3","d9","0"\n"q4","d1",""q4","d2","1"\n')
@example("a.parquet", b"PAR1")
@example("a.gz", b"\x1f\x8b")
@example("a.csv.zst", b"\x28\xb5\x2f\xfd")
def test_random_bytes(folder, name, data):
    read_every_way(write(folder / name, data))


@settings(max_examples=150)
@given(st.sampled_from(NAMES), st.text(alphabet="q1 \t\n\r\",;:{}[]#.-eE+'\\nai\ufeffé", max_size=120))
def test_random_text_of_the_signs_that_matter(folder, name, text):
    read_every_way(write(folder / name, text))


@st.composite
def mutations(draw):
    """A valid file with a few bytes changed, lost, doubled or cut off; sometimes packed afterwards."""
    name, data = draw(st.sampled_from(VALID))
    text = bytearray(data)
    # Polars aborts the process where a page of Parquet claims exabytes, which no caller can catch: Parquet is only cut.
    ways = ["cut"] if data.startswith(b"PAR1") else ["change", "insert", "lose", "double", "cut"]
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(text)))
        match draw(st.sampled_from(ways)):
            case "change":
                text[at : at + 1] = draw(
                    st.sampled_from([b"\0", b"\xff", b" ", b"\n", b'"', b",", b"x", b"-", b"e", b"}"])
                )
            case "insert":
                text[at:at] = draw(
                    st.sampled_from([b"nan", b"1e999", b"\t", b"\r\n", b"[", b"{", b"#", b"0", b"null", b"\xe9"])
                )
            case "lose":
                del text[at : at + draw(st.integers(1, 30))]
            case "double":
                text[at:at] = text[at : at + draw(st.integers(1, 40))]
            case _:
                del text[at:]
    packed = draw(st.booleans()) and not name.endswith((".gz", ".zst"))
    return (f"{name}.gz", gzip.compress(bytes(text))) if packed else (name, bytes(text))


@settings(max_examples=300)
@given(mutations())
def test_mutated_files(folder, mutated):
    name, data = mutated
    read_every_way(write(folder / name, data))
