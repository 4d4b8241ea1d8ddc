"""Results that take minutes are kept in papers/.cache until the data or the programs behind them change."""

from __future__ import annotations

import functools
import hashlib
import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KEPT = HERE / ".cache"
COMPUTES = HERE.parent / "src" / "rankgauge"
PLACES = (
    "kernels",
    "analysis/optimize/search",
    "analysis/discriminate.py",
    "analysis/simulate.py",
)
PROGRAMS = ("src", "papers", ":(exclude)papers/*/results/*", ":(exclude)papers/*/page.md")


def kept(name: str, made_from: Iterable[str | Path], make: Callable[[], Any]) -> Any:
    """What `make` returns, as JSON reads it back; made again when what computes, a file or a text of `made_from` changes."""
    key = hashlib.sha256(what_computes().encode())
    for part in made_from:
        key.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    path = KEPT / f"{name}-{key.hexdigest()[:16]}.json"
    if not path.exists():
        KEPT.mkdir(exist_ok=True)
        text = json.dumps(make())
        path.write_text(text, encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


@functools.cache
def what_computes() -> str:
    """A hash of the formulas and of the search; how data are read and results are shown does not matter."""
    found = hashlib.sha256()
    for place in PLACES:
        path = COMPUTES / place
        for one in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            found.update(one.read_bytes())
    return found.hexdigest()


def commit() -> str:
    """The last commit that changed a program here or in src; a star where files were changed since."""
    last = _git("log", "-1", "--format=%h", "--", *PROGRAMS)
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", *PROGRAMS)
    return (last or "unknown") + ("*" if changed else "")


def hash_of(*paths: Path) -> str:
    found = hashlib.sha256()
    for path in paths:
        found.update(path.read_bytes())
    return found.hexdigest()[:12]


def _git(*words: str) -> str:
    done = subprocess.run(  # noqa: S603 - fixed words
        ["git", *words],  # noqa: S607 - whichever git is there
        cwd=HERE.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    return done.stdout.strip()
