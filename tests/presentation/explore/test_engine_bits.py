"""Every score of the page is the command's, to the last bit."""

from __future__ import annotations

import numpy as np
import pytest

import rankgauge
from presentation.explore.engine_in_node import awkward, data_of, in_node, simulated
from rankgauge import Policy, Run

pytestmark = pytest.mark.usefixtures("node")
TIES, UNJUDGED = ("document", "mean", "worst", "best"), ("zero", "drop")
DISCOUNTS = (("log2", 1), ("zipf", 0.7), ("zipf", 1.37), ("rbp", 0.83), ("linear", 1), ("none", 1))
COMPARE = """
const data = await opened(), expected = doubles(input.expected), means = doubles(input.means), out = new Float64Array(data.cells);
let cells = 0, averages = 0, seen = 0;
input.settings.forEach((setting, n) => {
  Engine.scores(data, setting, out);
  for (let c = 0; c < data.cells; c++, seen++) if (!Object.is(out[c] + 0, expected[n * data.cells + c] + 0)) cells++;
  Engine.means(data, out).forEach((mean, s) => { if (!Object.is(mean, means[n * data.S + s])) averages++; });
});
return { seen, cells, averages };
"""


def measures(top: int):
    """Seventeen measures as texts and as settings of the page: five with drawn points, twelve with named curves."""
    draw = np.random.default_rng(1)
    found = []
    for k in (1, 5, 10, 20, 100):
        weights, gains = np.sort(draw.random(k))[::-1].tolist(), np.sort(5 * draw.random(top)).tolist()
        text = (
            f"nDCG(gain=levels({', '.join(map(repr, gains))}), discount=weights({', '.join(map(repr, weights))}))@{k}"
        )
        found.append((text, {"fam": "own", "own": weights, "gain": "own", "gains": gains, "k": k}))
    for name, parameter in DISCOUNTS:
        spelled = f"{name}({parameter})" if name in {"zipf", "rbp"} else name
        found += [
            (
                f"nDCG(gain={gain}, discount={spelled})@10",
                {"fam": name, "par": parameter, "gain": gain, "k": 10},
            )
            for gain in ("linear", "exp")
        ]
    return found


def loaded(real):
    """Judgments and runs, in memory."""
    runs = [rankgauge.read_run(path) for path in real.runs]
    return rankgauge.read_judgments(real.judgments), [Run(run.to_polars(), name=run.name) for run in runs]


def check(judged, runs, folder, grades, **policy):
    """136 settings: cells and means that differ from Python's."""
    below = [grade for grade in grades if grade <= 0]
    top = len(grades) - len(below)
    settings, values, means = [], [], []
    named = measures(top)
    for unjudged in UNJUDGED:
        for ties in TIES:
            rule = Policy(ties=ties, unjudged=unjudged, **policy)
            scores = rankgauge.evaluate(judged, runs, [text for text, _ in named], policy=rule)
            for (_, setting), measure in zip(named, scores.measures, strict=True):
                gains = {"gains": [0.0] * len(below) + setting["gains"]} if "gains" in setting else {}
                settings.append(setting | gains | {"ties": ties, "unjudged": unjudged})
                values.append(scores.matrix(measure))
                means.append([row[str(measure)] for row in scores.mean().values()])
    page = rankgauge.explore(folder / "page.html", judged, runs, policy=Policy(**policy), lists=0)
    np.stack(values).astype("<f8").tofile(folder / "values")
    np.array(means).astype("<f8").tofile(folder / "means")
    assert len(settings) == 136
    found = in_node(
        folder,
        COMPARE,
        data=data_of(page),
        settings=settings,
        expected=str(folder / "values"),
        means=str(folder / "means"),
    )
    assert found == {"seen": 136 * values[0].size, "cells": 0, "averages": 0}


def test_scores_of_a_simulated_collection_are_equal_to_the_bit(tmp_path):
    judged, runs = simulated()
    grades = sorted({grade for row in judged.values() for grade in row.values()})
    check(judged, runs, tmp_path, grades)


