"""The relevance, gain and discount curves that a measure may name, in the order help prints them; first the default."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, get_args

from rankgauge.errors import MeasureError, did_you_mean
from rankgauge.kernels import curves
from rankgauge.measures.parameters import Choice, Family, Real
from rankgauge.measures.tokens import Setting

if TYPE_CHECKING:
    from rankgauge.kernels.curves import BoxPlot
    from rankgauge.measures.parameters import Parameter


def _numbers(what: str, arguments: tuple[Any, ...]) -> tuple[float, ...]:
    if not arguments:
        raise MeasureError(f"{what} needs at least one number, as in {what.replace('…', '1, 2')}")
    for given in arguments:
        if not isinstance(given, (int, float)) or not math.isfinite(given) or given < 0:
            raise MeasureError(f"{what} takes numbers that are not negative, not {_spell(given)}")
    return tuple(float(given) for given in arguments)


def _tiers(arguments: tuple[Any, ...]) -> tuple[float, ...]:
    sizes = _numbers("tiers(…)", arguments)
    if any(size != int(size) or size < 1 for size in sizes) or any(b <= a for a, b in pairwise(sizes)):
        raise MeasureError("tiers(…) takes growing whole numbers, as in tiers(10, 25, 50)")
    return sizes


def _pairs(what: str, left: str, arguments: tuple[Any, ...]) -> tuple[tuple[float, float], ...]:
    if not arguments or any(not isinstance(given, tuple) for given in arguments):
        raise MeasureError(f"{what} takes pairs {left}:number, as in {what.replace('…', '1:1, 4:0.6')}")
    if any(b[0] <= a[0] for a, b in pairwise(arguments)):
        raise MeasureError(f"{what} needs each {left} greater than the one before")
    if any(value < 0 for _, value in arguments):
        raise MeasureError(f"{what} takes numbers that are not negative")
    return tuple((float(a), float(b)) for a, b in arguments)


def _steps(arguments: tuple[Any, ...]) -> tuple[tuple[float, float], ...]:
    pairs = _pairs("steps(…)", "rank", arguments)
    if pairs[0][0] != 1 or any(rank != int(rank) for rank, _ in pairs):
        raise MeasureError("steps(…) takes whole ranks from 1 on, as in steps(1:1, 4:0.6)")
    return pairs


def _phi(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The preset unless it is the paper's, then the settings that differ from it, in their order."""
    settings = _phi_settings(arguments)
    preset = next((given for given in arguments if isinstance(given, str)), "paper")
    standard = curves.PRESETS[preset]
    named = [
        (name, getattr(settings, name)) for name in _box_plot() if getattr(settings, name) != getattr(standard, name)
    ]
    return (*(() if preset == "paper" else (preset,)), *(Setting(name, value) for name, value in named))


def _phi_settings(arguments: tuple[Any, ...]) -> BoxPlot:
    words = [given for given in arguments if isinstance(given, str)]
    presets, known = curves.PRESETS, _box_plot()
    named: dict[str, Any] = {given.name: given.value for given in arguments if isinstance(given, Setting)}
    if len(words) + len(named) != len(arguments) or len(words) > 1 or any(word not in presets for word in words):
        raise MeasureError(
            f"phi takes one word, {' or '.join(presets)}, and settings, as in phi(authors) or phi(quartiles=hinges, reach=1.5)"
        )
    for name, value in named.items():
        if name not in known:
            raise MeasureError(f"phi has no setting {name!r}", hint=did_you_mean(name, known))
        named[name] = known[name].check(name, value)
    return replace(presets[words[0] if words else "paper"], **named)


def phi(value: Any, query: Any, pool: Any, *arguments: Any) -> Any:
    return curves.phi(value, query, pool, _phi_settings(arguments))


@cache
def _box_plot() -> dict[str, Parameter]:
    return {
        "quartiles": Choice("how quartiles are computed", get_args(curves.Quartiles)),
        "whisker": Choice("where the whisker ends", get_args(curves.Whisker)),
        "reach": Real("box lengths to the fence", default=1.5, low=0),
    }


def _quantiles(arguments: tuple[Any, ...]) -> tuple[tuple[float, float], ...]:
    pairs = _knots("quantiles(0.5:0, 0.9:0.8, 1:1)", arguments)
    if not all(0 <= place <= 1 for place, _ in pairs):
        raise MeasureError("quantiles(…) takes quantiles between 0 and 1, as in quantiles(0.5:0, 0.9:0.8, 1:1)")
    return pairs


