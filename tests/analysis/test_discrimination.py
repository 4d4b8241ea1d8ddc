import json
import math

import numpy as np
import pytest

import rankgauge.analysis.discriminate as module
from cubes import discriminate_cube
from rankgauge.analysis.discriminate import achieved_levels
from rankgauge.errors import AnalysisError, UsageError
from sakai import GOLDEN, A, B


def by_definition(first, second, counts, alpha):
    """ASL and required difference of one pair, resample by resample."""
    z = first - second
    n, w = len(z), z - z.mean()
    t0 = abs(z.mean()) / (z.std(ddof=1) / math.sqrt(n))
    t, means = [], []
    for drawn in counts:
        sample = w[drawn]
        means.append(abs(sample.mean()))
        t.append(means[-1] / (sample.std(ddof=1) / math.sqrt(n)))
    order = sorted(range(len(t)), key=lambda b: -t[b])
    return np.mean(np.array(t) >= t0), means[order[math.ceil(alpha * len(t)) - 1]]


def cube(systems=6, queries=30, measures=1, seed=1):
    random = np.random.default_rng(seed)
    skill = np.linspace(0, 0.3, systems)[:, np.newaxis, np.newaxis]
    return np.clip(0.3 + skill + 0.3 * random.normal(size=(systems, queries, measures)), 0, 1)


NAMES = [f"s{i}" for i in range(30)]


def test_levels_and_required_difference_follow_the_definition():
    values = cube()[:, :, 0]
    asl, required = achieved_levels(values, samples=200, alpha=0.05, seed=4)
    drawn = np.random.default_rng(4).integers(0, 30, size=(200, 30))
    expected = [by_definition(values[i], values[j], drawn, 0.05) for i, j in zip(*np.triu_indices(6, 1), strict=True)]
    np.testing.assert_allclose(asl, [level for level, _ in expected], atol=1e-12)
    assert required == pytest.approx(max(difference for _, difference in expected), rel=1e-12)


def test_the_level_of_sakais_example():
    asl, _ = achieved_levels(np.array([A, B]), samples=100_000, alpha=0.05, seed=1)
    assert asl[0] == pytest.approx(GOLDEN["pair"]["asl"], abs=0.0021)


def test_the_curve_falls_and_power_is_the_share_below_alpha():
    found = discriminate_cube(cube(), NAMES[:6], ["nDCG@20"], alpha=0.1)
    (measure,) = found.parts
    assert list(measure.asl) == sorted(measure.asl, reverse=True)
    assert measure.power == np.mean(np.array(measure.asl) < 0.1)
    assert (found.pairs, len(measure.pairs), found.query_count, found.dropped) == (15, 15, 30, 0)
    asl, _ = achieved_levels(cube()[[0, 5], :, 0], samples=1000, alpha=0.1, seed=7)
    assert measure.asl[measure.pairs.index(("s0", "s5"))] == asl[0]


def test_the_order_of_systems_and_measures_changes_nothing():
    values = cube(measures=2)
    found = discriminate_cube(values, NAMES[:6], ["nDCG@20", "AP"])
    turned = discriminate_cube(values[::-1, :, ::-1], NAMES[:6][::-1], ["AP", "nDCG@20"])
    for one, other in zip(found.parts, turned.parts[::-1], strict=True):
        assert one.measure == other.measure
        assert one.asl == other.asl
        assert one.required_difference == pytest.approx(other.required_difference, rel=1e-12)


def test_identical_systems_have_level_1():
    values = np.concatenate([cube(2), cube(2)[:1]])
    (measure,) = discriminate_cube(values, ["x", "y", "copy"], ["AP"]).parts
    assert measure.asl[0] == 1.0
    assert measure.pairs[0] == ("x", "copy")


def test_constant_differences_have_level_0_unless_one_is_added():
    values = np.array([np.linspace(0, 0.5, 20), np.linspace(0, 0.5, 20) + 0.2])[:, :, np.newaxis]
    assert discriminate_cube(values, ["x", "y"], ["AP"]).parts[0].asl == (0.0,)
    assert discriminate_cube(values, ["x", "y"], ["AP"], samples=99, add_one=True).parts[0].asl == (0.01,)


