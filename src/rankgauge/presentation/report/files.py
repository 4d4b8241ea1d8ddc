"""The files behind a page: named as seen from its folder, so that page and files may move together."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from rankgauge.data.read.file import system_name


@dataclass(frozen=True)
class Files:
    """Judgments and runs; `known` is empty where something was given in memory."""

    known: Sequence[str]
    systems: Sequence[str]
    folder: Path

    def words(self) -> str:
        """Judgments and runs as a shell takes them; placeholders where the files are unknown."""
        return shlex.join(self._judgments()) + " " + self._runs() if self.known else "JUDGMENTS RUN..."

    def portable(self, command: str) -> str:
        """The same command with paths as seen from the folder, and runs of one folder as a pattern."""
        if not self.known:
            return command
        words = shlex.split(command)
        places = [at for at, word in enumerate(words) if _path(word) in self.known]
        kept = [self._seen(word) if Path(word).is_absolute() else word for word in words]
        last = max(places, default=0)
        if places and places == list(range(2, last + 1)):
            return f"{shlex.join(kept[:2])} {self.words()} {shlex.join(kept[last + 1 :])}".rstrip()
        return shlex.join(kept)

    def hashes(self) -> Iterator[tuple[str, str]]:
        for path in dict.fromkeys(self.known):
            with Path(path).open("rb") as file:
                yield self._seen(path), hashlib.file_digest(file, "sha256").hexdigest()

    def _judgments(self) -> list[str]:
        return [self._seen(self.known[0])]

    def _runs(self) -> str:
        runs = list(self.known[1:])
        if [system_name(run) for run in runs] != list(self.systems):
            return shlex.join(
                self._seen(run) if system_name(run) == name else f"{name}={self._seen(run)}"
                for name, run in zip(self.systems, runs, strict=True)
            )
        folder, ending = Path(runs[0]).parent, Path(runs[0]).suffix
        if len(runs) > 2 and sorted(map(Path, runs)) == sorted(folder.glob(f"*{ending}")):
            return f"{shlex.quote(self._seen(str(folder)))}/*{shlex.quote(ending)}"
        return shlex.join(map(self._seen, runs))

    def _seen(self, path: str) -> str:
        return os.path.relpath(path, self.folder).replace(os.sep, "/")


def _path(word: str) -> str:
    return word.partition("=")[2] or word
