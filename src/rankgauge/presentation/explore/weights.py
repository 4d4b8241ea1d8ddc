"""Weights of the named discounts, to the last bit as NumPy computes them, in a few kilobytes.

Powers come from the library of the machine and may differ in their last bits from those of a browser. So both compute
them with about 106 bits by the same additions and multiplications, and the page carries the differences to NumPy's,
nearly all 0. `exact.js` is the other side of this file: same steps, same order.
"""

from __future__ import annotations

from decimal import Decimal, localcontext

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.kernels import curves

DEPTH = 100
"""The largest cutoff of the page."""
ZIPF = range(301)
"""Exponents in hundredths."""
RBP = range(30, 100)
"""Patience in hundredths."""
_SPLIT = 134217729.0  # 2²⁷ + 1
_LN2 = 0.6931471805599453

Pair = tuple[Floats, Floats]
"""An unevaluated sum of a number and a much smaller one."""


def roots() -> Pair:
    """rank^(-1/100) for every rank, as a double and the rest."""
    with localcontext() as context:
        context.prec = 60
        exact = [Decimal(rank) ** (Decimal(-1) / 100) for rank in range(1, DEPTH + 1)]
        high = [float(root) for root in exact]
        low = [float(root - Decimal(rounded)) for root, rounded in zip(exact, high, strict=True)]
    return np.array(high), np.array(low)


def log2_weights() -> Floats:
    return curves.log2(ranks(), None)


def zipf_differences() -> np.ndarray:
    """NumPy's weights less ours, in units of the last place: exponents × ranks."""
    root = roots()
    logs = np.concatenate(([0.0], _LN2 / log2_weights()[:-1]))
    power: Pair = (np.ones(DEPTH), np.zeros(DEPTH))
    rows = []
    for step in ZIPF:
        if step:
            power = _product(power, root)
        exponent = step / 100
        # The exponent is a double, not exactly step/100: rank^rest puts that right.
        product, rest = _two_product(np.array(exponent), np.array(100.0))
        missing = ((step - product) - rest) / 100
        ours = power[0] + (power[1] + power[0] * (missing * logs))
        rows.append(_units_between(curves.zipf(ranks(), None, exponent), ours))
    return np.array(rows)


def rbp_differences() -> np.ndarray:
    """As `zipf_differences`, for patience × ranks."""
    rows = []
    for step in RBP:
        patience = step / 100
        power: Pair = (np.ones(1), np.zeros(1))
        ours = []
        for _ in range(DEPTH):
            ours.append(power[0][0])
            power = _product(power, (np.array([patience]), np.zeros(1)))
        rows.append(_units_between(curves.rbp(ranks(), None, patience), np.array(ours)))
    return np.array(rows)


def ranks() -> Floats:
    return np.arange(1, DEPTH + 1, dtype=np.float64)


def _two_product(a: Floats, b: Floats) -> Pair:
    """a·b and its rounding error (Dekker 1971)."""
    product = a * b
    wide_a, wide_b = _SPLIT * a, _SPLIT * b
    high_a, high_b = wide_a - (wide_a - a), wide_b - (wide_b - b)
    low_a, low_b = a - high_a, b - high_b
    return product, ((high_a * high_b - product) + high_a * low_b + low_a * high_b) + low_a * low_b


def _product(a: Pair, b: Pair) -> Pair:
    product, rest = _two_product(a[0], b[0])
    rest = rest + (a[0] * b[1] + a[1] * b[0])
    high = product + rest
    return high, rest - (high - product)


def _units_between(theirs: Floats, ours: Floats) -> np.ndarray:
    apart = theirs.view(np.int64) - ours.view(np.int64)
    if np.abs(apart).max() > 127:
        raise ArithmeticError("NumPy's powers are too far from the exact ones")  # pragma: no cover - no known machine
    return apart.astype(np.int8)
