"""docs/performance.md: the tables, the charts and what they say, from measured results."""

from __future__ import annotations

import contextlib
import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from math import ceil, floor, log10
from pathlib import Path
from typing import Any

from before import BEFORE, FAST
from growth import Series
from trials import Trial
from workloads import Claim, Workload

WORDS = Path(__file__).with_name("page.md")
PACKAGES = {
    "numpy": "",
    "polars": "",
    "isal": "",
    "pytrec-eval-terrier": "pytrec_eval",
    "ir-measures": "ir_measures",
    "ranx": "ranx",
    "scikit-learn": "sklearn",
    "rectools": "rectools, five",
    "recommenders": "recommenders, five",
}
SIGNS = {"faster": "≥ {} × as fast as {}", "slower": "≤ {} × the time of {}", "memory": "≤ {} × the memory of {}", "megabytes": "≤ {} MB", "seconds": "≤ {} s of CPU time", "beyond": "≤ {} s of CPU time beyond {}"}  # fmt: skip


@dataclass(frozen=True)
class Compared:
    """A workload and what its contenders reached."""

    workload: Workload
    trials: dict[str, Trial]
    failed: tuple[str, ...] = ()
    """Contenders that could not do it."""


@dataclass
class Circumstances:
    """When and how it was measured."""

    rounds: int
    load: float
    """Processes that were running when it began."""
    before: str
    """The older revision beside it, if there was one."""
    minutes: float | None = None

    def __str__(self) -> str:
        took = "" if self.minutes is None else f", in {self.minutes:.0f} minutes"
        beside = f" *Before* is revision {self.before} of rankgauge, run in turn with today's." if self.before else ""
        return (
            f"Measured in one run of {self.rounds} rounds (more for short jobs, two for the frames of most users){took}. When it began, {self.load:.1f} other "
            f"processes were running on average.{beside}"
        )


@dataclass(frozen=True)
class Results:
    """Everything that the page tells."""

    compared: dict[str, Compared]
    grown: list[Series]
    run: Circumstances


def write(results: Results, docs: Path) -> None:
    """The page and its charts."""
    charts = {"performance": _bars(results.compared.values())}
    if results.grown:
        charts["growth"] = _lines(results.grown)
    from rankgauge.presentation.charts.style import save_chart

    for name, chart in charts.items():
        save_chart(chart, docs / "images" / f"{name}.svg")
    text = WORDS.read_text(encoding="utf-8")
    text = text.replace("{machine}", _machine(results.compared.values())).replace(
        "{goals}", goals(results.compared.values())
    )
    text = text.replace("{run}", str(results.run)).replace("{changes}", changes(results.compared.values()))
    text = text.replace("{workloads}", "\n".join(section(compared) for compared in results.compared.values()))
    (docs / "performance.md").write_text(text.replace("{growth}", _grown(results.grown)), encoding="utf-8")


def section(compared: Compared) -> str:
    """One workload as a heading and a table."""
    workload, trials = compared.workload, compared.trials
    ours = trials.get("rankgauge")
    rows = [[name, *_cells(trial, ours)] for name, trial in trials.items()]
    head = ["", "wall s", "CPU s", "peak MB", "× rankgauge", "means differ by"]
    failed = f"\nNot able to: {', '.join(compared.failed)}.\n" if compared.failed else ""
    return f"### {workload.key}\n\n{workload.title}.\n\n{_table(head, rows)}\n{failed}"


def changes(compared: Iterable[Compared]) -> str:
    """What each job took before and takes now, and which of the first five workloads became slower, beyond the noise."""
    rows, slower, measured = [], [], 0
    for one in compared:
        for name, old in one.trials.items():
            now = one.trials.get(name.removeprefix(BEFORE))
            if not name.startswith(BEFORE) or now is None:
                continue
            case = name.removeprefix(BEFORE).removeprefix("rankgauge").removeprefix(", ")
            ratio = old.wall / now.wall
            rows.append([one.workload.key, case, *_pair(old.wall, now.wall), *_pair(old.cpu, now.cpu), f"{old.peak:,.0f} → {now.peak:,.0f}", f"{ratio:.2f} ×"])  # fmt: skip
            if one.workload.key.startswith(FAST):
                measured += 1
                slower += [f"{one.workload.key}{', ' * bool(case)}{case}"] if ratio < 0.95 else []
    if not rows:
        return "Not measured in this run; `make bench BEFORE=REVISION` measures an older rankgauge beside this one."
    head = ["workload", "", "wall s", "CPU s", "peak MB", "as fast"]
    verdict = (
        f"Of {measured} jobs of W1 to W5, {len(slower) or 'none'} took more than a twentieth longer than before"
        + (f": {'; '.join(slower)}." if slower else ".")
    )
    return f"{_table(head, rows)}\n\n{verdict if measured else ''}".rstrip()


