"""Limits on memory: refused before an engine is loaded, or its death has a message."""

from __future__ import annotations

import resource
import signal
import subprocess
import sys
import time

import pytest

CALL = [sys.executable, "-m", "rankgauge", "measures"]
DYING = """
import os, sys
from rankgauge.cli import main
main.cli.main = lambda **_: {act}
main.main()
"""


def limited(words, which, megabytes):
    def before():
        resource.setrlimit(which, (megabytes * 10**6, megabytes * 10**6))

    return subprocess.Popen(
        words,
        preexec_fn=before,  # noqa: PLW1509 - no other thread runs
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize(
    ("which", "megabytes", "words"),
    [
        (resource.RLIMIT_AS, 1_900, "needs 2 GB of addresses, most of which are never filled, and this process may use 1,900 MB"),
        (resource.RLIMIT_DATA, 300, "needs 500 MB of memory, and this process may use 300 MB (ulimit -d)"),
    ],
)  # fmt: skip
def test_too_little_is_refused_before_anything_is_loaded(which, megabytes, words):
    child = limited(CALL, which, megabytes)
    _, said = child.communicate(timeout=60)
    assert child.returncode == 2
    assert words in said


def test_enough_is_enough():
    child = limited(CALL, resource.RLIMIT_DATA, 600)
    shown, said = child.communicate(timeout=60)
    assert (child.returncode, said) == (0, "")
    assert "nDCG" in shown


@pytest.mark.parametrize(("act", "code"), [("os.abort()", 2), ("sys.exit(3)", 3), ("os._exit(70)", 70)])
def test_the_death_of_a_limited_command_has_a_message(act, code):
    child = limited([sys.executable, "-c", DYING.format(act=act)], resource.RLIMIT_DATA, 600)
    _, said = child.communicate(timeout=60)
    assert child.returncode == code
    message = "this process may use 600 MB of memory (ulimit -d), which is too little: it ended with SIGABRT"
    assert (message in said) == (code == 2)


def test_a_signal_reaches_the_limited_command():
    act = "(print('ready', flush=True), __import__('time').sleep(60))"
    child = limited([sys.executable, "-c", DYING.format(act=act)], resource.RLIMIT_DATA, 600)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    start = time.monotonic()
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)
    assert child.returncode == -signal.SIGTERM
    assert time.monotonic() - start < 30


def test_a_signal_that_comes_before_the_parent_listens_reaches_the_command_too():
    slow = """
import os, time
fork = os.fork
def late():
    child = fork()
    if child:
        time.sleep(1)
    return child
os.fork = late
"""
    act = "(print('ready', flush=True), __import__('time').sleep(60))"
    child = limited([sys.executable, "-c", slow + DYING.format(act=act)], resource.RLIMIT_DATA, 600)
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=30)  # whoever goes on keeps this open
    assert child.returncode == -signal.SIGTERM


def test_a_picture_is_refused_where_its_engine_would_die(monkeypatch):
    from rankgauge import limits
    from rankgauge.errors import UsageError
    from rankgauge.presentation.charts.style import svg

    monkeypatch.setattr(limits, "limit_on", lambda _: 20_000)
    with pytest.raises(UsageError, match=r"a chart as a picture needs 64 GB of addresses.*20,000 MB[\s\S]*\.json"):
        svg({})
