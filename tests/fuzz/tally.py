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
LONGEST, TICK, TICKS = 10, 5, 60
"""Seconds of the processor, which other programs do not change. What waits for ever is found by ticks of the clock: a
process that is paused, however long, gets one when it goes on."""


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
        """Whatever takes longer than LONGEST seconds of the processor, or waits for TICKS ticks, ends in HungError."""
        ticks = 0

        def stop(*_: object) -> None:
            raise HungError

        def tick(*_: object) -> None:
            nonlocal ticks
            ticks += 1
            if ticks >= TICKS:
                raise HungError

        before = [signal.signal(number, act) for number, act in ((signal.SIGPROF, stop), (signal.SIGALRM, tick))]
        start = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        signal.setitimer(signal.ITIMER_REAL, TICK, TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.setitimer(signal.ITIMER_REAL, 0)
            for number, handler in zip((signal.SIGPROF, signal.SIGALRM), before, strict=True):
                signal.signal(number, handler)
            self.slowest = max(self.slowest, time.process_time() - start)


class HungError(Exception):
    """Longer than LONGEST seconds."""
