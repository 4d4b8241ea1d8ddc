"""What a study of stability is asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from rankgauge.analysis.stability.reliability import check_confidence, check_target
from rankgauge.errors import UsageError, did_you_mean

Coefficient = Literal["dependability", "generalizability"]
Interval = Literal["arteaga", "jackknife"]


@dataclass(frozen=True)
class Settings:
    """Targets to reach, other numbers of queries to look at, the level and kind of interval, the worst systems' share
    to leave out.
    """

    targets: tuple[float, ...] = (0.90, 0.95)
    queries_at: tuple[int, ...] = ()
    confidence: float = 0.95
    drop: float = 0.0
    interval: Interval = "arteaga"

    def __post_init__(self) -> None:
        check_confidence(self.confidence)
        for target in self.targets:
            check_target(target)
        for queries in self.queries_at:
            if not queries >= 1 or queries != int(queries):
                raise UsageError(f"queries_at takes whole numbers from 1 on, not {queries!r}")
        check_word("interval", self.interval, get_args(Interval))


def check_word(what: str, word: str, known: tuple[str, ...]) -> None:
    if word not in known:
        raise UsageError(f"unknown {what} {word!r}\n{did_you_mean(str(word), known)}")