def _pair(before: float, now: float) -> list[str]:
    return [f"{before:.{3 if before < 10 else 1}f} → {now:.{3 if now < 10 else 1}f}"]


def goals(compared: Iterable[Compared]) -> str:
    """Goals and measurements."""
    rows = [_goal(one, claim) for one in compared for claim in one.workload.claims]
    return _table(["workload", "", "goal", "measured", "by CPU time", "reached"], rows)


def _goal(one: Compared, claim: Claim) -> list[str]:
    case = claim.of.removeprefix("rankgauge").removeprefix(", ")
    wall, cpu = (claim.measured(one.trials, clock) for clock in ("wall", "cpu"))
    if wall is None or cpu is None:
        return [one.workload.key, case, _limit(claim), "not measured", "", ""]
    units = {"megabytes": f"{wall:,.0f} MB", "seconds": f"{wall:.2f} s", "beyond": f"{wall:.2f} s"}
    said = units.get(claim.kind, f"{wall:.2f} ×")
    by_cpu = f"{cpu:.2f} ×" if claim.kind in {"faster", "slower"} else ""
    return [one.workload.key, case, _limit(claim), said, by_cpu, "yes" if claim.holds(wall) else "**no**"]


def _limit(claim: Claim) -> str:
    return SIGNS[claim.kind].format(
        f"{claim.limit:g}", claim.beside.removeprefix("floor: ").replace("rankgauge", "evaluate")
    )


def _cells(trial: Trial, ours: Trial | None) -> list[str]:
    ratio = "" if ours is None else f"{trial.wall / ours.wall:.2f}"
    same = ours is not None and trial.means and len(trial.means) == len(ours.means)
    apart = (
        max((abs(a - b) for a, b in zip(trial.means, ours.means, strict=True)), default=0.0) if same and ours else None
    )
    digits = 3 if trial.wall < 10 else 1
    return [f"{trial.wall:.{digits}f}", f"{trial.cpu:.{digits}f}", f"{trial.peak:,.0f}", ratio, "" if apart is None else f"{apart:.0e}" if apart else "0"]  # fmt: skip


def _table(head: list[str], rows: list[list[str]]) -> str:
    marks = ["---" if at == 0 or head[at] in {"goal", ""} else "---:" for at in range(len(head))]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, marks, *rows])


def _grown(grown: Sequence[Series]) -> str:
    if not grown:
        return "This run was broken off before growth was measured; the chart is of an earlier one."
    head = ["function", "against", "held", "from … to", "wall seconds", "R²", "CPU seconds", "R²", "megabytes", "R²"]
    return _table(head, [_fitted(series) for series in grown])


def _fitted(series: Series) -> list[str]:
    cells = [series.function, series.of, series.held, f"{series.amounts[0]:,} … {series.amounts[-1]:,}"]
    scale, word = (1_000_000, "million rows") if series.of == "rows" else (1_000, "thousand queries") if series.of == "queries" else (1, series.of[:-1])  # fmt: skip
    for what, digits in (("wall", 3), ("cpu", 3), ("peak", 1)):
        intercept, slope, explained = series.line(what)
        cells += [f"{intercept:.{digits}f} {'+' if slope >= 0 else '−'} {abs(slope) * scale:.{digits}f} per {word}", f"{explained:.2f}"]  # fmt: skip
    return cells


def _machine(compared: Iterable[Compared]) -> str:
    """What the figures depend on, and nothing that names the machine; peers only if they took part."""
    import os

    took_part = {name for one in compared for name in one.trials}
    found = []
    for package, contender in PACKAGES.items():
        with contextlib.suppress(PackageNotFoundError):
            found += [f"{package} {version(package)}"] if not contender or contender in took_part else []
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GiB, {platform.system()}, Python {platform.python_version()}; {', '.join(found)}"


