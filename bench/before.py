"""The same work by an older rankgauge, in turn with today's."""

from __future__ import annotations

import io
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from workloads import Workload

BEFORE = "before: "
FAST = ("W1", "W2", "W3", "W4", "W5")
"""Workloads in which the older one runs as often as today's; in the others it takes minutes, and runs once."""


@dataclass(frozen=True)
class Older:
    """An older checkout, and what it is called on the page."""

    name: str
    source: Path


def older(given: str, root: Path, data: Path) -> Older:
    """A folder with a checkout, or a revision of this repository, whose sources are then unpacked beside the data."""
    if (Path(given) / "src" / "rankgauge").is_dir():
        return Older(
            _git(Path(given), "log", "-1", "--format=%h (%as)").decode().strip(), Path(given).resolve() / "src"
        )
    name = _git(root, "log", "-1", "--format=%h (%as)", given).decode().strip()
    folder = data.resolve() / f"before-{name.split()[0]}"
    if not (folder / "src").is_dir():
        with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", given, "src"))) as packed:
            packed.extractall(folder, filter="data")
    return Older(name, folder / "src")


def _git(folder: Path, *words: str) -> bytes:
    return subprocess.run(["git", "-C", str(folder), *words], capture_output=True, check=True).stdout


def joined(workload: Workload, old: Older | None) -> tuple[dict[str, Sequence[str]], tuple[str, ...], dict[str, Path]]:
    """The contenders with the older ones right after ours, those that run once, and where the older ones come from."""
    commands: dict[str, Sequence[str]] = {}
    for name, command in workload.commands.items():
        commands[name] = command
        if old is not None and name.startswith("rankgauge"):
            commands[BEFORE + name] = command
    theirs = [name for name in commands if name.startswith(BEFORE)]
    once = () if workload.key.startswith(FAST) else tuple(theirs)
    return commands, (*workload.once, *once), {} if old is None else dict.fromkeys(theirs, old.source)