@pytest.mark.parametrize(
    "policy",
    [{}, {"missing": "drop", "undefined": "drop"}, {"undefined": "drop"}],
    ids=["usual", "missing and undefined dropped", "undefined dropped"],
)
def test_scores_of_an_awkward_collection_are_equal_to_the_bit(tmp_path, policy):
    judged, runs = awkward()
    check(judged, runs, tmp_path, [-1, 0, 1, 2, 3], **policy)


@pytest.mark.slow
def test_scores_of_a_real_collection_are_equal_to_the_bit(real, tmp_path):
    judged, runs = loaded(real)
    check(judged, runs, tmp_path, sorted(set(judged.to_polars()["value"].to_list())))


@pytest.mark.parametrize("depth", [1, 7, 25])
@pytest.mark.parametrize("ties", ["document", "worst", "best"])
def test_lists_are_cut_at_the_depth_of_the_policy(tmp_path, depth, ties):
    judged, runs = awkward()
    rule = Policy(ties=ties, depth=depth, unjudged="drop")
    scores = rankgauge.evaluate(judged, runs, "nDCG@10", policy=rule)
    scores.matrix().astype("<f8").tofile(tmp_path / "values")
    np.array([row["nDCG@10"] for row in scores.mean().values()]).astype("<f8").tofile(tmp_path / "means")
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, policy=rule)
    body = "input.settings = [(await opened()).meta.start];" + COMPARE
    given = {"expected": str(tmp_path / "values"), "means": str(tmp_path / "means"), "data": data_of(page)}
    found = in_node(tmp_path, body, **given)
    assert found == {"seen": scores.matrix().size, "cells": 0, "averages": 0}


def test_means_are_weighted_by_the_weights_of_queries(tmp_path):
    judged, runs = awkward()
    weights = {query: float(at % 4) for at, query in enumerate(judged)}
    scores = rankgauge.evaluate(judged, runs, "nDCG@10", weights=weights)
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, weights=weights)
    found = in_node(
        tmp_path,
        "const data = await opened(); const x = Engine.scores(data, data.meta.start, new Float64Array(data.cells));"
        "return { mean: [...Engine.means(data, x)], half: [...Trust.intervals(data, x)] };",
        data=data_of(page),
    )
    assert found["mean"] == [row["nDCG@10"] for row in scores.mean().values()]
    halves = [(one["nDCG@10"].high - one["nDCG@10"].low) / 2 for one in scores.intervals().values()]
    assert found["half"] == pytest.approx(halves, rel=1e-11)


def test_every_shipped_weight_is_numpys(tmp_path):
    page = rankgauge.explore(tmp_path / "page.html", *awkward(systems=2, queries=3))
    from rankgauge.kernels import curves

    ranks = np.arange(1.0, 101.0)
    expected = [curves.zipf(ranks, None, s / 100).tolist() for s in range(301)]
    expected += [curves.rbp(ranks, None, p / 100).tolist() for p in range(30, 100)]
    expected.append(curves.log2(ranks, None).tolist())
    found = in_node(
        tmp_path,
        "const data = await opened(), rows = []; const add = (fam, par) => rows.push([...Exact.weights(data, { fam, par, k: 10 })]);"
        'for (let s = 0; s <= 300; s++) add("zipf", s / 100); for (let p = 30; p < 100; p++) add("rbp", p / 100); add("log2", 1);'
        "return rows;",
        data=data_of(page),
    )
    assert found == expected


@pytest.mark.parametrize("measure", ["nDCG(discount=jk(2))@15", "nDCG(gain=power(2), discount=zipf(0.333))@5"])
def test_a_page_may_open_with_any_gain_and_discount(tmp_path, measure):
    judged, runs = awkward()
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, measure)
    body = "const data = await opened(); return [...Engine.means(data, Engine.scores(data, data.meta.start, new Float64Array(data.cells)))];"
    expected = [next(iter(row.values())) for row in rankgauge.evaluate(judged, runs, measure).mean().values()]
    assert in_node(tmp_path, body, data=data_of(page)) == expected