def _bars(compared: Iterable[Compared]) -> Any:
    """Seconds of every contender, one panel for each workload, on one logarithmic scale."""
    import altair as alt

    from rankgauge.presentation.charts.style import LINE, MARK, SOFT, styled

    listed = list(compared)
    ends = [trial.wall for one in listed for trial in one.trials.values()]
    decades = [10.0**power for power in range(floor(log10(min(ends))), ceil(log10(max(ends))) + 1)]
    scale = alt.Scale(type="log", domain=[decades[0], decades[-1]], nice=False)
    kinds = alt.Scale(domain=["rankgauge", "peer", "floor"], range=[LINE, MARK, SOFT])
    panels = []
    for one in listed:
        values = [
            {"who": name.removeprefix("floor: "), "seconds": trial.wall, "kind": _kind(name)}
            for name, trial in one.trials.items()
            if not name.startswith(BEFORE)
        ]
        title = "seconds, the same logarithmic scale for all" if one is listed[-1] else None
        y = alt.Y(
            "who:N", sort=[value["who"] for value in values], title=None, axis=alt.Axis(labelLimit=240, grid=False)
        )
        x = alt.X("seconds:Q", title=title, scale=scale, axis=alt.Axis(values=decades, format="~g"))
        chart = alt.Chart(alt.InlineData(values=values)).encode(y=y, x=x)
        dots = chart.mark_point(filled=True, size=70, opacity=1).encode(
            color=alt.Color("kind:N", title=None, scale=kinds)
        )
        labels = chart.mark_text(align="left", dx=8, fontSize=11, color=SOFT).encode(text=alt.Text("seconds:Q", format=".3~g"))  # fmt: skip
        heading = alt.Title(one.workload.key, subtitle=one.workload.title, frame="group")
        panels.append(alt.layer(dots, labels).properties(width=460, title=heading))
    return styled(alt.vconcat(*panels, spacing=14))


def _kind(name: str) -> str:
    return "floor" if name.startswith("floor") else "rankgauge" if name.startswith("rankgauge") else "peer"


def _lines(grown: Iterable[Series]) -> Any:
    """Seconds above memory, a column for each quantity that grows; panels of a row have one scale."""
    import altair as alt

    from rankgauge.presentation.charts.style import LINE, MARK, SOFT, styled

    listed = [series for series in grown if series.function == "evaluate"]
    rows = []
    for title, kinds in (("seconds", {"wall": LINE, "cpu": MARK}), ("megabytes", {"peak": SOFT})):
        most = max(getattr(trial, what) for series in listed for trial in series.trials for what in kinds)
        scale = alt.Scale(domain=[0, 1.05 * most], nice=False)
        names = [{"wall": "wall", "cpu": "CPU", "peak": "peak memory"}[what] for what in kinds]
        colour = alt.Color("kind:N", title=None, scale=alt.Scale(domain=names, range=list(kinds.values())))
        panels = []
        for series in listed:
            values = [
                value for what, name in zip(kinds, names, strict=True) for value in _fitted_points(series, what, name)
            ]
            x = alt.X(
                "amount:Q", title=series.unit, axis=alt.Axis(tickCount=3, format="~s"), scale=alt.Scale(nice=False)
            )
            y = alt.Y(
                "value:Q",
                title=title if series is listed[0] else None,
                scale=scale,
                axis=alt.Axis(tickCount=5, minExtent=34),
            )
            chart = alt.Chart(alt.InlineData(values=values)).encode(x=x, color=colour)
            dots = chart.mark_point(filled=True, size=50, opacity=1).encode(y=y)
            line = chart.mark_line(strokeWidth=1.5, opacity=0.6).encode(y="line:Q")
            heading = alt.Title(f"more {series.unit}", subtitle=[*series.held.split(", "), " "][:2], frame="group")
            told = {"title": heading} if not rows else {}
            panels.append(alt.layer(line, dots).properties(width=170, height=150, **told))
        rows.append(alt.hconcat(*panels, spacing=26))
    return styled(alt.vconcat(*rows).resolve_scale(color="independent"))


def _fitted_points(series: Series, what: str, kind: str) -> list[dict[str, Any]]:
    intercept, slope, _ = series.line(what)
    return [
        {"kind": kind, "amount": amount, "value": getattr(trial, what), "line": intercept + slope * amount}
        for amount, trial in zip(series.amounts, series.trials, strict=True)
    ]
