"""What the page says about the means is what compare, agreement and stability say."""

from __future__ import annotations

import math

import numpy as np
import pytest

import rankgauge
from presentation.explore.engine_in_node import awkward, data_of, in_node, simulated
from rankgauge import Policy

pytestmark = pytest.mark.usefixtures("node")
SETTINGS = {
    "nDCG@10": {"fam": "log2", "par": 1, "gain": "linear", "k": 10},
    "nDCG(gain=exp, discount=zipf(1.5))@20": {"fam": "zipf", "par": 1.5, "gain": "exp", "k": 20},
    "nDCG(discount=rbp(0.55))@1": {"fam": "rbp", "par": 0.55, "gain": "linear", "k": 1},
}
BODY = """
const data = await opened();
const compute = (setting) => {
  const x = Engine.scores(data, setting, new Float64Array(data.cells)), means = Engine.means(data, x);
  const left = data.meta.policy.undefined ? null : Engine.undefinedQueries(data, setting);
  const study = Trust.dependability(data, x, left), verdicts = Trust.verdicts(data, x), pair = Trust.pair(data, x, 0, 1);
  return { means: [...means], rank: [...Trust.ranks(means).rank], half: [...Trust.intervals(data, x)], phi: study.phi, queries: study.queries,
    need: [0.9, 0.95].map(study.need), told: verdicts.told, first: [...verdicts.first], better: [...verdicts.better],
    pair: [pair.mean, pair.low, pair.high, pair.wins, pair.ties, pair.losses] };
};
const found = input.settings.map(compute), base = found[0].means;
return found.map((one) => ({ ...one, ...Trust.agreement(Float64Array.from(base), Float64Array.from(one.means)) }));
"""
COLLECTIONS = {"simulated": simulated, "awkward": awkward}
POLICIES = [Policy(), Policy(missing="drop", undefined="drop", ties="mean"), Policy(unjudged="drop", undefined="zero")]


@pytest.mark.parametrize("policy", POLICIES, ids=["usual", "dropped", "condensed"])
@pytest.mark.parametrize("name", COLLECTIONS)
def test_the_page_trusts_what_the_commands_trust(tmp_path, name, policy):
    judged, runs = COLLECTIONS[name]()
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, policy=policy)
    rule = {"ties": policy.ties or "document", "unjudged": policy.unjudged or "zero"}
    settings = [setting | rule for setting in SETTINGS.values()]
    found = in_node(tmp_path, BODY, data=data_of(page), settings=settings)
    scores = rankgauge.evaluate(judged, runs, list(SETTINGS), policy=policy)
    agreement = rankgauge.agreement(judged, runs, list(SETTINGS), policy=policy)
    for at, (measure, one) in enumerate(zip(scores.measures, found, strict=True)):
        comparison = rankgauge.compare(scores.select([measure]), all_pairs=True, test="t", correction="holm").parts[0]
        alone = (
            rankgauge.compare(judged, dict(list(runs.items())[:2]), measure, policy=policy, test="t").parts[0].pairs[0]
        )
        check_pairs(one, comparison, scores.systems, alone)
        study = rankgauge.stability(judged, runs, measure, policy=policy).parts[0]
        assert one["phi"] == pytest.approx(study.to_dict()["dependability"]["value"], abs=1e-12)
        assert one["queries"] == study.query_count
        needed = [study.queries_needed(target).value for target in (0.9, 0.95)]
        assert [float(n) for n in one["need"]] == [float(n) for n in needed]
        if policy.missing is None:  # agreement leaves out queries that some system lacks
            assert one["tau"] == pytest.approx(agreement.tau[0][at], abs=1e-14)
            assert one["tauAP"] == pytest.approx(agreement.tau_ap[0][at], abs=1e-14)
        intervals = [row[str(measure)] for row in scores.intervals().values()]
        assert one["half"] == pytest.approx([(i.high - i.low) / 2 for i in intervals], rel=1e-10)


