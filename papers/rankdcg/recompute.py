"""Recomputes the tables and figures of Katerenchuk & Rosenberg, RankDCG (2016) into results/. Takes a few seconds.

python papers/rankdcg/recompute.py
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path

import charts
import claims
import karma
import news
import numpy as np
from lists import COSTS, HYPOTHESES, REFERENCE, TABLE_1, Column, share_of_the_top

sys.path.insert(0, str(Path(__file__).parents[1]))

from kept import commit, hash_of

from rankgauge.analysis.chance import Chance, all_outcomes, chance, random_order
from rankgauge.kernels.rankdcg import ladders_of

RESULTS = Path(__file__).parent / "results"
Findings = dict[str, dict[str, karma.Finding]]


def main() -> None:
    RESULTS.mkdir(exist_ok=True)
    truth, models = karma.simulate()
    beside_chance = [karma.chance_of(truth, model) for model in models]
    findings = {name: karma.check(name, truth, models[0]) for name in karma.MEASURES}
    parts = [
        (Path(__file__).parent / "page.md").read_text(encoding="utf-8").strip().replace("{COMMIT}", commit()),
        "## The paper's claims",
        table(claims.HEAD, claims.claims()).replace("---:", "---"),
        "## Ours: the four criteria, measure by measure",
        criteria_part(findings),
        "## Table 1",
        *(column_part(column) for column in TABLE_1),
        "## Ours: how the lists compare with chance",
        chance_part(),
        "## Figures 1 to 4: what each item is worth",
        *(f"![Figure {figure}](figure-{figure}.svg)" for figure in COSTS),
        "## Table 2 in pattern: simulated users, many draws",
        draws_part(),
        *(["## Ours: Table 2 on real counts", news_part()] if news.popularity().found() else []),
        "## Ours: one draw beside chance",
        karma_part(truth, models, beside_chance),
    ]
    (RESULTS / "README.md").write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    numbers = {
        "commit": commit(),
        "table_1": {
            c.name: {n: [f(REFERENCE, h) for h in HYPOTHESES] for n, f in (c.measure, *c.others)} for c in TABLE_1
        },
        "shares_of_the_top": {str(figure): share_of_the_top(figure) for figure in COSTS},
        "karma": {model.name: held.to_dict() for model, held in zip(models, beside_chance, strict=True)},
    }
    (RESULTS / "numbers.json").write_text(json.dumps(numbers, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    for figure in COSTS:
        charts.costs(figure).save(RESULTS / f"figure-{figure}.svg")
    outcomes = all_outcomes(random_order(ladders_of(np.array(REFERENCE), np.array([0, len(REFERENCE)]))))
    charts.chance(outcomes).save(RESULTS / "chance.svg")
    print(f"wrote {RESULTS.name}/README.md, numbers.json and {len(COSTS) + 1} charts")


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in lines)


def number(value: float) -> str:
    return "undefined" if math.isnan(value) else f"{value:.6f}".replace("-", "−")


def column_part(column: Column) -> str:
    named = [(f"**{column.measure[0]}**", column.measure[1]), *column.others]
    rows = [[name, *(number(measure(REFERENCE, hypothesis)) for hypothesis in HYPOTHESES)] for name, measure in named]
    rows.insert(1, ["printed", *(f"{value:g}".replace("-", "−") for value in claims.PRINTED_1[column.name])])
    return f"{table([column.name, *(f'row {row}' for row in range(1, 7))], rows)}\n\n{column.finding}"


def news_part() -> str:
    rises = news.rises()
    rows = [
        [
            f"`{name}`",
            *(f"{value:.3f}" for value in found.mean(axis=1).tolist()),
            f"{rises[name][0]:.0%}",
            f"{rises[name][1]:.0%}",
        ]
        for name, found in news.values().items()
    ]
    head = ["measure", "1 h", "2 h", "4 h", "12 h", "windows with every step up", "steps up"]
    return NEWS.format(windows=news.windows(), data=hash_of(news.popularity().path())) + table(head, rows)


NEWS = """{windows} windows of 100 news items, ranked by the shares after 1, 2, 4 and 12 hours, with the final shares as the truth (data `{data}`, as in
papers/ndcg-phi): four predictions, each surely better than the one before. Means over windows; ties by each measure's own rule.

