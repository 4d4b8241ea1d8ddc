"""The numbers of many settings on one run: what settings share is computed once."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from rankgauge.arrays import Flags, Floats
from rankgauge.data.judgments import Judgments
from rankgauge.data.match import Match, match_runs
from rankgauge.data.policy import Policy
from rankgauge.data.run import Run
from rankgauge.evaluation.columns import rounded
from rankgauge.evaluation.ruled import Ruled
from rankgauge.evaluation.tools.setting import Setting
from rankgauge.kernels.counting import relevant_in_pool
from rankgauge.measures.measure import Measure


@dataclass(frozen=True)
class Raw:
    """The values of a measure by query before anything is decided about queries."""

    value: Floats
    undefined: Flags
    barren: Flags
    """Queries without a relevant document, which some policies take for undefined whatever the formula says."""
    below: Floats | None


class Numbers:
    """Values and means of settings on one run."""

    def __init__(self, judgments: Judgments, run: Run) -> None:
        self.judgments, self.run = judgments, run
        self._matches: dict[Policy, Match] = {}
        self._plans: dict[Policy, Ruled] = {}
        self._raw: dict[tuple[Measure, Policy], Raw] = {}
        usual = self._match(Policy())
        self.queries, self.extra = usual.queries, list(usual.foreign)
        self.missing: Flags = usual.hits.retrieved[: len(self.queries)] == 0
        self.grades = sorted(set(usual.pool.value[usual.pool.value > 0].tolist()))[:12]
        self.any_judged = bool(len(usual.hits.value))
        self.odd = self._oddities(usual)

    def _oddities(self, usual: Match) -> frozenset[str]:
        """What the data hold that only some decisions are about."""
        frame = self.run.to_polars()
        pool, hits = usual.pool.value, usual.hits
        single = self._match(Policy(precision="single")).hits
        found = {
            "ties": hits.is_tied or single.is_tied,
            "single": not np.array_equal(hits.rank, single.rank) or not np.array_equal(hits.value, single.value),
            "extra": bool(self.extra),
            "negative": bool(np.any(pool < 0)),
            "fraction": bool(np.any(pool != np.trunc(pool))),
            "own_id": bool((frame["query"] == frame["document"]).any()),
            "floor": bool((frame["score"] <= 0).any()),
        }
        return frozenset(name for name, held in found.items() if held)

    def _match(self, policy: Policy) -> Match:
        """One match for all policies that order and count documents alike."""
        order: str | None = policy.ties if policy.ties in {"document-asc", "reverse"} else None
        if policy.ties in {"order", "mean-rank"}:
            order = "order"
        floor = policy.floor if policy.floor == "zero" else None
        own_id = policy.own_id if policy.own_id == "drop" else None
        single = "single" if policy.precision == "single" else None
        key = Policy(ties=order, floor=floor, own_id=own_id, precision=single, missing="zero", unjudged="zero")  # type: ignore[arg-type]
        if key not in self._matches:
            self._matches[key] = next(iter(match_runs(self.judgments, [self.run], key)))
        return self._matches[key]

    def raw(self, setting: Setting) -> Raw:
        policy = setting.of_documents
        key = (setting.measure, policy)
        if key not in self._raw:
            if policy not in self._plans:
                self._plans[policy] = Ruled(self._match(policy), policy)
            self._raw[key] = self._computed(setting, self._plans[policy])
        return self._raw[key]

    def _computed(self, setting: Setting, plan: Ruled) -> Raw:
        measure, count = setting.measure, len(self.queries)
        value = plan.value(measure)[:count]
        undefined = np.isnan(value)
        pool = plan.pool(plan.ties_of(measure))
        barren = np.zeros(count, np.bool_)
        if measure.is_about_relevance:
            barren = relevant_in_pool(pool, measure.settings.get("rel"))[:count] == 0
        below = None
        if setting.policy.mean == "micro":
            below = np.where(undefined | barren, 0.0, measure.denominators(plan.seen_by(measure), pool)[:count])
        return Raw(value, undefined, barren, below)

    def undefined(self, setting: Setting) -> Flags:
        """Queries that count as undefined, by the same rule as in evaluate()."""
        raw = self.raw(setting)
        return raw.undefined | raw.barren if setting.policy.undefined in {"drop", "one", "error"} else raw.undefined

    def of_queries(self, setting: Setting) -> Floats:
        """The value of every query, judged ones first, then those of the run that nobody judged; nan if left out."""
        raw, policy = self.raw(setting), setting.policy
        rule = policy.undefined or setting.measure.definition.undefined
        counted = {"zero": 0.0, "one": 1.0}.get(rule, np.nan)
        values = np.where(self.undefined(setting), counted, rounded(raw.value, policy.digits))
        if policy.missing == "drop":
            values = np.where(self.missing, np.nan, values)
        if not self.extra:
            return values
        outside = {"zero": 0.0, "undefined": counted}.get(policy.extra or "", np.nan)
        return np.append(values, np.full(len(self.extra), outside))

    def mean(self, setting: Setting, values: Floats | None = None) -> float:
        values = self.of_queries(setting) if values is None else values
        there = ~np.isnan(values)
        if not there.any():
            return 0.0 if setting.policy.empty == "zero" else math.nan
        below = self.raw(setting).below
        if below is not None:
            below = np.append(below, np.zeros(len(values) - len(below)))
            whole = below[there].sum()
            return float(np.sum(values[there] * below[there]) / whole) if whole else 0.0
        return math.fsum(values[there].tolist()) / int(there.sum())

    def at(self, setting: Setting, measure: Measure) -> Setting:
        """The same decisions for another measure of the same kind, or another cutoff."""
        options = {name: value for name, value in setting.measure.options if name in measure.definition.options}
        return replace(setting, measure=measure(**options) if options else measure)
