"""The one place where the cube systems × queries × measures of an analysis is examined."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rankgauge.errors import AnalysisError, UsageError, did_you_mean
from rankgauge.kernels.resampling import FloatArray


def checked_cube(values: npt.ArrayLike, systems: Sequence[str], measures: Sequence[str]) -> FloatArray:
    """Values as float64, once shape, names and numbers are found to fit; at least two systems and two queries."""
    cube = np.asarray(values, dtype=np.float64)
    if cube.ndim != 3 or (len(cube), cube.shape[2]) != (len(systems), len(measures)):
        expected = f"{len(systems)} systems × queries × {len(measures)} measures"
        raise UsageError(f"values have the shape {cube.shape}, not {expected}.")
    for kind, names in (("system", systems), ("measure", measures)):
        repeated = [name for name, times in Counter(names).items() if times > 1]
        if repeated:
            raise UsageError(f"the {kind} {repeated[0]!r} is given twice; every {kind} needs a name of its own.")
    if not measures:
        raise UsageError("no measure is given; name at least one, such as nDCG@10.")
    if len(systems) < 2:
        only = f"only {systems[0]!r}" if systems else "none"
        raise AnalysisError(f"a comparison needs at least two systems; there is {only}. Add another run.")
    if cube.shape[1] < 2:
        raise AnalysisError(
            f"a comparison needs at least two queries; there is {('only one', 'none')[cube.shape[1] == 0]}.\n"
            "One query cannot show how far queries differ: judge more, or use a run with more queries."
        )
    if np.isinf(cube).any():
        system, _, measure = np.argwhere(np.isinf(cube))[0]
        where = f"{systems[system]} has an infinite {measures[measure]}"
        raise AnalysisError(f"{where}; scores must be finite, or nan where a query is left out.")
    return cube


def position(name: str, names: Sequence[str], kind: str) -> int:
    """Where the name stands, or an error with the nearest known one."""
    if name not in names:
        raise UsageError(f"unknown {kind} {name!r}; {did_you_mean(name, names)}")
    return list(names).index(name)


def checked_choice(value: str, choices: Iterable[str], kind: str) -> str:
    """The value, if it is one of the choices."""
    choices = tuple(choices)
    if value not in choices:
        raise UsageError(f"unknown {kind} {value!r}; {did_you_mean(value, choices)}")
    return value


def checked_share(value: float, name: str, example: str) -> float:
    """A number strictly between 0 and 1."""
    if not 0.0 < value < 1.0:
        raise UsageError(f"{name} is {value}; it must lie between 0 and 1, such as {example}.")
    return value
