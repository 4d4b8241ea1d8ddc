"""Faults around every command that writes: what was there before stays whole, or what is new is whole.

`make chaos` runs all of it and writes the table of docs/robustness.md; the suite runs `--quick`.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import os
import pkgutil
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from chaos.children import (
    OLD,
    Ended,
    closed_stdout,
    limit,
    of_width,
    run,
    waiting_before_the_name,
)
from chaos.commands import OUT, collection, commands

DOCS = Path(__file__).parents[2] / "docs" / "robustness.md"
SIGNALS = {"SIGKILL": signal.SIGKILL, "SIGTERM": signal.SIGTERM, "SIGINT": signal.SIGINT}
QUICK = ("evaluate", "evaluate --save", "compare")
KEPT, WHOLE, REFUSED = "old file kept", "written whole", "refused"
Outcome = Callable[["Bench", str], str]


class BrokenError(Exception):
    """What must not happen."""


class Bench:
    """The commands on their collection, and what each writes when nothing is wrong."""

    def __init__(self, folder: Path, names: tuple[str, ...] | None) -> None:
        self.folder, self.seconds, self.expected = folder, dict[str, float](), dict[str, bytes]()
        collection(folder)
        known = commands(folder)
        self.words = {name: known[name] for name in names or known}
        for name in self.words:
            start = time.monotonic()
            ended = run(self.to(name, self.target(name)), folder)
            self.seconds[name] = time.monotonic() - start
            if ended.code:
                raise BrokenError(f"{name}: {ended.said}")
            self.expected[name] = self.target(name).read_bytes()

    def target(self, name: str, folder: Path | None = None) -> Path:
        place = folder or self.folder / "target"
        place.mkdir(exist_ok=True)
        return place / next(word for word in self.words[name] if word.startswith(OUT))

    def to(self, name: str, target: Path | None) -> list[str]:
        """The words with a file to write to; without one, what a command without a file prints is its output."""
        words = self.words[name]
        if target is None:
            at = words.index("-o") if "-o" in words else len(words)
            return words[:at] + words[at + 2 :]
        return [str(target) if word.startswith(OUT) else word for word in words]

    def state(self, name: str, target: Path) -> str:
        """Old or new; anything else is broken, and so is a neighbor that was left."""
        found = target.read_bytes()
        if found == OLD:
            return KEPT
        new = self.expected[name]
        if found[-20:] == new[-20:] and abs(len(found) - len(new)) < 100 + len(new) // 20:
            return WHOLE
        raise BrokenError(f"{name}: {len(found)} bytes, neither old nor new")

    def tried(
        self, name: str, before: Callable[[], None], codes: tuple[int, ...], folder: Path | None = None, **given: object
    ) -> str:
        """One call that writes over an old file."""
        target = self.target(name, folder)
        target.write_bytes(OLD)
        ended = run(self.to(name, target), self.folder, before, **given)  # type: ignore[arg-type]
        _check(name, ended, codes)
        state = self.state(name, target)
        if ended.code in {0, 1, 3} and state == KEPT and "kill" not in given:
            raise BrokenError(f"{name}: says that it is done, but nothing is written")
        left = [path for path in target.parent.iterdir() if path != target and path.name.startswith(f".{target.name}.")]
        for path in left:
            path.unlink()
        if left and ended.code != -signal.SIGKILL:
            raise BrokenError(f"{name}: {left[0].name} is left")
        return f"{state} (a hidden neighbor is left)" if left else state


def _check(name: str, ended: Ended, codes: tuple[int, ...]) -> None:
    if "Traceback" in ended.said or ended.code not in codes:
        raise BrokenError(f"{name}: exit code {ended.code}, {ended.said[-400:]}")
    if ended.code == 2 and "rankgauge: " not in ended.said:
        raise BrokenError(f"{name}: refused without a word")


def signaled(which: str, moments: int) -> Outcome:
    def at_random(bench: Bench, name: str) -> str:
        number, draw = SIGNALS[which], random.Random(f"{which} {name}")  # noqa: S311 - no secret
        codes = (0, -number, 130 if which == "SIGINT" else 143)
        target, last = bench.target(name), bench.seconds[name]
        times = [draw.random() * last for _ in range(moments)]
        found = {bench.tried(name, lambda: None, codes, kill=(number, lambda now, at=at: now > at)) for at in times}
        written = (number, lambda _: any(target.parent.glob(f".{target.name}.*")))
        found.add(bench.tried(name, waiting_before_the_name(20), codes[1:], kill=written))
        return " / ".join(sorted(found))

    return at_random


def full_disk(bench: Bench, name: str) -> str:
    """A small tmpfs where root may mount one, a limit on the size of files, and a device that is always full."""
    found = [bench.tried(name, limit(resource.RLIMIT_FSIZE, 40), (2,))] if len(bench.expected[name]) > 40 else []
    target = Path("/dev/full")
    if "--save" not in name:  # the ending of its file says in which form
        ended = run(bench.to(name, target), bench.folder)
        _check(name, ended, (2,))
    with small_tmpfs(bench.folder / "small") as folder:
        if folder is not None:
            bench.target(name, folder).write_bytes(OLD)
            with contextlib.suppress(OSError), (folder / "fill").open("wb") as file:
                while True:
                    file.write(b"x" * 4096)
                    file.flush()
            found.append(bench.tried(name, lambda: None, (2,), folder=folder))
    return f"{REFUSED}, {' / '.join(sorted(set(found)))}"


@contextlib.contextmanager
def small_tmpfs(folder: Path) -> Iterator[Path | None]:
    folder.mkdir(exist_ok=True)
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder], capture_output=True, check=False
    )
    if mounted.returncode:
        yield None
        return
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def plainly(before: Callable[[], None], codes: tuple[int, ...] = (0,)) -> Outcome:
    return lambda bench, name: bench.tried(name, before, codes)


def short_of_memory(bench: Bench, name: str) -> str:
    """Enough, or refused before anything is written; never the death of an engine that gets no memory."""
    limits = (("RLIMIT_AS", 800), ("RLIMIT_AS", 2_100), ("RLIMIT_DATA", 300), ("RLIMIT_DATA", 600))
    return " / ".join(sorted({_spawned(bench, name, (0, 2), _limited(which, size)) for which, size in limits}))


def _limited(which: str, megabytes: int) -> Callable[[], None]:
    return limit(getattr(resource, which), megabytes * 10**6)


def closed(bench: Bench, name: str) -> str:
    """The reader of the output has gone, as `head` does."""
    if bench.to(name, None) == bench.words[name] or name in {"report", "explore"}:
        return "writes a file only"
    _check(name, run(bench.to(name, None), bench.folder, closed_stdout), (0,))
    return "ends quietly"


def printed(before: Callable[[], None]) -> Outcome:
    def shown(bench: Bench, name: str) -> str:
        if name in {"report", "explore", "evaluate --save"}:
            return "writes a file only"
        ended = run(bench.to(name, None), bench.folder, before)
        _check(name, ended, (0,))
        if not ended.shown.strip():
            raise BrokenError(f"{name}: nothing is shown")
        return "shown"

    return shown


def without_unicode(bench: Bench, name: str) -> str:
    """A new interpreter that is told to speak ASCII."""
    return _spawned(bench, name, (0,), LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")


def _spawned(
    bench: Bench, name: str, codes: tuple[int, ...], before: Callable[[], None] | None = None, **words: str
) -> str:
    """One call in a new interpreter, with other variables around it."""
    target = bench.target(name)
    target.write_bytes(OLD)
    call = [sys.executable, "-m", "rankgauge", *bench.to(name, target)]
    ended = subprocess.run(
        call, env=os.environ | words, capture_output=True, check=False, timeout=120, preexec_fn=before
    )
    _check(name, Ended(ended.returncode, ended.stderr.decode(), b""), codes)
    state = bench.state(name, target)
    if (ended.returncode == 2) != (state == KEPT):
        raise BrokenError(f"{name}: exit code {ended.returncode}, but {state}")
    return f"{REFUSED}, {state}" if ended.returncode == 2 else state


FAULTS: dict[str, Outcome] = {
    "SIGKILL": signaled("SIGKILL", 2),
    "SIGTERM": signaled("SIGTERM", 2),
    "SIGINT": signaled("SIGINT", 2),
    "full disk": full_disk,
    "64 descriptors": plainly(limit(resource.RLIMIT_NOFILE, 64)),
    "little memory": short_of_memory,
    "closed stdout": closed,
    "LC_ALL=C": without_unicode,
    "20 columns": printed(of_width(20)),
    "400 columns": printed(of_width(400)),
}


def table(bench: Bench, faults: dict[str, Outcome]) -> tuple[list[list[str]], list[str]]:
    rows, broken = [], []
    for name in bench.words:
        row = [name]
        for fault, tried in faults.items():
            try:
                row.append(tried(bench, name))
            except BrokenError as problem:
                broken.append(f"{fault}, {problem}")
                row.append("**broken**")
        print(" | ".join(row), flush=True)
        rows.append(row)
    return rows, broken


def loaded() -> None:
    """Everything is imported before the children are made, so that each begins at once."""
    import rankgauge

    for module in pkgutil.walk_packages(rankgauge.__path__, "rankgauge."):
        if not any(word in module.name for word in ("integrations", "spark", "__main__")):
            importlib.import_module(module.name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three commands")
    parser.add_argument("--write", action="store_true", help="write the table of docs/robustness.md")
    chosen = parser.parse_args()
    start = time.monotonic()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell has its background jobs ignore it
    loaded()
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(Path(place), QUICK if chosen.quick else None)
        faults = {name: tried for name, tried in FAULTS.items() if not chosen.quick or name != "LC_ALL=C"}
        rows, broken = table(bench, faults)
    print(f"{len(rows)} commands, {len(faults)} faults, {time.monotonic() - start:.0f} s, {len(broken)} broken")
    print(*broken, sep="\n")
    if chosen.write:
        lines = [["command", *faults], ["---"] * (1 + len(faults)), *rows]
        head = DOCS.read_text(encoding="utf-8").partition("<!-- table -->\n")[0]
        DOCS.write_text(
            head + "<!-- table -->\n" + "".join(f"| {' | '.join(line)} |\n" for line in lines), encoding="utf-8"
        )
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
