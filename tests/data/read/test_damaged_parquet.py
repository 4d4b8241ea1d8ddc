"""Parquet files over which Polars panics or ends the process: a command ends with one message all the same."""

from __future__ import annotations

import contextlib
import io
import os
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from pyarrow import parquet

import rankgauge
from rankgauge.cli.limited import _parquet_files
from rankgauge.data import read
from rankgauge.data.read.delimited import _pages, _thrift, hushed, refuse_counts
from rankgauge.errors import DataError

RUN = {"query": ["q1", "q1", "q2"], "document": ["d1", "d2", "d1"], "score": [1.0, 2.0, 3.0]}
ROOM = "filler" * 200_000
"""More than is looked at before Polars is asked."""


def written(table, **options):
    out = io.BytesIO()
    pl.DataFrame(table).write_parquet(out, **options)
    return out.getvalue()


def below_none(data):
    """The same with pages that state -3 values, in the headers: a struct (0x2c) whose first field is 3 (0x15 0x06)."""
    found = data.replace(b"\x2c\x15\x06", b"\x2c\x15\x05")
    assert found != data
    return found


def command(folder, *words, **options):
    (folder / "judged.qrels").write_text("q1 0 d1 1\nq2 0 d1 1\n")
    words = [sys.executable, "-m", "rankgauge", *words]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=120, check=False, **options)
    assert not {"panicked", "Traceback", "memory allocation", "backtrace"} & set(done.stderr.replace("'", " ").split())
    return done.returncode, done.stderr


@pytest.mark.parametrize("more", [{}, {"text": [ROOM] * 3}], ids=["small", "large"])
@pytest.mark.parametrize("given", ["run.parquet", "name=run.parquet", "-"])
def test_pages_of_fewer_than_no_values_are_refused_by_name(tmp_path, more, given):
    """Seen red: the process was gone, with exit code 134."""
    path = tmp_path / "run.parquet"
    path.write_bytes(below_none(written(RUN | more, compression="uncompressed", statistics=False)))
    with path.open() as file:
        code, said = command(tmp_path, "evaluate", "judged.qrels", given, stdin=file)
    assert code == 2
    name = "standard input" if given == "-" else "run.parquet"
    assert said.startswith(f"rankgauge: {name}: this Parquet file is damaged (")
    assert "states -3" in said or "SIGABRT" in said
    if not more:
        with pytest.raises(DataError, match="column of 3 values states -3"):
            rankgauge.evaluate({"q1": {"d1": 1}}, path)


def test_saved_scores_with_such_pages_are_refused_too(tmp_path):
    path = tmp_path / "scores.parquet"
    table = {"system": ["a", "a", "a"], "query": ["q1", "q2", "q3"], "AP": [0.1, 0.2, 0.3]}
    path.write_bytes(below_none(written(table, compression="uncompressed", statistics=False)))
    with pytest.raises(DataError, match=r"scores.parquet: .*states -3"):
        rankgauge.read_scores(path)


@pytest.mark.parametrize("column", ["query", "score", "when"])
def test_an_unknown_time_zone_is_named_and_no_panic_is_shown(tmp_path, column):
    """Seen red: the lines of the panic above the message."""
    time = pa.array([datetime(2020, 1, 1, tzinfo=UTC)] * 3, pa.timestamp("us", tz="Mars/Olympus"))
    parquet.write_table(pa.table(RUN | {column: time}), tmp_path / "run.parquet")
    code, said = command(tmp_path, "evaluate", "judged.qrels", "run.parquet")
    assert code == 2
    assert said.splitlines()[0] == "rankgauge: run.parquet: a column has the unknown time zone 'Mars/Olympus'"


@pytest.mark.parametrize("compression", ["uncompressed", "zstd", "snappy", "gzip"])
def test_every_page_of_a_sound_file_is_seen_and_passes(compression):
    rows = 3_000
    table = {
        "query": ["q1", None, "q2"] * (rows // 3),
        "number": np.arange(rows, dtype=np.float64),
        "list": [[1, 2], [], None] * (rows // 3),
        "struct": [{"a": 1}] * rows,
        "flag": [True, None, False] * (rows // 3),
    }
    ours = written(table, compression=compression, row_group_size=500, data_page_size=1_000)
    out = io.BytesIO()
    kind = compression.replace("uncompressed", "none")
    parquet.write_table(pl.DataFrame(table).to_arrow(), out, compression=kind, data_page_version="2.0")
    for data, least in ((ours, 5 * 6), (out.getvalue(), 5)):
        refuse_counts(np.frombuffer(data, np.uint8))
        footer = int.from_bytes(data[-8:-4], "little")
        found = list(_pages(io.BytesIO(data), len(data) - 8 - footer))
        assert len(found) >= least
        assert sum(values for _, values in found) >= 5 * rows
    for size in range(0, len(ours), 97):
        with contextlib.suppress(pl.exceptions.ComputeError):  # and no other error, whatever is found where a page was
            refuse_counts(np.frombuffer(ours[size:], np.uint8))


def test_what_is_printed_meanwhile_is_not_lost(tmp_path):
    code = (
        "import os; from rankgauge.data import read; read.is_quiet = True; import polars as pl\n"
        "from rankgauge.data.read.delimited import hushed\n"
        "with hushed():\n os.write(2, b'one ')\n with hushed(): os.write(2, b'two ')\n os.write(2, b'three ')\n"
        "try:\n with hushed():\n  os.write(2, b'lost '); raise pl.exceptions.PanicException('x')\n"
        "except BaseException: os.write(2, b'four')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert done.stderr == "one two three four"


def test_a_program_keeps_its_standard_error(capfd):
    assert not read.is_quiet
    with hushed():
        os.write(2, b"at once")
        assert capfd.readouterr().err == "at once"


def test_words_that_name_parquet_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.parquet", "b=c:d"):
        (tmp_path / name).write_bytes(b"PAR1")
    (tmp_path / "other").write_bytes(b"q1 0 d 1")
    words = [
        "evaluate",
        "a.parquet",
        "x=a.parquet",
        "--scores=a.parquet",
        "a.parquet:bm25",
        "b=c:d",
        "other",
        ".",
        "\0",
        "-m",
    ]
    assert list(_parquet_files(words)) == [*["a.parquet"] * 4, "b=c:d"]


@pytest.mark.parametrize("begin", [b"\x19\xf7", b"\x1b"])
def test_lists_that_promise_more_than_there_is_are_given_up(begin):
    """Seen red: 2⁶² numbers were counted one by one."""
    with pytest.raises(IndexError):
        _thrift(io.BytesIO(begin + b"\xff" * 8 + b"\x01\x77" + b"\x00" * 8))


def test_a_number_without_an_end_is_given_up():
    with pytest.raises(OverflowError):
        _thrift(io.BytesIO(b"\xff" * 100))
