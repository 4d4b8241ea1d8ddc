"""What is asked of Spark for a table, without Spark."""

from __future__ import annotations

from dataclasses import dataclass

from rankgauge.data.columns import Wanted
from rankgauge.evaluation.spark.tables import _selected


@dataclass
class Asked:
    """Stands in for a Spark table: it keeps what is selected."""

    dtypes: list[tuple[str, str]]
    expressions: tuple[str, ...] = ()

    @property
    def columns(self) -> list[str]:
        return [name for name, _ in self.dtypes]

    def selectExpr(self, *expressions: str) -> Asked:  # noqa: N802 - Spark's name
        return Asked(self.dtypes, expressions)


def test_judgments_without_values_count_as_1() -> None:
    frame, notes = _selected(Asked([("userId", "bigint"), ("movieId", "bigint")]), Wanted("value"), "judgments", None)
    assert frame.expressions[-1] == "cast(1 as double) as value"
    assert [note.kind for note in notes] == ["no-values"]


def test_values_are_taken_where_there_are_some() -> None:
    columns = [("userId", "bigint"), ("movieId", "bigint"), ("rating", "float")]
    frame, notes = _selected(Asked(columns), Wanted("value"), "judgments", None)
    assert "rating" in frame.expressions[-1]
    assert notes == []
