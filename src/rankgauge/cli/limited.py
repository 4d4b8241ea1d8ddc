"""A command whose memory is limited runs in a child, so that its death has a message.

Polars ends the process when it gets no memory, and nothing inside the process can answer that. Without a limit there
is no child.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from typing import Any

from rankgauge.limits import limit_on

_NAMES = {"AS": "addresses (ulimit -v)", "DATA": "memory (ulimit -d)"}
_FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP")
_BOTH_TOLD = 0.3
"""Seconds: a terminal tells the child of an interrupt too, and twice would be once too often."""


def guarded() -> str | None:
    """Goes on in the child; in the parent, ends as the child did, or returns what it died of."""
    limits = [f"{found:,} MB of {words}" for name, words in _NAMES.items() if (found := limit_on(name)) is not None]
    if not limits or not hasattr(os, "fork"):
        return None
    # Until the parent listens a signal waits: it would end the parent alone, and the child would go on unseen.
    told = [getattr(signal, name) for name in _FORWARDED]
    usual = signal.pthread_sigmask(signal.SIG_BLOCK, told)
    child, heard = os.fork(), set[int]()
    if child == 0:
        signal.pthread_sigmask(signal.SIG_SETMASK, usual)
        return None

    def forward(number: int, _: Any) -> None:
        heard.add(number)
        time.sleep(_BOTH_TOLD)
        os.kill(child, number)  # a child that has ended by now is still there to be waited for

    for number in told:
        signal.signal(number, forward)
    signal.pthread_sigmask(signal.SIG_SETMASK, usual)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if -code in heard:
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    if code >= 0:
        sys.exit(code)
    return (
        f"this process may use {' and '.join(limits)}, which is too little: it ended with {signal.Signals(-code).name}"
    )