def check_pairs(one, comparison, systems, first):
    sign = {"better": 1, "worse": -1, "undecided": 0}
    better = np.array(one["better"]).reshape(len(systems), len(systems))
    for pair in comparison.pairs:
        assert better[systems.index(pair.system), systems.index(pair.baseline)] == sign[pair.verdict]
    assert one["told"] == sum(pair.verdict != "undecided" for pair in comparison.pairs)
    beaten = {pair.system for pair in comparison.pairs if pair.verdict == "worse"}
    beaten |= {pair.baseline for pair in comparison.pairs if pair.verdict == "better"}
    assert one["first"] == [int(system not in beaten) for system in systems]
    assert one["rank"] == [system.rank for system in comparison.systems]
    assert {first.system, first.baseline} == set(systems[:2])
    turned = -1 if first.system == systems[1] else 1
    expected = [turned * first.difference, *sorted((turned * first.low, turned * first.high))]
    assert one["pair"][:3] == pytest.approx(expected, abs=1e-12)
    assert one["pair"][3:] == [first.wins, first.ties, first.losses][::turned]


def test_t_is_students(tmp_path):
    from scipy.special import stdtr, stdtrit

    page = rankgauge.explore(tmp_path / "page.html", *awkward(systems=2, queries=3))
    asked = [(t, n) for t in (0.01, 0.5, 1.7, 3.3, 9.0, 40.0) for n in (1, 2, 5, 39, 4999)]
    body = "return { p: input.asked.map(([t, n]) => Trust.tail(t * t, n)), t: [1, 3, 39, 4999].map((n) => Math.sqrt(Trust.limit(0.05, n))) };"
    found = in_node(tmp_path, body, data=data_of(page), asked=asked)
    assert found["p"] == pytest.approx([float(2 * stdtr(n, -t)) for t, n in asked], rel=1e-11, abs=1e-300)
    # With one degree of freedom it is Cauchy's distribution, of which SciPy before 1.17 has ten digits only.
    quantiles = [math.tan(math.pi * 0.475), *(float(-stdtrit(n, 0.025)) for n in (3, 39, 4999))]
    assert found["t"] == pytest.approx(quantiles, rel=1e-12)


def test_the_page_carries_the_certificates_of_robust(tmp_path):
    judged, runs = simulated()
    page = rankgauge.explore(tmp_path / "page.html", judged, runs)
    found = rankgauge.robust(judged, runs, all_pairs=True, samples=0)
    codes = {"robust": 1, "depends": 2, "open": 3, "equal": 4}
    body = "const data = await opened(); return { count: data.meta.robust.count, codes: [...data.col.certified], systems: data.meta.systems };"
    shown = in_node(tmp_path, body, data=data_of(page))
    assert shown["count"] == sum(pair.verdict == "robust" for pair in found.pairs) > 0
    square, at = np.array(shown["codes"]).reshape(len(runs), -1), shown["systems"].index
    for pair in found.pairs:
        assert square[at(pair.system), at(pair.baseline)] == codes[pair.verdict]
    assert np.array_equal(square, square.T)


def test_dcg_counts_are_the_same_in_the_page_and_in_python(tmp_path):
    from rankgauge.data.judgments import Judgments, runs_of
    from rankgauge.data.match import match_runs
    from rankgauge.evaluation.ranked import Ranked
    from rankgauge.measures import parse
    from rankgauge.presentation.explore.robust import dcg_robust

    judged, runs = awkward()
    page = rankgauge.explore(tmp_path / "page.html", judged, runs)
    body = "const data = await opened(); return input.ties.map((ties) => { const s = { ...data.meta.start, ties }; return Breaking.dominated(data, Breaking.staircase(data, s), 10); });"
    rules = ["document", "mean", "worst", "best"]
    policies = [Policy(unjudged="zero", missing="zero", precision="double", ties=ties) for ties in rules]
    matches = [list(match_runs(Judgments(judged), runs_of(runs), policy)) for policy in policies]
    views = [Ranked(*given) for given in zip(matches, [parse("nDCG@10")] * 4, policies, strict=True)]
    expected = [dcg_robust(view, 10).count for view in views]
    assert in_node(tmp_path, body, data=data_of(page), ties=rules) == expected
