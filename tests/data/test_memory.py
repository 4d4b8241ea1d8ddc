from __future__ import annotations

import pytest

from rankgauge import evaluate
from rankgauge.data.match import threads
from rankgauge.data.match.threads import Shares, shares_of
from rankgauge.data.matching import bytes_of
from rankgauge.errors import UsageError

MB = 1 << 20


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("300MB", 300_000_000),
        ("300 mb", 300_000_000),
        ("1.5GiB", 3 << 29),
        ("2g", 2_000_000_000),
        ("64KiB", 65_536),
        ("1000", 1000),
        (4096, 4096),
        (" 7B ", 7),
    ],
)
def test_amounts_of_memory_are_read(said, meant):
    assert bytes_of(said) == meant


@pytest.mark.parametrize("said", ["much", "", "-3MB", "3 PB", "3MBB", True, None, 1.5])
def test_other_words_are_refused(said):
    with pytest.raises(UsageError, match="write it as 300MB"):
        bytes_of("nothing" if said is None else said if said != 1.5 else "1,5GB")


def test_evaluate_refuses_what_is_no_amount():
    with pytest.raises(UsageError, match="memory='little'"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, memory="little")


def test_without_a_budget_pieces_are_large_and_all_workers_work():
    assert shares_of(None, 4) == Shares(5, 8 * MB)


def test_a_budget_makes_pieces_smaller_before_it_makes_workers_fewer(monkeypatch):
    monkeypatch.setattr(threads, "in_use", lambda: 100 * MB)
    assert shares_of(1000 * MB, 2) == Shares(2, 8 * MB)
    assert shares_of(172 * MB, 2) == Shares(2, 4 * MB)
    assert shares_of(118 * MB, 2) == Shares(2, MB)
    assert shares_of(117 * MB, 2).workers == 1
    assert shares_of(10 * MB, 8) == Shares(1, MB // 2)


def test_memory_in_use_is_known_or_guessed(monkeypatch):
    assert threads.in_use() > 10 * MB
    monkeypatch.setattr("pathlib.Path.read_text", lambda *_, **__: "no numbers")
    assert threads.in_use() == 90 * MB
