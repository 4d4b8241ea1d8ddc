"""The function behind relevance from scores: an object to keep, print and reuse."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import numpy as np
import numpy.typing as npt

from rankgauge.arrays import Floats
from rankgauge.data.write import write_whole
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.kernels import curves
from rankgauge.kernels.curves import LARGEST, PRESETS, BoxPlot, Phi, Quartiles, Whisker
from rankgauge.signature import Bounds, checked, parameter
from rankgauge.small_files import small_text

USER: Literal["knots"] = "knots"  # the preset of a function whose control points a user gave
BOX_PLOT = ("quartiles", "whisker", "reach")
EXAMPLE = '{"knots": [[0, 0], [10, 0.5], [40, 1]]}'


@dataclass(frozen=True)
class RelevanceFunction:
    """Score to relevance in [0, 1]: `RelevanceFunction.fit(scores)`, or control points of your own.

    Called on scores of any shape it gives an array of that shape: before the first knot its value, after the last knot
    the last one's. Your own knots must rise in score, must not fall in relevance, and are joined by monotone cubics
    (PCHIP). Knots of `fit` may coincide: two at the median where it is the minimum, two at the maximum where it is the
    median (a step); one knot alone means 0 everywhere, because all scores were equal.

    >>> halves = RelevanceFunction([(0, 0), (10, 0.5), (40, 1)])
    >>> halves([5, 10, 40, 50]).round(4).tolist()
    [0.2888, 0.5, 1.0, 1.0]
    """

    knots: tuple[tuple[float, float], ...]
    preset: Literal["knots", "paper", "authors"] = USER
    quartiles: Quartiles | None = None
    whisker: Whisker | None = None
    reach: Annotated[float, Bounds(0, noun="a number of box lengths", such_as="1.5")] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "knots", pairs_of(self.knots))
        for name in ("preset", *BOX_PLOT):
            if known := parameter(RelevanceFunction, name):
                object.__setattr__(self, name, known.settled(getattr(self, name)))
        if self.preset == USER:
            if fault := curves.fault_of(self.knots):
                raise UsageError(f"knots: {fault}.\nGive control points such as [(0, 0), (10, 0.5), (40, 1)].")
        else:
            settings = _settings(self.preset, self.quartiles, self.whisker, self.reach)
            for name in BOX_PLOT:
                object.__setattr__(self, name, getattr(settings, name))
            _check_fitted(self.knots)

    @classmethod
    @checked
    def fit(
        cls,
        scores: Any,
        *,
        preset: Literal["paper", "authors"] = "paper",
        quartiles: Quartiles | None = None,
        whisker: Whisker | None = None,
        reach: Annotated[float, Bounds(0, noun="a number of box lengths", such_as="1.5")] | None = None,
    ) -> Self:
        """Phi of one list of scores; where all are equal it is 0 everywhere."""
        settings = _settings(preset, quartiles, whisker, reach)
        values = _numbers(scores, missing=settings.positive)
        if values.ndim != 1:
            raise UsageError(f"scores: {values.ndim} dimensions; phi is fitted on one list of scores.\nPass one query.")
        values = values[~np.isnan(values)]
        _check_fittable(values, settings)
        fitted = Phi.fit(np.sort(values)[::-1], np.array([0, len(values)]), settings)
        return cls(fitted.knots(0), preset, settings.quartiles, settings.whisker, settings.reach)

    def __call__(self, scores: npt.ArrayLike) -> Floats:
        values = _numbers(scores, missing=self.preset == "authors")
        flat = values.ravel()
        present = ~np.isnan(flat)
        result = np.full(len(flat), np.nan)
        result[present] = self._evaluate(flat[present])
        return result.reshape(values.shape)

    def _evaluate(self, values: Floats) -> Floats:
        if self.preset == USER:
            x, v = np.array(self.knots).T
            return curves.interpolate(x, v, values)
        if len(self.knots) == 1:
            return np.zeros(len(values))
        (first, _), (median, _), *between, (maximum, _) = self.knots
        whisker, level = between[0] if between else (maximum, 1.0)
        points = (np.array([number]) for number in (first, median, whisker, level, maximum))
        return Phi(*points)(np.zeros(len(values), dtype=np.int64), values)

    def __str__(self) -> str:
        spelled = "knots(" + ", ".join(f"{_short(x)}:{_short(v)}" for x, v in self.knots) + ")"
        if self.preset == USER:
            return f"relevance through control points\n{spelled}"
        reach = "" if self.reach == curves.PAPER.reach else f", reach {self.reach:g}"
        name = f"phi (preset {self.preset}, quartiles {self.quartiles}, whisker {self.whisker}{reach})"
        if len(self.knots) == 1:
            return f"{name}: 0 everywhere, all scores were {_short(self.knots[0][0])}"
        if len(self.knots) == 3 and self.knots[1][0] == self.knots[2][0]:
            return f"{name}: 1 from {_short(self.knots[2][0])}, both median and maximum, 0 below\n{spelled}"
        parts = [f"0 up to the median {_short(self.knots[1][0])}"]
        parts += [f"{v:.4f} at the whisker {_short(x)}" for x, v in self.knots[2:-1]]
        parts += [f"1 from the maximum {_short(self.knots[-1][0])}"]
        return f"{name}: {', '.join(parts)}\n{spelled}"

    def to_dict(self) -> dict[str, Any]:
        box_plot = {name: getattr(self, name) for name in BOX_PLOT}
        return {"preset": self.preset, **box_plot, "knots": [list(knot) for knot in self.knots]}

    def to_json(self) -> str:
        """JSON in full precision: `from_json` gives an equal function back."""
        return json.dumps(self.to_dict())

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Read what `to_json` wrote; a bare list of [score, relevance] pairs is read as control points."""
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as fault:
            why = "nested too deeply" if isinstance(fault, RecursionError) else fault
            raise UsageError(f"not a relevance function: {why}.\nExpected JSON such as {EXAMPLE}.") from None
        if isinstance(found, list):
            found = {"knots": found}
        if not isinstance(found, dict) or "knots" not in found or not set(found) <= set(cls.__dataclass_fields__):
            raise UsageError(f"not a relevance function: {text[:60].strip()}\nExpected JSON such as {EXAMPLE}.")
        return cls(**found)

    def save(self, path: str | Path) -> None:
        """Write the function as JSON; `RelevanceFunction.load` reads it."""
        write_whole(Path(path), (self.to_json() + "\n").encode())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        try:
            return cls.from_json(small_text(path))
        except UsageError as fault:
            raise UsageError(f"{path}: {fault}") from None


