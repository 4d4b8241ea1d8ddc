"""The tables and figures of Moniz, Torgo and Vinagre, "Data-driven relevance judgments for ranking evaluation".

    python papers/ndcg-phi/recompute.py

writes charts and a page of results, with each of the paper's claims marked, to papers/ndcg-phi/results.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import claims
import figures
import numpy as np
import popularity
from claims import DAYS, READ, day_value, deviations
from synthetic import CELLS, MANY, SEED, quartiles, scenario_values, standard

from measures import Floats, expected_reciprocal_rank, exponential, ndcg, q_measure, rank_biased_precision, relevance
from rankgauge.kernels.curves import AUTHORS, PAPER
from rankgauge.presentation.charts.style import save_chart
from rankgauge.results import Partings

sys.path.insert(0, str(Path(__file__).parents[1]))

from kept import commit, hash_of

RESULTS = Path(__file__).parent / "results"


def table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def table_1() -> str:
    grades = np.array([[4.0, 2, 3, 1, 0]])  # by rank of the popularity, the same on both days
    raw = [float(ndcg(np.array([scores]), 5)[0]) for scores in DAYS.values()]
    measured = [
        ("nDCG-phi", [day_value(day) for day in DAYS]),
        ("nDCG-phi, the authors' program", [day_value(day, AUTHORS) for day in DAYS]),
        ("nDCG, grades 4 to 0 by rank, exponential gain", [float(ndcg(exponential(grades), 5)[0])] * 2),
        ("nDCG, grades 4 to 0 by rank, linear gain", [float(ndcg(grades, 5)[0])] * 2),
        ("nDCG, raw popularity as linear gain", raw),
    ]
    return table(["measure", *DAYS], [[name, *(f"{value:.6f}" for value in values)] for name, values in measured])


def beyond() -> str:
    """Phi in other measures, the paper's future work; each over its ideal, except Q, which has its own."""

    def over_ideal(measure: Callable[[Floats], float]) -> Callable[[Floats], float]:
        return lambda judged: measure(judged) / measure(np.sort(judged)[::-1])

    judged = [relevance(np.array([scores]), PAPER)[0] for scores in DAYS.values()]
    body = []
    for name, measure in (
        ("nERR", over_ideal(expected_reciprocal_rank)),
        ("nRBP, p = 0.8", over_ideal(rank_biased_precision)),
        ("Q, beta = 1", q_measure),
    ):
        first, second = map(measure, judged)
        body.append([name, f"{first:.6f}", f"{second:.6f}", "yes" if second < first else "no"])
    return table(["measure with phi", *DAYS, "day 2 penalised more"], body)


def figure_2() -> str:
    body = []
    for scenario in (1, 2):
        body += [
            [str(scenario), cell.name, cell.preset, *(f"{q:.6f}" for q in quartiles(scenario_values(cell, scenario)))]
            for cell in CELLS
        ]
    return table(["scenario", "scores", "phi as in the", "first quartile", "median", "third quartile"], body)


def figure_2_file() -> str:
    body = []
    for (scenario, cell), z in sorted(deviations().items(), key=lambda item: item[0][0]):
        read = READ[scenario, cell.name.split(maxsplit=1)[0]]
        apart = [f"{value:.5f} ({z_one:+.1f})" for value, z_one in zip(read, z.tolist(), strict=True)]
        body.append([str(scenario), cell.name, cell.preset, *apart])
    return table(["scenario", "scores", "phi as in the", "first quartile", "median", "third quartile"], body)


def popularity_table() -> str:
    body = []
    for cell in popularity.cells():
        rho, error = popularity.slope(cell)
        body.append(
            [
                f"{cell.slices // 3} h",
                str(cell.cutoff),
                f"{cell.tiers.mean():.3f}",
                f"{cell.phi.mean():.3f}",
                f"{cell.apart.mean():+.3f} ± {popularity.standard_error(cell.apart):.3f}",
                f"{float((cell.apart > 0).mean()):.0%}",
                f"{rho:+.2f} ± {error:.2f}",
            ]
        )
    head = [
        "ranked by shares after",
        "k",
        "nDCG@k, ad-hoc grades",
        "nDCG-phi@k",
        "difference",
        "positive in",
        "ρ(nDCG, difference)",
    ]
    return table(head, body)


def partings_table() -> str:
    """What documents, by their place in the window's best order, add to the mean of either metric @10."""
    found = popularity.partings()
    places = list(dict.fromkeys(part.name for one in found.values() for part in one.by_document))
    body = []
    for place in places:
        cells = []
        for one in found.values():
            part = next((part for part in one.by_document if part.name == place), None)
            cells.append("–" if part is None else _parts(part.first, part.second))
        body.append([place, *cells])
    body.append(["all", *(_parts(_mean(one, "first"), _mean(one, "second")) for one in found.values())])
    return table(["items of the window", *(f"{at // 3} h" for at in found)], body)


def _parts(first: float, second: float) -> str:
    # What rounding leaves of nothing has no sign.
    apart = f"{first - second:+.3f}"
    return f"{abs(first):.3f}, {abs(second):.3f} ({'0.000' if apart.endswith('0.000') else apart})"


def _mean(one: Partings, side: str) -> float:
    return float(np.mean([getattr(ranking, side) for ranking in one.rankings]))


def page() -> str:
    sections = {
        "CLAIMS": table(claims.HEAD, claims.claims()),
        "OURS": table(["made with", "largest distance, standard errors", "agrees"], claims.ours()),
        "TABLE_1": table_1(),
        "BEYOND": beyond(),
        "FIGURE_2": figure_2(),
        "READ": figure_2_file(),
        "POPULARITY": popularity_table() if popularity.found() else "Not made: RANKGAUGE_DATA is not set.",
        "PARTINGS": partings_table() if popularity.found() else "Not made: RANKGAUGE_DATA is not set.",
        "COMMIT": commit(),
        "LINE_1": f"{standard(1):.6f}",
        "LINE_2": f"{standard(2):.6f}",
        "SEED": str(SEED),
        "MANY": f"{MANY:,}",
        "DATA": hash_of(popularity.path()) if popularity.found() else "none",
    }
    text = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")
    for name, section in sections.items():
        text = text.replace("{" + name + "}", section)
    return text


def main() -> None:
    RESULTS.mkdir(exist_ok=True)
    charts = {"table-1": figures.table_1(DAYS), "figure-1": figures.figure_1(), "figure-2": figures.figure_2()}
    if popularity.found():
        cells = popularity.cells()
        charts["figure-3"] = figures.figure_3(cells)
        charts["figure-4"] = figures.figure_4([cell for cell in cells if cell.cutoff == 10])
    for name, chart in charts.items():
        save_chart(chart, RESULTS / f"{name}.svg")
    (RESULTS / "README.md").write_text(page(), encoding="utf-8")
    print(f"{len(charts)} charts and README.md written to {RESULTS}")


if __name__ == "__main__":
    main()
