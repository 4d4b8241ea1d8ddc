"""What happened in a run of the fuzzer; what failed is kept in tests/fuzz/corpus and tried again for ever."""

from __future__ import annotations

import hashlib
import signal
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"
LONGEST, WAITING = 10, 300
"""Seconds of the processor, which other programs do not change, and seconds of the clock, for what waits for ever."""


@dataclass
class Tally:
    """`failures` name the input that is kept; `slowest` is the most seconds of the processor that one input took."""

    counts: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    slowest: float = 0.0

    def fail(self, kind: str, name: str, data: bytes, why: object) -> None:
        key = hashlib.sha256(data).hexdigest()[:12]
        CORPUS.mkdir(exist_ok=True)
        (CORPUS / f"{kind}-{key}-{name}").write_bytes(data)
        self.failures.append(f"{kind} {name} {key}: {str(why)[:300]!r}")

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.failures += other.failures
        self.slowest = max(self.slowest, other.slowest)

    @contextmanager
    def limited(self) -> Iterator[None]:
        """Whatever takes longer than LONGEST seconds of the processor, or waits for minutes, ends in HungError."""

        def stop(*_: object) -> None:
            raise HungError

        before = [signal.signal(number, stop) for number in (signal.SIGPROF, signal.SIGALRM)]
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        signal.alarm(WAITING)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.alarm(0)
            for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
                signal.signal(number, handler)
            self.slowest = max(self.slowest, time.process_time() - start)


class HungError(Exception):
    """Longer than LONGEST seconds."""
