"""A gate that is run on every commit: how often it was asked, so that false alarms stay rare over all its looks.

One look at 95 % raises a false alarm in up to 2.5 % of harmless commits, and a hundred looks in nearly all of the years.
The ledger counts the looks; look k may be wrong with chance α·w(k), where the weights w(k) = k^(-1.3)/ζ(1.3) add up to 1
over all looks there will ever be. Then the intervals of all looks hold together, whenever one stops (a confidence
sequence by spending of α), however the looks depend on each other. A look whose scores are those of an earlier look is
that look again, and costs nothing: most commits change no ranking.
"""

from __future__ import annotations

import hashlib
import json
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError
from rankgauge.evaluation.scores import Scores
from rankgauge.small_files import small_text

EXPONENT, TOTAL = 1.3, 3.931949211809543  # ζ(1.3)
FORMAT = "rankgauge-ledger-1"


def weight(look: int) -> float:
    """The share of α for look 1, 2, …; all shares add up to 1."""
    share: float = look**-EXPONENT / TOTAL
    return share


class Ledger:
    """The looks so far, kept in a small JSON file beside the baseline."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.looks: list[dict[str, Any]] = self._read()

    def look(self, scores: Scores, rules: list[str]) -> tuple[int, str]:
        """The number of this look: that of an earlier one with the same scores and rules, else the next."""
        digest = _digest(scores, rules)
        known = [at for at, one in enumerate(self.looks, 1) if one["digest"] == digest]
        return known[0] if known else len(self.looks) + 1, digest

    def record(self, look: int, digest: str, outcome: str) -> None:
        """Write the look down, whole or not at all; one already written stays as it is."""
        if look <= len(self.looks):
            return
        self.looks.append({"look": look, "digest": digest, "outcome": outcome})
        write_whole(self.path, (json.dumps({"format": FORMAT, "looks": self.looks}, indent=1) + "\n").encode())

    def _read(self) -> list[dict[str, Any]]:
        try:
            if not self.path.exists():
                return []
        except OSError as problem:  # a name that is too long
            raise UsageError(f"{self.path}: cannot be read ({problem.strerror})") from None
        looks = _looks(small_text(self.path))
        if looks is None:
            hint = "Name a file that does not exist yet to start one."
            raise UsageError(f"{self.path}: this is not a ledger of rankgauge\n{hint}")
        return looks


def _looks(text: str) -> list[dict[str, Any]] | None:
    """The looks of a ledger in order, None if the text is no ledger."""
    try:
        found = json.loads(text)
        looks = [{"look": one["look"], "digest": one["digest"], "outcome": one["outcome"]} for one in found["looks"]]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    counted = [one["look"] for one in looks] == list(range(1, len(looks) + 1))
    return looks if counted and found.get("format") == FORMAT else None


def _digest(scores: Scores, rules: list[str]) -> str:
    # Rounded: the last bits of a score may differ between machines, and that is no new look.
    values = np.round(np.ascontiguousarray(scores.values), 9) + 0.0
    names = json.dumps([list(scores.systems), list(scores.queries), [str(m) for m in scores.measures], rules])
    return hashlib.sha256(names.encode() + values.tobytes()).hexdigest()[:16]
