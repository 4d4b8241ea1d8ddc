"""A little of `make fuzz` with fixed seeds, and everything that ever failed once more."""

from __future__ import annotations

import os
import signal
import time

import numpy as np
import pytest

from fuzz import tally as limits
from fuzz.files import try_file
from fuzz.independent import OddError, ndcg, read
from fuzz.names import try_names
from fuzz.run import fuzz
from fuzz.tally import CORPUS, HungError, Tally
from fuzz.texts import TEXTS, try_text


@pytest.mark.parametrize("seed", [1, 2])
def test_mutated_files_and_generated_collections(seed, tmp_path):
    tally = fuzz(150, 15, seed, tmp_path)
    assert tally.failures == []
    assert tally.counts["accepted"] > 20
    assert tally.counts["refused"] > 20


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*")), ids=lambda path: path.name[:40])
def test_what_failed_once(path, tmp_path):
    kind, _, name = path.name.split("-", 2)
    tally, data = Tally(), path.read_bytes()
    if kind == "names":
        try_names(data, tally)
    elif kind in TEXTS:
        try_text(kind, data, tally)
    else:
        try_file(kind, name, data, tmp_path, tally)
    assert tally.failures == []


def busy():
    while True:
        pass


@pytest.mark.parametrize("hang", [busy, lambda: time.sleep(60)], ids=["works for ever", "waits for ever"])
def test_what_hangs_is_found(hang, monkeypatch):
    for name, amount in (("LONGEST", 0.2), ("TICK", 0.1), ("TICKS", 20 if hang is busy else 3)):
        monkeypatch.setattr(limits, name, amount)
    with pytest.raises(HungError), Tally().limited():
        hang()


def test_a_process_that_is_paused_does_not_hang(monkeypatch):
    """Stopped for ten times the limit in the middle of an input."""
    for name, amount in (("TICK", 0.05), ("TICKS", 4)):
        monkeypatch.setattr(limits, name, amount)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            with Tally().limited():
                os.kill(os.getpid(), signal.SIGSTOP)
            code = 0
        finally:
            os._exit(code)
    os.waitpid(child, os.WUNTRACED)
    time.sleep(2)
    os.kill(child, signal.SIGCONT)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_independent_reader_and_scorer_by_hand():
    rows = read("ragged", b"\xef\xbb\xbfq1 0 a 1\n# remark\n\nq1  0\tb 0\r\n", "value")
    assert rows == {"q1": {"a": 1.0, "b": 0.0}}
    written = b'query_id;doc_id;grade\nq1;"a;b";1\n'
    assert read("german.csv", written, "value") == {"q1": {"a;b": 1.0}}
    assert read("wide.csv", b"query_id,doc_id,rank,score\nq1,a,1,2.5\n", "score") == {"q1": {"a": 2.5}}
    assert read("dicts.json", b'{"q1": {"a": 1}}', "value") == {"q1": {"a": 1.0}}
    assert read("lines.jsonl", b'{"query_id": "q1", "doc_id": "a", "grade": 1}\n', "value") == {"q1": {"a": 1.0}}
    for name, odd in (
        *(("plain.trec", b"q1 0 a 1 2\n"), ("german.csv", written + b"q1;a\n"), ("wide.csv", b"query_id,doc_id,rank,score\nq,a,1,2,3\n")),
        *(("dicts.json", b'{"q1": {"a": 1, "": 2}}'), ("dicts.json", b'{"q1": '), ("lines.jsonl", b'{"query_id": null, "doc_id": "a", "grade": 1}')),
    ):  # fmt: skip
        with pytest.raises(OddError):
            read(name, odd, "score" if b"rank" in odd else "value")
    assert ndcg(rows, {"q1": {"b": 2.0, "a": 1.0}}, 2)["q1"] == pytest.approx(1 / np.log2(3))
