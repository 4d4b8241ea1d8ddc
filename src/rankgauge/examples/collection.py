"""The collection that comes with the package; tools/make_example.py made its figures, NOTICE.md says from what."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from importlib.resources import files
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError
from rankgauge.signature import checked

if TYPE_CHECKING:
    import polars as pl

_ABOUT = ("query", "document", "part", "grade")
_FOLDER = files("rankgauge.examples")


@dataclass(frozen=True, eq=False)
class ExampleCollection:
    """Judgments and the runs of real systems, each scored on queries it was not trained on.

    The documents and features are those of LightGBM's learning-to-rank example (MIT license, see `notice`).
    """

    table: pl.DataFrame
    """One row per document: query, document, part (LightGBM's file: train or test), grade, and a column per system."""
    notice: str
    """Where the data come from, and their license."""

    @property
    def systems(self) -> tuple[str, ...]:
        return tuple(name for name in self.table.columns if name not in _ABOUT)

    @property
    def judgments(self) -> pl.DataFrame:
        """Columns query, document and grade."""
        return self.table.select("query", "document", "grade")

    @property
    def runs(self) -> dict[str, pl.DataFrame]:
        """System → columns query, document and score."""
        return {name: self.table.select("query", "document", score=name) for name in self.systems}

    @property
    def queries(self) -> pl.DataFrame:
        """Columns query, documents (how many there are), relevant (of grade 2 or more), length and part.

        `length` is short (up to 14 documents) or long.
        """
        import polars as pl

        counted = self.table.group_by("query", maintain_order=True).agg(
            pl.len().alias("documents"), (pl.col("grade") >= 2).sum().alias("relevant"), pl.col("part").first()
        )
        length = pl.when(pl.col("documents") <= 14).then(pl.lit("short")).otherwise(pl.lit("long"))
        return counted.select("query", "documents", "relevant", length.alias("length"), "part")

    @checked
    def save(self, folder: str | PathLike[str]) -> None:
        """Write judgments.qrels, runs/*.trec, queries.csv, table.csv and NOTICE.md into a folder, created if needed."""
        target = Path(folder)
        try:
            (target / "runs").mkdir(parents=True, exist_ok=True)
        except OSError as problem:
            raise UsageError(f"{target}: cannot be created ({problem.strerror})") from None
        judged = (f"{query} 0 {document} {grade}\n" for query, document, grade in self.judgments.iter_rows())
        write_whole(target / "judgments.qrels", "".join(judged).encode())
        for system, run in self.runs.items():
            write_whole(target / "runs" / f"{system}.trec", _trec_text(run, system).encode())
        write_whole(target / "queries.csv", self.queries.write_csv().encode())
        write_whole(target / "table.csv", self.table.write_csv().encode())
        write_whole(target / "NOTICE.md", self.notice.encode())


def load() -> ExampleCollection:
    """The example collection: 251 queries, 3,773 judged documents, ten systems.

    >>> example = load()
    >>> example.systems[:3]
    ('lambdamart', 'xendcg', 'boosted-trees')
    >>> example.judgments.shape
    (3773, 3)
    """
    import polars as pl

    text = gzip.decompress(_FOLDER.joinpath("collection.csv.gz").read_bytes())
    return ExampleCollection(pl.read_csv(text), _FOLDER.joinpath("NOTICE.md").read_text(encoding="utf-8"))


def _trec_text(run: pl.DataFrame, system: str) -> str:
    """Lines of a run, best first; the documents of a query keep their order where their scores are equal."""
    lines, last, rank = [], None, 0
    for query, document, score in run.sort("query", "score", descending=[False, True], maintain_order=True).iter_rows():
        rank = rank + 1 if query == last else 1
        last = query
        lines.append(f"{query} Q0 {document} {rank} {score} {system}\n")
    return "".join(lines)
