"""What the paper says, in our words and with our thresholds, and what the recomputed numbers say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from study import CUTOFFS, DEEP, Study


@dataclass(frozen=True)
class Verdict:
    holds: bool | None  # None where the collection cannot say
    found: str

    def __str__(self) -> str:
        word = {True: "holds", False: "**does not hold**", None: "open"}[self.holds]
        return f"{word}: {self.found}"


@dataclass(frozen=True)
class Claim:
    where: str
    says: str
    check: Callable[[Study], Verdict]


def optimal_discount_needs_least(study: Study) -> Verdict:
    rows = study.discounts
    holds = all(
        rows[cutoff]["optimal"].queries(0.95) <= row.queries(0.95)
        for cutoff in CUTOFFS
        for row in rows[cutoff].values()
    )
    return Verdict(holds, ", ".join(f"{row.name} {row.queries(0.95):g}" for row in rows[DEEP].values()))


def zipf_needs_most(study: Study) -> Verdict:
    rows = study.discounts[DEEP]
    return Verdict(rows["zipf"].dependability == min(row.dependability for row in rows.values()), _values(study))


def linear_is_close(study: Study) -> Verdict:
    rows = study.discounts[DEEP]
    share = rows["linear"].dependability / rows["optimal"].dependability
    return Verdict(share >= 0.95, f"{share:.1%} of the optimum")


def linear_is_less_stable_than_log2(study: Study) -> Verdict:
    rows = study.discounts[DEEP]
    return Verdict(rows["linear"].dependability < rows["log2"].dependability, _values(study))


def optimal_is_less_steep(study: Study) -> Verdict:
    deep = {
        name: float(row.discount[DEEP // 2 :].sum() / row.discount.sum()) for name, row in study.discounts[DEEP].items()
    }
    return Verdict(deep["optimal"] > deep["log2"], f"optimal {deep['optimal']:.0%}, log2 {deep['log2']:.0%}")


def optimum_has_few_steps(study: Study) -> Verdict:
    counts = [len(study.steps(cutoff)) for cutoff in CUTOFFS]
    return Verdict(max(counts) <= 15, ", ".join(f"{n} @{cutoff}" for n, cutoff in zip(counts, CUTOFFS, strict=True)))


def freedom_adds_little(study: Study) -> Verdict:
    pairs = {c: (study.free[c].optimum.dependability, study.found[c].optimum.dependability) for c in CUTOFFS}
    more = {c: max(0.0, free / bound - 1) for c, (free, bound) in pairs.items()}  # below 0 by rounding alone
    return Verdict(max(more.values()) <= 0.05, ", ".join(f"{value:+.1%} @{cutoff}" for cutoff, value in more.items()))


def more_queries_more_dependable(study: Study) -> Verdict:
    curve = [value for _, value, _ in study.found[DEEP].curve(100)]
    return Verdict(bool(np.all(np.diff(curve) > 0)), f"log2: {curve[0]:.3f} with 1, {curve[49]:.3f} with 50")


def ratio_is_below_2(study: Study) -> Verdict:
    ratios = [study.ratio(cutoff) for cutoff in CUTOFFS]
    return Verdict(max(ratios) < 2, ", ".join(f"{r:.2f} @{c}" for r, c in zip(ratios, CUTOFFS, strict=True)))


def optimal_gain_needs_least(study: Study) -> Verdict:
    rows = study.gains
    holds = all(
        rows[cutoff]["optimal"].queries(0.95) <= row.queries(0.95)
        for cutoff in CUTOFFS
        for row in rows[cutoff].values()
    )
    return Verdict(holds, ", ".join(f"{row.name} {row.queries(0.95):g}" for row in rows[DEEP].values()))


def exp_is_less_stable_than_linear(study: Study) -> Verdict:
    rows = [study.gains[cutoff] for cutoff in CUTOFFS]
    holds = all(row["exp"].dependability < row["linear"].dependability for row in rows)
    return Verdict(holds, ", ".join(f"{r['exp'].dependability:.4f} to {r['linear'].dependability:.4f}" for r in rows))


def gains_matter_less(study: Study) -> Verdict:
    spans = [
        max(row.queries(0.95) for row in rows.values()) - min(row.queries(0.95) for row in rows.values())
        for rows in (study.gains[DEEP], study.discounts[DEEP])
    ]
    return Verdict(spans[0] < spans[1], f"{spans[0]:g} queries between gains, {spans[1]:g} between discounts")


def joint_is_best(study: Study) -> Verdict:
    pairs = [(study.joint[c].optimum.dependability, study.found[c].optimum.dependability) for c in CUTOFFS]
    return Verdict(
        all(both >= one for both, one in pairs), ", ".join(f"{both:.4f} to {one:.4f}" for both, one in pairs)
    )


def sorted_ideal_exceeds_1(study: Study) -> Verdict:
    found = study.sorted_ideal
    inflated = all(one.dependability > study.free[c].optimum.dependability for c, one in found.items())
    highest = ", ".join(f"{one.highest:.2f} @{cutoff}" for cutoff, one in found.items())
    return Verdict(inflated and max(one.highest for one in found.values()) > 1, f"largest nDCG {highest}")


def optimal_is_most_discriminative(study: Study) -> Verdict:
    power = {one.measure: one.power for one in study.power.measures}
    said = ", ".join(f"{name} {value:.1%}" for name, value in power.items())
    return Verdict(power["optimal"] == max(power.values()), said)


def zipf_orders_most_differently(study: Study) -> Verdict:
    taus = {name: study.tau(name, "optimal") for name in ("zipf", "linear", "log2")}
    holds = taus["zipf"] == min(taus.values())
    return Verdict(holds, ", ".join(f"{name} {tau:.3f}" for name, tau in taus.items()))


def survives_on_halves(study: Study) -> Verdict:
    leads = {c: held["optimum"].dependability - held["log2"].dependability for c, held in study.held_out.items()}
    return Verdict(min(leads.values()) > 0, ", ".join(f"{lead:+.4f} @{cutoff}" for cutoff, lead in leads.items()))


def survives_on_fresh_queries(study: Study) -> Verdict:
    leads = {
        cutoff: study.discounts[cutoff]["optimal"].unseen - study.discounts[cutoff]["log2"].unseen
        for cutoff in CUTOFFS
        if study.discounts[cutoff]["optimal"].unseen is not None
    }
    if not leads:
        return Verdict(None, "there are no further queries")
    return Verdict(min(leads.values()) > 0, ", ".join(f"{lead:+.4f} @{cutoff}" for cutoff, lead in leads.items()))


def _values(study: Study) -> str:
    return ", ".join(f"{row.name} {row.dependability:.4f}" for row in study.discounts[DEEP].values())


CLAIMS = (
    Claim(
        "Table 1", "The optimal discount needs the fewest queries (0.95, all cutoffs).", optimal_discount_needs_least
    ),
    Claim("3.1, Table 1", "Zipf's discount is the least dependable (@100).", zipf_needs_most),
    Claim("3.1", "The linear discount comes close to the optimum (95 % of its Φ, @100).", linear_is_close),
    Claim("3.1", "The linear discount is less dependable than log2 (@100).", linear_is_less_stable_than_log2),
    Claim(
        "Figure 2",
        "The optimal discount leaves deep ranks more weight than log2 does (51 to 100).",
        optimal_is_less_steep,
    ),
    Claim("ours", "The optimal discount has few steps (15 at most).", optimum_has_few_steps),
    Claim("Figure 3", "A discount that may rise gains little (5 % of Φ at most).", freedom_adds_little),
    Claim("Figure 4", "Φ grows with the number of queries (the text says it falls).", more_queries_more_dependable),
    Claim("Table 2", "A highly relevant document should count less than two relevant ones.", ratio_is_below_2),
    Claim(
        "Table 3",
        "The optimal gain needs the fewest queries (the paper's own TREC 9 row breaks this).",
        optimal_gain_needs_least,
    ),
    Claim(
        "Table 3",
        "The exponential gain is less dependable than the linear one (all cutoffs).",
        exp_is_less_stable_than_linear,
    ),
    Claim("3.2", "The gain matters less than the discount (span of queries for 0.95, @100).", gains_matter_less),
    Claim("3.3", "Gain and discount together do better than the discount alone.", joint_is_best),
    Claim(
        "Table 4", "Zipf's order of systems is the farthest from the optimum's (τ, @100).", zipf_orders_most_differently
    ),
    Claim(
        "Figure 9",
        "The optimal gain and discount tell most pairs of the 30 best systems apart (@20).",
        optimal_is_most_discriminative,
    ),
    Claim(
        "ours",
        "Rising discounts over an ideal sorted by rank, as in Figure 3, give nDCG above 1 and too large a Φ.",
        sorted_ideal_exceeds_1,
    ),
    Claim("not in the paper", "The optimal discount beats log2 on held-out halves (all cutoffs).", survives_on_halves),
    Claim(
        "not in the paper", "The optimal discount beats log2 on fresh queries (all cutoffs).", survives_on_fresh_queries
    ),
)
