"""Faults around commands, threads and processes; `make chaos` has the whole table."""

from __future__ import annotations

import asyncio
import itertools
import multiprocessing
import pickle
import subprocess
import sys
import threading
import unicodedata
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import rankgauge
from chaos.objects import made, public
from data.collection import triples
from rankgauge.data.read.bytes import Source
from rankgauge.data.read.kind import parts_of

MEASURES = "nDCG@5 AP RR"
RUN = Path(__file__).parent / "run.py"


def test_three_commands_under_every_fault():
    ended = subprocess.run([sys.executable, RUN, "--quick"], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-2000:]
    assert "3 commands, 9 faults" in ended.stdout


@pytest.fixture(scope="module")
def frames():
    judged, runs = made()
    return (
        pl.DataFrame(triples(judged), schema=["query", "document", "value"], orient="row"),
        pl.DataFrame(triples(runs["s0"]), schema=["query", "document", "score"], orient="row"),
    )


def scored(given):
    return rankgauge.evaluate(*given, MEASURES).values.tobytes()


def test_eight_threads_at_once_give_the_bits_of_one(frames, tmp_path):
    paths = tmp_path / "judged.csv", tmp_path / "run.csv"
    for frame, path in zip(frames, paths, strict=True):
        frame.write_csv(path)
    judged, runs = made()
    ways = [frames, paths, (judged, runs["s0"]), (rankgauge.read_judgments(paths[0]), rankgauge.read_run(paths[1]))]
    expected = scored(frames)
    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(scored, ways * 8)) == {expected}


def test_asyncio_gives_the_bits_of_one(frames):
    async def several():
        return await asyncio.gather(*(asyncio.to_thread(scored, frames) for _ in range(8)))

    assert set(asyncio.run(several())) == {scored(frames)}


def test_a_process_that_is_spawned_after_use_gives_the_same_bits(frames):
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        found = pool.submit(rankgauge.evaluate, *frames, MEASURES).result(60)
    assert found.values.tobytes() == scored(frames)


def test_a_process_that_is_forked_after_use_evaluates_dicts(frames):
    """Polars cannot be used after a fork, as its documentation says; dicts do without it."""
    judged, runs = made()
    expected = scored(frames)
    with ProcessPoolExecutor(1, multiprocessing.get_context("fork")) as pool:
        assert pool.submit(scored, (judged, runs["s0"])).result(60) == expected


def test_a_file_that_is_replaced_while_it_is_read_is_the_old_or_the_new_one(tmp_path):
    judged, runs = made()
    path, beside = tmp_path / "run.trec", tmp_path / "beside"
    texts = ["".join(f"{q} Q0 {d} 0 {n!r} tag\n" for q, d, n in triples(run)) for run in list(runs.values())[:2]]
    expected = {scored((judged, run)) for run in list(runs.values())[:2]}
    path.write_text(texts[0])
    done = threading.Event()

    def replace() -> None:
        for at in itertools.count(1):
            beside.write_text(texts[at % 2])
            beside.replace(path)
            if done.is_set():
                return

    with ThreadPoolExecutor(1) as pool:
        pool.submit(replace)
        found = [scored((judged, path)) for _ in range(100)]
        done.set()
    assert set(found) <= expected


def test_a_piece_of_a_file_that_is_cut_short_is_no_piece(tmp_path):
    """The reader of whole files looks at what is left then."""
    path = tmp_path / "run.trec"
    path.write_text("".join(f"q{at} Q0 d 1 1 tag\n" for at in range(100)))
    pieces = list(parts_of(Source(path), "score", 500))
    assert len(pieces) > 3
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:40]))
    assert pieces[0]() is not None
    assert pieces[1]() is None


@pytest.mark.parametrize("name", public(Path()))
def test_no_name_can_move_the_cursor_where_an_object_is_printed(name, tmp_path):
    one = public(tmp_path, "\x1b[2J\x9b\u202e\r\n")[name]()
    markup = [getattr(one, form)() for form in ("to_markdown", "to_latex", "_repr_html_") if hasattr(one, form)]
    for shown in (str(one), repr(one), *markup):
        assert not {sign for sign in shown if unicodedata.category(sign) in {"Cc", "Cf", "Cs"}} - {"\n"}


@pytest.mark.parametrize("name", public(Path()))
def test_every_public_object_can_be_pickled(name, tmp_path):
    one = public(tmp_path)[name]()
    again = pickle.loads(pickle.dumps(one))  # noqa: S301 - our own
    assert type(again) is type(one)
    assert str(again) == str(one)