def _settings(
    preset: Literal["paper", "authors"], quartiles: Quartiles | None, whisker: Whisker | None, reach: float | None
) -> BoxPlot:
    standard = PRESETS[preset]
    asked = BoxPlot(
        quartiles or standard.quartiles,
        whisker or standard.whisker,
        standard.positive,
        standard.reach if reach is None else float(reach),
    )
    for name in BOX_PLOT if preset == "authors" else ():
        ours, theirs = getattr(standard, name), getattr(asked, name)
        if ours != theirs:
            raise UsageError(
                f"{name}: preset 'authors' is a program with {name}={ours!r}.\n"
                f"Leave {name} out, or use preset='paper' with {name}={theirs!r}."
            )
    return asked


def _numbers(scores: npt.ArrayLike, *, missing: bool) -> Floats:
    try:
        numbers = np.asarray(scores, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as fault:
        raise UsageError(f"scores: not an array of numbers ({fault}).") from None
    wrong = np.flatnonzero(np.isinf(numbers) if missing else ~np.isfinite(numbers))
    if len(wrong):
        first = f"the first is {numbers.ravel()[wrong[0]]} at position {wrong[0]}"
        hint = "" if missing else ", or use preset='authors', which keeps nan as missing"
        raise UsageError(f"scores: {len(wrong)} of {numbers.size} not finite; {first}.\nLeave them out{hint}.")
    return numbers


def _check_fittable(values: Floats, settings: BoxPlot) -> None:
    if len(values) == 0:
        raise AnalysisError("scores: none to fit phi on.\nGive some, or a reference population.")
    extreme = values[np.abs(values).argmax()]
    if abs(extreme) > LARGEST:
        raise UsageError(f"scores: {extreme} is beyond {LARGEST:g}.\nDivide all scores by one number.")
    if settings.positive and not (values > 0).any():
        raise AnalysisError(
            "scores: none is positive, and preset 'authors' is fitted on positive scores.\nUse preset='paper'."
        )


def pairs_of(knots: Iterable[Any]) -> tuple[tuple[float, float], ...]:
    try:
        return tuple((float(x), float(v)) for x, v in knots)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(
            "knots: not (score, relevance) pairs of numbers, such as [(0, 0), (10, 0.5), (40, 1)]."
        ) from None


def _check_fitted(knots: tuple[tuple[float, float], ...]) -> None:
    x, v = [knot[0] for knot in knots], [knot[1] for knot in knots]
    if not all(abs(score) <= LARGEST for score in x):
        fault = "a score is not a finite number"
    elif v == [0]:
        return
    elif len(knots) not in {3, 4} or v[:2] != [0, 0] or v[-1] != 1 or sorted(x) != x or x[0] == x[-1]:
        fault = "expected (first, 0), (median, 0), perhaps a whisker, (maximum, 1) in rising order"
    elif len(knots) == 4 and not (x[1] < x[2] < x[3] and 0 < v[2] < 1):
        fault = f"the whisker {x[2]:g}:{v[2]:g} does not lie between {x[1]:g}:0 and {x[3]:g}:1"
    else:
        return
    raise UsageError(f"knots: not those of a fitted phi; {fault}.\nControl points of your own have preset='knots'.")


def _short(number: float) -> str:
    return repr(number).removesuffix(".0")