def _knots(example: str, arguments: tuple[Any, ...]) -> tuple[tuple[float, float], ...]:
    name = example.split("(", maxsplit=1)[0]
    if any(not isinstance(given, tuple) for given in arguments):
        raise MeasureError(f"{name}(…) takes pairs value:relevance, as in {example}")
    fault = curves.fault_of(arguments)
    if fault:
        raise MeasureError(f"{name}(…): {fault}")
    return tuple((float(x), float(v)) for x, v in arguments)


def _spell(given: Any) -> str:
    return ":".join(f"{part:g}" for part in given) if isinstance(given, tuple) else repr(given)


FAMILIES: dict[str, dict[str, Family]] = {
    "relevance": {
        "identity": Family(curves.identity, "the judged value; negative values count as 0"),
        "signed": Family(curves.as_judged, "the judged value; negative values count as they are"),
        "bounded": Family(
            curves.as_judged,
            "the judged value; negative values count as they are, and nDCG is undefined where its ideal is not above 0",
        ),
        "balanced": Family(
            curves.as_judged,
            "the judged value; negative values count as they are, and nDCG is undefined where they add up to 0 and 0 "
            "where its ideal is 0",
        ),
        "phi": Family(
            phi,
            "phi, phi(authors), phi(quartiles=hinges, whisker=observed, reach=1.5): interpolated from the judged values "
            "of the query",
            many=_phi,
        ),
        "knots": Family(
            curves.knots,
            "knots(0:0, 10:0.5, 40:1): a curve through points value:relevance",
            many=partial(_knots, "knots(0:0, 10:0.5, 40:1)"),
        ),
        "quantiles": Family(
            curves.quantiles,
            "quantiles(0.5:0, 0.9:0.8, 1:1): a curve through points quantile:relevance, query by query",
            many=_quantiles,
        ),
        "tiers": Family(
            curves.tiers,
            "tiers(10, 25, 50): 3 for the top ten of a query, 2 for the next 15, …; ties share the mean tier",
            many=_tiers,
        ),
    },
    "gain": {
        "linear": Family(curves.linear, "v"),
        "exp": Family(curves.exp, "2^v − 1"),
        "binary": Family(
            curves.binary,
            "binary, binary(2): 1 above 0, or from this relevance on, else 0",
            (Real("threshold", low=0, open_low=True),),
        ),
        "same": Family(curves.same, "1 for every judged document, whatever its grade"),
        "power": Family(curves.power, "v^b", (Real("b", low=0, open_low=True),), required=1),
        "levels": Family(
            curves.levels, "levels(g1, g2, …): the gains of grades 1, 2, …", many=partial(_numbers, "levels(…)")
        ),
        "table": Family(
            curves.table,
            "table(1:3, 2:9): gains of some grades; the others keep their own value",
            many=partial(_pairs, "table(…)", "grade"),
        ),
    },
    "discount": {
        "log2": Family(curves.log2, "1 / log2(r + 1)"),
        "jk": Family(
            curves.jk, "1 / max(1, log_b r): the original form of 2002", (Real("b", low=1, open_low=True),), required=1
        ),
        "zipf": Family(
            curves.zipf,
            "zipf, zipf(s), zipf(s, c): (r + c)^−s, by default s = 1 and c = 0",
            (Real("s", default=1.0, low=0), Real("c", default=0.0, low=0)),
        ),
        "linear": Family(curves.straight, "(k + 1 − r) / k; needs a cutoff k"),
        "rbp": Family(curves.rbp, "p^(r − 1)", (Real("p", low=0, high=1, open_low=True, open_high=True),), required=1),
        "none": Family(curves.none, "1 at every rank"),
        "weights": Family(
            curves.weights,
            "weights(w1, w2, …): as given, 0 beyond the last",
            many=partial(_numbers, "weights(…)"),
            reach=len,
        ),
        "steps": Family(
            curves.steps,
            "steps(1:1, 4:0.6): from rank 1 weight 1, from rank 4 weight 0.6",
            many=_steps,
            reach=lambda pairs: int(pairs[-1][0]),
        ),
    },
}
