"""Processes that this test run started: found by their parents, and ended one by one."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


def descendants(ancestor: int) -> list[int]:
    """Processes below this one, nearest first."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found, rest = [], [ancestor]
    while rest:
        rest = [child for parent in rest for child in children.get(parent, [])]
        found += rest
    return found


def command_of(process: int) -> str:
    try:
        return (Path("/proc") / str(process) / "cmdline").read_text().replace("\0", " ")
    except OSError:
        return ""


def executors() -> list[int]:
    """Java processes that work for a local cluster of ours."""
    return [p for p in descendants(os.getpid()) if "CoarseGrainedExecutorBackend" in command_of(p)]


def python_workers() -> list[int]:
    """Python processes that a Spark of ours runs functions in: the children of its daemon."""
    daemons = [p for p in descendants(os.getpid()) if "pyspark.daemon" in command_of(p)]
    return sorted({worker for daemon in daemons for worker in descendants(daemon)})


@contextmanager
def ended_halfway(session: Any, victims: Callable[[], list[int]]) -> Iterator[dict[str, Any]]:
    """Kills some processes once the scoring of buckets is half done; says how far it had come."""
    happened: dict[str, Any] = {}
    over = threading.Event()

    def watch() -> None:
        tracker = session.sparkContext.statusTracker()
        while not over.wait(0.01):
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                # Stages are named after the call that waits for them; the few tasks before only sort rows into buckets.
                is_scoring = info is not None and info.name.startswith("toArrow") and info.numTasks >= 8
                if is_scoring and 2 <= info.numCompletedTasks <= info.numTasks - 4:
                    happened.update(done=info.numCompletedTasks, tasks=info.numTasks, killed=victims())
                    for process in happened["killed"]:
                        os.kill(process, signal.SIGKILL)
                    return

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        yield happened
    finally:
        over.set()
        watcher.join()


def is_running(process: int) -> bool:
    for _ in range(50):
        try:
            state = (Path("/proc") / str(process) / "stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.1)
    return True
