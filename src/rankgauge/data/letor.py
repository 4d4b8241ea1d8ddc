"""A learning-to-rank file as a collection: its grades are judgments, each of its features is a run."""

from __future__ import annotations

from pathlib import Path

from rankgauge.data.judgments import Judgments
from rankgauge.data.read.file import Source
from rankgauge.data.run import Run


def read_letor(path: str | Path) -> tuple[Judgments, list[Run]]:
    """Judgments and one run per feature (`feature-1`, …) of a LETOR or SVMlight file.

    Queries come from `qid:`, or from a file beside it that ends in `.query`; documents from the comment of a line, else
    they are numbered within their query. A feature that a row leaves out counts as 0.
    """
    from rankgauge.data.read.letor import parse_file

    source = Source(path)
    letor = parse_file(source)
    runs = [Run(letor.table_of(feature), name=f"feature-{feature}") for feature in letor.features]
    return Judgments(letor.table, name=source.origin), runs
