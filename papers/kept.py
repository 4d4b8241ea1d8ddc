"""Results that take minutes are kept in papers/.cache until the data or the programs behind them change."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
KEPT = HERE / ".cache"


def kept(name: str, made_from: Iterable[str | Path], make: Callable[[], Any]) -> Any:
    """What `make` returns, as JSON reads it back; made again when a file or a text of `made_from` changes."""
    key = hashlib.sha256()
    for part in made_from:
        key.update(part.read_bytes() if isinstance(part, Path) else part.encode())
    path = KEPT / f"{name}-{key.hexdigest()[:16]}.json"
    if not path.exists():
        KEPT.mkdir(exist_ok=True)
        text = json.dumps(make())
        path.write_text(text, encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def commit() -> str:
    """The commit the numbers were made from; a star where files were changed since."""
    found = subprocess.run(
        ["git", "describe", "--always", "--dirty=*", "--exclude=*"],  # noqa: S607 - whichever git is there
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    return found.stdout.strip() or "unknown"
