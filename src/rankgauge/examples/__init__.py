"""Real data to try everything on: ten learning-to-rank systems on 251 queries, each document judged 0 to 4.

`load()` gives the collection as Polars frames; `load().save(folder)` writes it as files.
"""

from __future__ import annotations

from rankgauge.examples.collection import ExampleCollection, load

__all__ = ["ExampleCollection", "load"]


def __dir__() -> list[str]:
    return list(__all__)
