"""How time and memory grow with rows, queries, systems and measures; straight lines fitted to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from trials import Trial, in_turn, job
from workloads import Size, made

MEASURES = [f"nDCG@{k}" for k in (5, 10, 15, 20, 30, 50, 70, 100)]
MEASURES += [f"{name}@{k}" for k in (5, 10, 20, 50, 100, 200, 500, 1000) for name in ("P", "R", "RR", "AP")]
"""Forty measures; the first n of them are asked for."""


@dataclass(frozen=True)
class Series:
    """One quantity grows, all else stays."""

    of: str
    unit: str
    held: str
    amounts: tuple[int, ...]
    trials: tuple[Trial, ...]
    function: str = "evaluate"

    def line(self, what: str) -> tuple[float, float, float]:
        """Intercept, slope and R² of seconds (`wall`) or megabytes (`peak`) against the amounts."""
        import numpy as np

        y = np.array([getattr(trial, what) for trial in self.trials])
        x = np.array(self.amounts, dtype=np.float64)
        slope, intercept = np.polyfit(x, y, 1)
        rest = ((y - intercept - slope * x) ** 2).sum()
        spread = ((y - y.mean()) ** 2).sum()
        return float(intercept), float(slope), float(1 - rest / spread) if spread else 1.0


def measured(size: Size, data: Path, rounds: int) -> list[Series]:
    queries, depth = size.file
    grown = [queries // share for share in (14, 7, 4, 2, 1)]
    rows = [_file(data, amount, depth) for amount in grown]
    total = queries * depth // 7
    shapes = [(total // width, width) for width in (10_000, 1_000, 100, 10)]
    shaped = [_file(data, *shape) for shape in shapes]
    middle = shaped[1]
    counts = (1, 2, 5, 10, 20, 40)
    runs = sorted((data / "files-{}x{}x{}".format(*size.files) / "runs").glob("*.run"))
    judged = runs[0].parent.parent / "judgments.qrels"
    systems = [len(runs) * share // 8 for share in (1, 2, 4, 8)]
    beside = ("compare", "stability", "optimize", "report")
    return [
        _series("rows", "rows", f"{depth:,} documents a query, five measures", [n * depth for n in grown], rounds, [job("file_rankgauge", *paths) for paths in rows]),
        _series("queries", "queries", f"{total:,} rows in all, five measures", [n for n, _ in shapes], rounds, [job("file_rankgauge", *paths) for paths in shaped]),
        _series("systems", "run files", "{1} queries × {2:,}, three measures".format(*size.files), systems, rounds, [job("many_rankgauge", judged, *runs[:n]) for n in systems]),
        _series("measures", "measures", f"{shapes[1][0]:,} queries × {shapes[1][1]:,}", counts, rounds, [job("file_rankgauge", *middle, " ".join(MEASURES[:n])) for n in counts]),
        *(_series("systems", "run files", "{1} queries × {2:,}, nDCG@10".format(*size.files), systems, 1, [job(f"analyses.{name}", judged, *runs[:n]) for n in systems], name) for name in beside),
    ]  # fmt: skip


def _series(
    of: str,
    unit: str,
    held: str,
    amounts: Sequence[int],
    rounds: int,
    commands: list[list[str]],
    function: str = "evaluate",
) -> Series:
    trials = in_turn({str(at): command for at, command in enumerate(commands)}, rounds)
    done = [at for at in range(len(commands)) if str(at) in trials]  # one that failed was named and left out
    return Series(of, unit, held, tuple(amounts[at] for at in done), tuple(trials[str(at)] for at in done), function)


def _file(data: Path, queries: int, depth: int) -> tuple[Path, Path]:
    """Judgments and a run of this shape."""
    folder = data / f"growth-{queries}x{depth}"
    made(folder, job("make_file", folder, queries, depth, "plain"))
    return folder / "judgments.qrels", folder / "plain.run"


if __name__ == "__main__":
    import steps

    steps.main()
