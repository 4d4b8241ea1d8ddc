"""Pairs as the page tells them: every other system against the baseline."""

from __future__ import annotations

from dataclasses import replace

from rankgauge.analysis.comparison.findings import MeasureComparison, Pair, Verdict

TURNED: dict[Verdict, Verdict] = {"better": "worse", "worse": "better"}


def pairs_against(found: MeasureComparison, baseline: str) -> dict[str, Pair]:
    """{system: its pair with the baseline}; a comparison of all pairs may hold it the other way round."""
    pairs: dict[str, Pair] = {}
    for pair in found.pairs:
        if pair.baseline == baseline:
            pairs[pair.system] = pair
        elif pair.system == baseline:
            pairs[pair.baseline] = turned(pair)
    return pairs


def turned(pair: Pair) -> Pair:
    """The same pair, seen from the other system."""
    return replace(
        pair,
        system=pair.baseline,
        baseline=pair.system,
        difference=-pair.difference,
        low=-pair.high,
        high=-pair.low,
        effect_size=-pair.effect_size,
        wins=pair.losses,
        losses=pair.wins,
        verdict=TURNED.get(pair.verdict, pair.verdict),
    )