def test_power_grows_with_alpha():
    powers = [
        discriminate_cube(cube(10), NAMES[:10], ["AP"], alpha=alpha).parts[0].power for alpha in (0.01, 0.05, 0.2, 0.5)
    ]
    assert powers == sorted(powers)
    assert powers[0] < powers[-1]


def test_an_alpha_below_all_levels_asks_for_the_largest_difference():
    """Seen red: a raw error of NumPy."""
    few, none = (discriminate_cube(cube(6), NAMES[:6], ["AP"], samples=20, alpha=alpha) for alpha in (0.05, 5e-324))
    assert [one.required_difference for one in few.parts] == [one.required_difference for one in none.parts]


def test_top_keeps_the_best_systems_whatever_the_order_of_the_measures():
    values = cube(8, measures=2)
    found = discriminate_cube(values, NAMES[:8], ["nDCG@20", "AP"], top=3)
    best = np.argsort(-values.mean(axis=1)[:, 0])[:3]
    assert discriminate_cube(values[:, :, :1], NAMES[:8], ["nDCG@20"], top=3).systems == tuple(
        NAMES[i] for i in sorted(best)
    )
    assert found.systems == discriminate_cube(values[:, :, ::-1], NAMES[:8], ["AP", "nDCG@20"], top=3).systems
    assert found.pairs == 3
    assert discriminate_cube(values, NAMES[:8], ["nDCG@20", "AP"], top=30).pairs == 28


def test_incomplete_queries_are_left_out_and_counted():
    values = cube(3, measures=2)
    values[1, 4, 0], values[2, 9, 1] = np.nan, np.nan
    found = discriminate_cube(values, NAMES[:3], ["nDCG@20", "AP"])
    assert (found.query_count, found.dropped) == (28, 2)
    assert found.parts == discriminate_cube(np.delete(values, [4, 9], axis=1), NAMES[:3], ["nDCG@20", "AP"]).parts


def test_memory_limits_change_nothing(monkeypatch):
    values = cube(7)[:, :, 0]
    asl, required = achieved_levels(values, samples=300, alpha=0.05, seed=1)
    monkeypatch.setattr(module, "CELLS", 40)
    monkeypatch.setattr(module, "PAIR_CELLS", 700)
    monkeypatch.setattr(module, "count_blocks", lambda *args: module_blocks(*args, cells=90 * 30))
    again, limit = achieved_levels(values, samples=300, alpha=0.05, seed=1)
    np.testing.assert_array_equal(asl, again)
    assert limit == pytest.approx(required, rel=1e-12)


module_blocks = module.count_blocks


def test_the_json_has_the_names_of_the_interface():
    result = discriminate_cube(cube(4), NAMES[:4], ["nDCG@20"], samples=500, seed=7).to_dict()
    assert {"systems": 4, "pairs": 6, "samples": 500, "alpha": 0.05, "seed": 7}.items() <= result.items()
    assert {"power", "required_difference", "asl"} == result["measures"]["nDCG@20"].keys()
    assert len(result["measures"]["nDCG@20"]["asl"]) == 6
    json.dumps(result, allow_nan=False)


def test_progress_counts_measures():
    seen = []
    discriminate_cube(cube(3, measures=2), NAMES[:3], ["nDCG@20", "AP"], progress=lambda *step: seen.append(step))
    assert seen == [(1, 2), (2, 2)]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"top": 1}, "top is 1; it must be a whole number of at least 2"),
        ({"samples": 0}, "samples is 0"),
        ({"alpha": 5}, "alpha is 5; it must lie between 0 and 1"),
    ],
)
def test_faults_are_named(options, message):
    with pytest.raises(UsageError, match=message):
        discriminate_cube(cube(3), NAMES[:3], ["AP"], **options)


def test_too_few_complete_queries_are_an_error():
    values = np.full((2, 4, 1), 0.5)
    values[0, :3] = np.nan
    with pytest.raises(AnalysisError, match="only 1 of 4 queries have a score of every system on every measure"):
        discriminate_cube(values, ["x", "y"], ["AP"])
