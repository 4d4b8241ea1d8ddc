"""How small a difference can these queries show, and how many queries would show a given one?

Planning is by the paired t-test, whichever test is used for the verdict: the others have nearly the same power on
scores, and none has a formula.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from rankgauge.analysis.compare.differences import paired_differences
from rankgauge.analysis.compare.studentized import t_test_power
from rankgauge.errors import AnalysisError, UsageError
from rankgauge.evaluation.intervals import moments
from rankgauge.kernels.resampling import FloatArray

# Beyond a billion queries the answer is "never".
MOST_QUERIES = 10**9


def detectable_difference(deviation: float, queries: int, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The true difference that a paired t-test on this many queries finds with the given chance.

    `deviation` is the standard deviation of the paired differences. nan for fewer than two queries.
    """
    _check(power, alpha)
    if queries < 2 or math.isnan(deviation):
        return math.nan
    low, high = 0.0, 1.0
    while t_test_power(high, queries - 1, alpha) < power:
        high *= 2.0
    while high - low > 1e-10 * high:
        middle = (low + high) / 2.0
        low, high = (middle, high) if t_test_power(middle, queries - 1, alpha) < power else (low, middle)
    return high * deviation / math.sqrt(queries)


def queries_to_detect(deviation: float, difference: float, *, power: float = 0.8, alpha: float = 0.05) -> int | None:
    """The smallest number of queries with which a paired t-test finds a true difference with the given chance.

    None where no number of queries does: the difference is 0 or lost in the noise of more than 10⁹ queries.

    >>> queries_to_detect(0.1, 0.02)
    199
    """
    from scipy.special import ndtri

    _check(power, alpha)
    if difference == 0.0 or not math.isfinite(difference) or not math.isfinite(deviation):
        return None
    if deviation == 0.0:
        return _without_variance(alpha)
    effect = abs(difference) / deviation
    # Known standard deviation, normal distribution: a query or two below the answer, rarely above it.
    start = float(np.square((ndtri(1.0 - alpha / 2.0) + ndtri(power)) / effect))
    if start > MOST_QUERIES:
        return None
    return _smallest(lambda n: t_test_power(effect * math.sqrt(n), n - 1, alpha) >= power, max(2, math.ceil(start)))


def typical_deviation(values: FloatArray) -> float:
    """The median standard deviation of paired differences over all pairs of systems; `values` is systems × queries."""
    if len(values) < 2 or values.shape[1] < 2:
        shape = f"{len(values)} × {values.shape[1]}"
        raise AnalysisError(f"paired differences need two systems and two queries; there are {shape}.")
    # One system against the later ones at a time: all pairs at once may not fit into memory.
    against = (paired_differences(values[i + 1 :], values[i]) for i in range(len(values) - 1))
    deviations = np.concatenate([moments(differences).deviation for differences in against])
    known = deviations[~np.isnan(deviations)]
    if not len(known):
        raise AnalysisError("no two systems share two queries, so their differences cannot be measured.")
    return float(np.median(known))


def _smallest(enough: Callable[[int], bool], start: int) -> int:
    """The smallest n >= 2 that is enough, searched outwards from `start` in doubling steps."""
    step = 1
    if enough(start):
        low, high = start, start
        while low >= 2 and enough(low):
            low, high, step = max(1, low - step), low, 2 * step
    else:
        low, high = start, start + 1
        while not enough(high):
            low, high, step = high, high + 2 * step, 2 * step
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _without_variance(alpha: float) -> int:
    # Without variance the smallest p of n queries is 2^(1-n), as in significance.smallest_p.
    return max(2, math.ceil(1.0 - math.log2(alpha)))


def _check(power: float, alpha: float) -> None:
    if not 0.0 < alpha < 1.0:
        raise UsageError(f"alpha is {alpha}; it must lie between 0 and 1, such as 0.05.")
    if not alpha < power < 1.0:
        raise UsageError(f"power is {power}; it must lie between alpha = {alpha} and 1, such as 0.8.")
