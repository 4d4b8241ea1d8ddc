"""What the paper says, in its words, beside its printed numbers and ours."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import karma
import news
import numpy as np
from lists import HYPOTHESES, REFERENCE, TABLE_1, dcg, rankdcg, rankdcg_as_printed, share_of_the_top

from rankgauge.analysis.chance import chance

HEAD = ["where", "the paper", "computed here, on what", "printed", "ours", "verdict"]
PRINTED_1 = {
    "Kendall τ": (1.0, 0.8, 0.742, 0.285, 0.285, -0.8),
    "AveP": (1.0, 0.887, 0.454, 0.659, 0.697, 0.149),
    "nDCG": (1.0, 0.998, 0.825, 0.688, 0.667, 0.571),
    "rankDCG": (1.0, 0.975, 0.65, 0.325, 0.325, 0.0),
}
COLUMNS = {column.name: column.measure[1] for column in TABLE_1}


def claims() -> list[list[str]]:
    return [_row(*one()) for one in (*_SURVEY, *_TABLE_1, *_TABLE_2)]


def _row(where: str, quote: str, computed: str, printed: str, ours: str, verdict: str) -> list[str]:
    return [where, f"“{quote}”", computed, printed, ours, f"**{verdict}**"]


def _word(*holds: bool) -> str:
    return "holds" if all(holds) else "holds partly" if any(holds) else "does not hold"


def _column(name: str) -> list[float]:
    return [COLUMNS[name](REFERENCE, row) for row in HYPOTHESES]


def worst_ndcg() -> tuple[str, ...]:
    value = COLUMNS["nDCG"](REFERENCE, HYPOTHESES[5])
    quote = "an nDCG score of 0.56 might be the worst case ordering"
    return (
        "3.4",
        quote,
        "nDCG of the reversed list L",
        "0.56 (text), 0.571 (Table 1)",
        f"{value:.6f}",
        _word(value > 0.5),
    )


def nine_and_ones() -> tuple[str, ...]:
    lists = ((1, 9, 1), (1, 1, 9))
    costs = [dcg(one) / dcg((9, 1, 1)) for one in lists]
    ranked = [rankdcg((9, 1, 1), one) for one in lists]
    quote = "a list [9,1,1] will have different costs for [1,9,1] and [1,1,9]. However, we contend that the two lists are equally wrong"
    ours = f"DCG {costs[0]:.4f} and {costs[1]:.4f} of the best; rankDCG {ranked[0]:g} and {ranked[1]:g}"
    return "3.4", quote, "DCG and rankDCG of both lists", "–", ours, _word(costs[0] != costs[1], ranked[0] == ranked[1])


def more_than_half() -> tuple[str, ...]:
    shares = [share_of_the_top(figure) for figure in (1, 2)]
    quote = "both functions put more than half of their weight on the correct identification of the highest element"
    return (
        "4, Figures 1, 2",
        quote,
        "share of the top item in the best total of L",
        "figures, no numbers",
        " and ".join(f"{share:.1%}" for share in shares),
        _word(*(share > 0.5 for share in shares)),
    )


def last_formula() -> tuple[str, ...]:
    upside = [rankdcg_as_printed(REFERENCE, HYPOTHESES[row]) for row in (0, 5)]
    quote = "The final normalized version of rankDGC is defined below"
    ours = f"perfect {upside[0]:g}, reversed {upside[1]:g}; Table 1 is (DCG′ − min) / (max − min)"
    return (
        "4",
        quote,
        "rows 1 and 6 of Table 1 by the formula (max(DCG′) − DCG′) / (max(DCG′) − min(DCG′))",
        "1.0 and 0.0 in Table 1",
        ours,
        _word(upside == [1, 0]),
    )


def seven_scenarios() -> tuple[str, ...]:
    quote = "We evaluate the behavior of rankDCG in seven possible scenarios"
    listed = f"{len(HYPOTHESES)} listed, {len(HYPOTHESES)} in Table 1"
    return (
        "5.1",
        quote,
        "scenarios counted in the sentence and in Table 1",
        "seven",
        listed,
        _word(len(HYPOTHESES) == 7),
    )


def four_and_five() -> tuple[str, ...]:
    values = {name: _column(name)[3:5] for name in COLUMNS}
    same = {name: math.isclose(*pair) for name, pair in values.items()}
    quote = "only Kendall's τ and rankDCG address it properly. The score of comparing reference list L and lists 4 and 5 […] produce the same score"
    ours = "; ".join(f"{name} {pair[0]:.6f}, {pair[1]:.6f}" for name, pair in values.items())
    right = same == {"Kendall τ": True, "AveP": False, "nDCG": False, "rankDCG": True}
    return (
        "5.1",
        quote,
        "rows 4 and 5 of Table 1",
        "τ .285 .285; AveP .659 .697; nDCG .688 .667; rankDCG .325 .325",
        ours,
        _word(right),
    )


def whole_table() -> tuple[str, ...]:
    agree = sum(
        math.trunc(1000 * ours + math.copysign(1e-9, ours)) == round(1000 * theirs)
        for name, row in PRINTED_1.items()
        for ours, theirs in zip(_column(name), row, strict=True)
    )
    quote = "The results can be found in Table 1"
    ours = f"{agree} of 24 cells agree when cut to three decimals (the columns by τ-b, exact matches, predicted gains: below)"
    return "5.1, Table 1", quote, "all 24 cells", "24 numbers", ours, _word(agree == 24)


def linear_decrease() -> tuple[str, ...]:
    values = _column("rankDCG")
    steps = [round(a - b, 3) for a, b in itertools.pairwise(values)]
    fit = {name: np.corrcoef(range(6), _column(name))[0, 1] ** 2 for name in COLUMNS}
    quote = "rankDCG fits right in the middle with the scoring cost function and produces a linear score decrease with worse ordering case"
    ours = f"falls by {', '.join(f'{step:g}' for step in steps)}; R² of a straight line: " + ", ".join(
        f"{name} {value:.2f}" for name, value in fit.items()
    )
    best = max(fit, key=lambda name: fit[name]) == "rankDCG"
    return (
        "5.1",
        quote,
        "rankDCG of rows 1 to 6, and a straight line through them",
        "1.0 .975 .65 .325 .325 0.0",
        ours,
        _word(best, len(set(steps)) == 1),
    )


def averaged_text() -> tuple[str, ...]:
    quote = "AveP gives a higher score of 0.650 for placing the top-rank element into the lowest-rank group, compared to 0.454"
    value = _column("AveP")
    ours = f"{value[3]:.6f} against {value[2]:.6f}"
    return (
        "5.1",
        quote,
        "AveP of rows 4 and 3",
        "0.650 in the text, 0.659 in Table 1",
        ours,
        _word(value[3] > value[2], round(value[3], 2) == 0.65),
    )


def comprehensive_worst() -> tuple[str, ...]:
    expected = chance(REFERENCE, range(10)).random_order_expected
    quote = "RankDCG is the only measure that produces a comprehensive worst case score"
    values = {name: _column(name)[5] for name in COLUMNS}
    ours = ", ".join(f"{name} {value:.3f}" for name, value in values.items())
    ours += f"; but a random order of L expects {expected:.2f}, so 0.325 is below chance"
    return (
        "5.1",
        quote,
        "row 6; and the mean over all orders of L",
        "−0.8 .149 .571 0.0",
        ours,
        _word(values["rankDCG"] == 0),
    )


def majority() -> tuple[str, ...]:
    found = karma.studies()
    constant = [one[0] for one in found]
    undefined = all(math.isnan(row["τ-b"]) for row in constant)
    zero = all(row["rankDCG"] == 0 for row in constant)
    quote = "Kendall's τ cannot deal with this case while AveP and nDCG returned seemingly good results"
    ours = f"τ-b undefined and rankDCG 0 in {len(found)} of {len(found)} draws; AveP {karma.mean(constant, 'AveP')}, nDCG {karma.mean(constant, 'nDCG, predicted gains')}"
    return (
        "5.2, Table 2",
        quote,
        "the majority class for everyone; simulated users",
        "nan .79 .883 0.0",
        ours,
        _word(undefined and zero),
    )


def above_one() -> tuple[str, ...]:
    found = karma.studies()
    highest = [max(row["nDCG, predicted gains"] for row in one) for one in found]
    proper = max(row["nDCG, true gains"] for one in found for row in one)
    quote = "nDCG returns a score higher than 1 because the algorithms overpredict high ranks"
    ours = f"above 1 in {sum(value > 1 for value in highest)} of {len(found)} draws when predicted values are the gains; at most {proper:.3f} with true gains"
    return (
        "5.2, Table 2",
        quote,
        "nDCG of the two models that predict too high; simulated users",
        "1.188, 1.318",
        ours,
        _word(min(highest) > 1),
    )


def gradual_improvement() -> tuple[str, ...]:
    found = karma.studies()
    shares = {name: np.mean([karma.rises([row[name] for row in one]) for one in found]) for name in karma.MEASURES}
    quote = "only rankDCG shows consistent evaluation scores with a gradual improvement of the algorithm and meaningful lower and upper bounds"
    ours = "rises through all four models in: " + ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
    others = [share for name, share in shares.items() if not name.startswith("rankDCG")]
    if news.popularity().found():
        real = ", ".join(f"{name} {whole:.0%}" for name, (whole, _) in news.rises().items())
        ours += f"; real news, four better and better predictions: {real}"
    return (
        "5.2, Table 2",
        quote,
        f"four models, each better than the one before, in {len(found)} draws of 130 simulated users; and {news.windows()} windows of real news"
        if news.popularity().found()
        else f"four models, each better than the one before, in {len(found)} draws of 130 simulated users",
        "rankDCG 0.0 .32 .347 1",
        ours,
        _word(shares["rankDCG"] == 1, max(others) < 1),
    )


def perfect_tau() -> tuple[str, ...]:
    values = [one[3]["τ-b"] for one in karma.studies()]
    quote = "In the last fourth case, the perfect ordering, all measures, with the exception of Kendall's τ, produce correct scoring"
    ours = f"τ-b of a perfect prediction is {min(values):g} in every draw, so 0.5 is not a property of τ-b"
    return "5.2, Table 2", quote, "a perfect prediction; simulated users", "τ = 0.5", ours, _word(max(values) < 1)


_SURVEY: tuple[Callable[[], tuple[str, ...]], ...] = (worst_ndcg, nine_and_ones, more_than_half, last_formula)
_TABLE_1 = (seven_scenarios, whole_table, four_and_five, linear_decrease, averaged_text, comprehensive_worst)
_TABLE_2 = (majority, above_one, gradual_improvement, perfect_tau)
