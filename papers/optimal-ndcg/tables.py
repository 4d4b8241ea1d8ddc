"""Tables 1 to 4 and what goes beyond them, as Markdown."""

from __future__ import annotations

from study import CUTOFFS, DISCOUNTS, GAINS, TARGETS, Row, Study

from rankgauge.analysis.optimize.compromise import Compromise


def markdown(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_1(studies: list[Study]) -> str:
    """Queries that each discount needs (linear gain)."""
    names = (*DISCOUNTS, "optimal")
    body = [
        [study.name, str(cutoff), *(_queries(study.discounts[cutoff][name]) for name in names)]
        for study in studies
        for cutoff in CUTOFFS
    ]
    return markdown(["collection", "cutoff", *names], body)


def table_2(studies: list[Study]) -> str:
    """Gain of a highly relevant document over that of a relevant one, at the optimum (log2 discount)."""
    body = [[study.name, *(f"{study.ratio(cutoff):.3f}" for cutoff in CUTOFFS)] for study in studies]
    return markdown(["collection", *(f"@{cutoff}" for cutoff in CUTOFFS)], body)


def table_3(studies: list[Study]) -> str:
    """Queries that each gain needs (log2 discount)."""
    names = (*GAINS, "optimal")
    body = [
        [study.name, str(cutoff), *(_queries(study.gains[cutoff][name]) for name in names)]
        for study in studies
        for cutoff in CUTOFFS
    ]
    return markdown(["collection", "cutoff", *names], body)


def table_4(studies: list[Study]) -> str:
    """Kendall's τ between the orders of systems that two discounts give, at the deepest cutoff."""
    names = (*DISCOUNTS, "optimal")
    body = [
        [study.name, one, *(f"{study.tau(one, other):.4f}" for other in names)] for study in studies for one in names
    ]
    return markdown(["collection", "", *names], body)


def table_found(studies: list[Study]) -> str:
    """Φ for one query at the optimum, where its steps end, and what more freedom adds."""
    body = []
    for study in studies:
        for cutoff in CUTOFFS:
            found, joint, free = study.found[cutoff], study.joint[cutoff], study.free[cutoff]
            body.append(
                [
                    study.name,
                    str(cutoff),
                    f"{found.optimum.dependability:.4f}",
                    " ".join(map(str, study.steps(cutoff))),
                    f"{found.gap:.0e}",
                    f"{found.spread:.0e}",
                    f"{joint.optimum.dependability:.4f} ({joint.gain[1][1]:.2f})",
                    f"{free.optimum.dependability:.4f}",
                    f"{study.sorted_ideal[cutoff].dependability:.4f} ({study.sorted_ideal[cutoff].highest:.2f})",
                ]
            )
    head = ["collection", "cutoff", "optimal Φ", "steps end at", "gap", "spread", "with gain (ratio)", "free to rise"]
    head.append("free, sorted ideal (largest nDCG)")
    return markdown(head, body)


def table_held_out(studies: list[Study]) -> str:
    """Mean Φ for one query on the half that was not used (10 halvings, both ways), and the advice."""
    body = []
    for study in studies:
        for cutoff in CUTOFFS:
            held = study.held_out[cutoff]
            values = [f"{held[name].dependability:.4f}" for name in ("log2", "zipf", "optimum", "family", "shrunk")]
            lead = f"{held.gain:+.4f} ± {held.error:.4f}"
            body.append([study.name, str(cutoff), *values, held.best, lead, held.recommended])
    return markdown(
        ["collection", "cutoff", "log2", "zipf", "optimum", "family", "shrunk", "best", "lead", "advice"], body
    )


def table_fresh(studies: list[Study]) -> str:
    """Φ for one query on 400 further queries of the simulation: the truth."""
    names = (*DISCOUNTS, "optimal")
    body = [
        [study.name, str(cutoff), *(f"{study.discounts[cutoff][name].unseen:.4f}" for name in names)]
        for study in studies
        for cutoff in CUTOFFS
        if study.discounts[cutoff]["optimal"].unseen is not None
    ]
    return markdown(["collection", "cutoff", *names], body)


def table_power(studies: list[Study]) -> str:
    """Share of pairs of the best systems told apart at 0.05, and the difference of means that is enough for all."""
    names = [one.measure for one in studies[0].power.measures]
    body = [
        [study.name, *(f"{one.power:.3f} ({one.required_difference:.3f})" for one in study.power.measures)]
        for study in studies
    ]
    return markdown(["collection", *names], body)


def table_compromise(found: Compromise) -> str:
    """How far one discount for all collections falls short of each one's own optimum."""
    body = [
        [one.name, f"{one.dependability:.4f}", f"{one.own_optimum:.4f}", f"{one.efficiency:.4f}"]
        for one in found.served
    ]
    return markdown(["collection", "Φ under the common discount", "own optimum", "efficiency"], body)


def _queries(row: Row) -> str:
    return " / ".join(f"{row.queries(target):g}" for target in TARGETS)