"""


def chance_part() -> str:
    rows = []
    for row, hypothesis in enumerate(HYPOTHESES, start=1):
        held = chance(REFERENCE, hypothesis)
        rows.append([str(row), number(held.value), number(held.expected), number(held.adjusted), f"{held.p:.5f}"])
    halves = chance(REFERENCE, [1] * 5 + [0] * 5)
    return (
        "![Distribution by chance](chance.svg)\n\n"
        + table(["row", "rankDCG", "expected by chance", "adjusted", "p"], rows)
        + "\n\nThe p is exact: the share of all ways to deal the same predictions to the items that reach this value. "
        "Chance must have the ties of the prediction: five items called 1 and five called 0 reach "
        f"{halves.value:.3f} under the worst order of ties, where such predictions expect {halves.expected:.3f} "
        f"(p = {halves.p:.4f}), while orders without ties expect {halves.random_order_expected:.3f}."
    )


def karma_part(truth: np.ndarray, models: tuple[karma.Model, ...], beside_chance: list[Chance]) -> str:
    head = ["prediction", *karma.MEASURES, "expected", "adjusted", "p"]
    rows = []
    for model, held in zip(models, beside_chance, strict=True):
        values = [measure(truth, model.predicted) for measure in karma.MEASURES.values()]
        cells = ["undefined" if math.isnan(value) else f"{value:.3f}".replace("-", "−") for value in values]
        adjusted = f"{held.adjusted:.3f}".replace("-", "−")
        rows.append([model.name, *cells, f"{held.expected:.3f}", adjusted, f"{held.p:.4f}"])
    shares = ", ".join(f"{share:.1%}" for share in np.bincount(truth)[1:] / len(truth))
    return (
        f"{karma.USERS:,} users in five classes of karma ({shares}), in random order; one draw, seed {karma.SEED}. "
        "The paper's users are not public, so its own numbers cannot be recomputed.\n\n"
        f"{table(head, rows)}\n\n"
        "The last three columns belong to rankDCG with worst ties: its expected value when the same predictions are "
        "dealt at random, the value adjusted for it, and p (by 10,000 deals; exact for the constant)."
    )


def criteria_part(findings: Findings) -> str:
    questions = "\n".join(f"- **{name}**: {question}" for name, question in karma.CRITERIA.items())
    rows = []
    for name, found in findings.items():
        cells = [f"{finding.verdict}: {finding.evidence}" for finding in found.values()]
        rows.append([name, *cells, f"{sum(finding.verdict == 'yes' for finding in found.values())} of {len(found)}"])
    notes = (
        "`equals` shows the largest change over 300 random trials, `bounds` three lists predicted in reverse and "
        "perfectly, `skew` the majority prediction of the users above, `cost` the loss of exchanging ranks 1 and 2 "
        "or 6 and 7 of the perfect list, and the share of Figures 1 and 4 where a measure has one. *partly* means that "
        "one part is met. rankDCG owes `skew` to its tie rule: with mean ties the majority prediction gets chance."
    )
    return f"{questions}\n\n{table(['measure', *karma.CRITERIA, 'met'], rows).replace('---:', '---')}\n\n{notes}"


def draws_part() -> str:
    """Table 2 over many draws: mean and standard deviation."""
    found = karma.studies()
    names = ("majority class for everyone", "weak, predicts too high", "better, predicts too high", "perfect")
    printed = ("nan .79 .883 0.0", ".197 .668 1.188 .32", ".136 .585 1.318 .347", ".5 1 1 1")
    rows = []
    for at, name in enumerate(names):
        cells = [
            "undefined" if math.isnan(found[0][at][one]) else karma.mean([row[at] for row in found], one)
            for one in karma.MEASURES
        ]
        rows.append([name, printed[at], *cells])
    text = (
        f"{len(found)} draws of {karma.DRAWN_USERS} users; after ± the standard deviation over draws. The printed column has the paper's τ, "
        "AveP, nDCG and rankDCG of its four models; its users are not public, so only the pattern can be compared, not the numbers."
    )
    return f"{text}\n\n{table(['prediction', 'printed', *karma.MEASURES], rows)}"


if __name__ == "__main__":
    main()
