import json
import math
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import stats

from cubes import compare_cube as compare
from rankgauge.analysis.compare.statistics.tests import t_test
from rankgauge.errors import AnalysisError, UsageError
from sakai import GOLDEN, A, B, C

TESTS = ("sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey")
THREE = np.array([A, B, C])[:, :, np.newaxis]
NAMES = ["a", "b", "c"]
every_test = pytest.mark.parametrize("test", TESTS)


def scores(systems, queries, seed=1, spread=0.1, shifts=None):
    random = np.random.default_rng(seed)
    shifts = np.zeros(systems) if shifts is None else np.array(shifts)
    return (
        0.5
        + shifts[:, np.newaxis]
        + 0.2 * random.normal(size=queries)
        + spread * random.normal(size=(systems, queries))
    )


def cube(*args, **options):
    return scores(*args, **options)[:, :, np.newaxis]


def test_two_systems_of_sakais_example():
    (pair,) = compare(THREE[:2][::-1], ["b", "a"], ["nDCG"], test="t")["nDCG"].pairs
    assert (pair.system, pair.baseline) == ("a", "b")
    assert pair.difference == pytest.approx(0.075)
    assert pair.p == pytest.approx(GOLDEN["pair"]["p"], abs=5e-7)
    assert pair.p_adjusted == pair.p
    assert pair.effect_size == pytest.approx(GOLDEN["pair"]["effect_size"], abs=5e-4)
    assert pair.high - pair.difference == pytest.approx(GOLDEN["pair"]["margin_of_error"], abs=5e-5)
    assert (pair.wins, pair.ties, pair.losses) == (10, 5, 5)
    assert pair.verdict == "better"
    assert pair.queries_needed is None


def test_three_systems_of_sakais_example():
    found = compare(THREE, NAMES, ["nDCG"], all_pairs=True, test="randomised-tukey", samples=5_000)["nDCG"]
    expected = {("b", "a"): "ab", ("c", "a"): "ac", ("c", "b"): "bc"}
    assert [(pair.system, pair.baseline) for pair in found.pairs] == list(expected)
    for pair in found.pairs:
        name = expected[pair.system, pair.baseline]
        assert -pair.effect_size == pytest.approx(GOLDEN["family"]["effect_sizes"][name], abs=5e-4)
        if name != "ab":
            assert pair.p == pytest.approx(GOLDEN["family"]["randomised_p"][name], abs=0.025)


def test_the_json_has_the_names_of_the_interface():
    result = compare(cube(2, 50, shifts=[0, 0.1]), ["bm25", "ltr"], ["nDCG@10"], seed=7).to_dict()
    assert {"baseline", "test", "correction", "confidence", "seed", "summary", "measures"} <= result.keys()
    assert (result["baseline"], result["test"], result["correction"]) == ("bm25", "sign-flip", "none")
    measure = result["measures"]["nDCG@10"]
    assert {"name", "mean", "low", "high", "rank", "rank_low", "rank_high"} <= measure["systems"][0].keys()
    assert {
        *("system", "baseline", "difference", "low", "high", "p", "p_adjusted", "effect_size"),
        *("wins", "ties", "losses", "verdict", "queries_needed"),
    } <= measure["pairs"][0].keys()
    assert measure["pairs"][0]["verdict"] == "better"
    assert measure["pairs"][0]["queries_needed"] is None
    assert 0 < measure["detectable_difference"] < 0.1
    assert json.loads(json.dumps(result, allow_nan=False)) == result


def test_the_same_input_and_seed_give_the_same_bytes():
    values = cube(4, 40)
    first, second = (json.dumps(compare(values, list("wxyz"), ["AP"]).to_dict()) for _ in range(2))
    assert first == second


@every_test
def test_identical_systems_give_1_and_are_undecided(test):
    values = np.concatenate([cube(2, 30), cube(2, 30)[:1]])
    found = compare(values, ["x", "y", "copy"], ["AP"], test=test, all_pairs=True, samples=300)["AP"]
    pair = found.pair("copy", "x")
    assert pair.p == pair.p_adjusted == 1.0
    assert (pair.difference, pair.effect_size) == (0.0, 0.0)
    if "tukey" in test:
        # One error for all pairs: the others' noise is taken for that of this pair too.
        assert pair.low == -pair.high < 0.0
    else:
        assert (pair.low, pair.high) == (0.0, 0.0)
        assert np.isnan(pair.detectable_difference)
    assert (pair.verdict, pair.queries_needed, pair.ties) == ("undecided", None, 30)


@every_test
def test_swapping_two_systems_flips_only_the_sign(test):
    values = cube(2, 60, shifts=[0, 0.02])
    (one,) = compare(values, ["x", "y"], ["AP"], test=test, samples=500)["AP"].pairs
    (other,) = compare(values, ["x", "y"], ["AP"], test=test, samples=500, baseline="y")["AP"].pairs
    assert (one.system, one.baseline) == (other.baseline, other.system)
    assert (one.difference, one.low, one.high) == pytest.approx((-other.difference, -other.high, -other.low))
    assert one.effect_size == pytest.approx(-other.effect_size)
    assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
    assert one.p == other.p or test == "randomised-tukey"
    assert one.p == pytest.approx(other.p, abs=0.08)
    assert one.queries_needed == other.queries_needed


@every_test
def test_a_clear_difference_is_found_both_ways(test):
    found = compare(cube(3, 60, shifts=[0, 0.1, -0.1]), ["base", "up", "down"], ["AP"], test=test, samples=2_000)["AP"]
    assert {pair.system: pair.verdict for pair in found.pairs} == {"up": "better", "down": "worse"}
    assert all(0 < pair.p < 0.01 for pair in found.pairs)


def test_the_correction_runs_over_systems_and_measures():
    random = np.random.default_rng(3)
    values = random.normal(size=(4, 50, 2))
    none, holm = (compare(values, list("wxyz"), ["AP", "RR"], test="t", correction=name) for name in ("none", "holm"))
    raw = np.array([pair.p for found in none.parts for pair in found.pairs])
    adjusted = np.array([pair.p_adjusted for found in holm.parts for pair in found.pairs])
    assert [pair.p_adjusted for found in none.parts for pair in found.pairs] == raw.tolist()
    assert adjusted[np.argmin(raw)] == pytest.approx(min(1.0, 6 * raw.min()))


def test_tukeys_p_values_are_corrected_for_the_number_of_measures_only():
    values = np.random.default_rng(3).normal(size=(4, 50, 2))
    found = compare(values, list("wxyz"), ["AP", "RR"], test="tukey", all_pairs=True)
    for measure in found.parts:
        for pair in measure.pairs:
            assert pair.p_adjusted == pytest.approx(min(1.0, 2 * pair.p))


def test_all_pairs_start_with_those_of_the_baseline():
    found = compare(cube(4, 20), list("wxyz"), ["AP"], baseline="y", all_pairs=True, test="t")
    assert found.baseline == "y"
    pairs = [(pair.system, pair.baseline) for pair in found["AP"].pairs]
    assert pairs == [("w", "y"), ("x", "y"), ("z", "y"), ("x", "w"), ("z", "w"), ("z", "x")]


def test_the_best_baseline_is_the_system_with_the_highest_mean_unless_one_has_that_name():
    values = np.array([[0.1, 0.2], [0.8, 0.9], [0.4, 0.3]])[:, :, None]
    assert compare(values, ["a", "b", "c"], ["AP"], baseline="best").baseline == "b"
    assert compare(values, ["best", "b", "c"], ["AP"], baseline="best").baseline == "best"


def test_all_pairs_without_a_named_baseline_have_none():
    assert compare(cube(3, 20), list("xyz"), ["AP"], all_pairs=True, test="t").baseline is None


@pytest.mark.parametrize("measures", [1, 3])
def test_tukeys_intervals_have_the_noise_and_the_limit_of_all_systems(measures):
    table = np.random.default_rng(12).random((4, 12))
    names = ["AP", "RR", "P@5"][:measures]
    found = compare(np.repeat(table[:, :, None], measures, axis=2), list("wxyz"), names, test="tukey")["AP"]
    residuals = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0) + table.mean()
    square = (residuals**2).sum() / (3 * 11)
    arm = stats.studentized_range.ppf(1 - 0.05 / measures, 4, 33) * np.sqrt(square / 12)
    for pair in found.pairs:
        assert (pair.low, pair.high) == pytest.approx((pair.difference - arm, pair.difference + arm), rel=1e-6)
        assert pair.effect_size == pytest.approx(pair.difference / np.sqrt(square))


def test_an_interval_has_the_level_of_the_next_finding():
    values = cube(3, 20, shifts=[0, 0.01, -0.01])
    found = compare(values, list("xyz"), ["AP"], test="t", correction="holm")
    assert found.interval_confidence == pytest.approx(0.975)
    for pair in found["AP"].pairs:
        assert pair.verdict == "undecided"
        arm = stats.t.ppf(1 - 0.05 / 4, 19) * pair.deviation / np.sqrt(20)
        assert (pair.low, pair.high) == pytest.approx((pair.difference - arm, pair.difference + arm), rel=1e-9)


@pytest.mark.parametrize("test", ["sign-flip", "t", "wilcoxon"])
def test_equal_differences_on_a_few_queries_have_an_endless_effect_without_a_warning(test):
    values = np.array([[np.nan] * 3 + [0.0] * 3, [np.nan] * 3 + [0.1] * 3])[:, :, None]
    assert compare(values, ["x", "y"], ["AP"], test=test, equivalence=0.05)["AP"].pairs[0].effect_size == np.inf


def test_the_interval_may_be_a_bootstrap():
    t, bootstrap = (compare(cube(2, 50), ["x", "y"], ["AP"], test="t", interval=name) for name in ("t", "bootstrap"))
    one, other = t["AP"].pairs[0], bootstrap["AP"].pairs[0]
    assert one.low != other.low
    assert one.low == pytest.approx(other.low, abs=0.01)
    assert bootstrap.interval == "bootstrap"


def test_missing_queries_are_dropped_by_pair_and_counted():
    values = cube(3, 40)
    values[1, :5], values[2, 4:8] = np.nan, np.nan
    found = compare(values, list("xyz"), ["AP"], test="t", all_pairs=True)
    counts = {(pair.system, pair.baseline): (pair.query_count, pair.dropped) for pair in found["AP"].pairs}
    assert counts == {("y", "x"): (35, 5), ("z", "x"): (36, 4), ("z", "y"): (32, 8)}
    assert [system.query_count for system in found["AP"].systems] == [40, 35, 36]
    only = compare(np.delete(values[:2], range(5), axis=1), list("xy"), ["AP"], test="t")["AP"].pairs[0]
    assert found["AP"].pair("y", "x").p == pytest.approx(only.p)
    assert found.notes[0].text == (
        "AP: 8 of 40 queries lack a score for some system; each pair uses the queries that both systems have."
    )


def test_tukeys_test_leaves_incomplete_queries_out_and_says_so():
    values = cube(3, 40)
    values[1, :5] = np.nan
    found = compare(values, list("xyz"), ["AP"], test="tukey")
    assert "AP: 5 of 40 queries lack a score for some system; the test leaves them out." in map(str, found.notes)
    assert found["AP"].pairs[0].p == compare(values[:, 5:], list("xyz"), ["AP"], test="tukey")["AP"].pairs[0].p


@pytest.mark.parametrize("test", TESTS[:4])
def test_a_pair_without_two_common_queries_is_undecided_and_not_counted(test):
    values = cube(3, 40, shifts=[0, 0.2, 0])
    values[2, 1:] = np.nan
    found = compare(values, list("xyz"), ["AP"], test=test, samples=999, correction="holm")
    lonely = found["AP"].pair("z", "x")
    assert (lonely.verdict, lonely.queries_needed, lonely.query_count) == ("undecided", None, 1)
    assert math.isnan(lonely.p)
    assert lonely.to_dict()["p"] is None
    assert lonely.to_dict()["low"] is None
    better = found["AP"].pair("y", "x")
    assert better.p_adjusted == better.p
    json.dumps(found.to_dict(), allow_nan=False)


def test_a_measure_without_any_pair_has_no_detectable_difference():
    values = np.full((2, 5, 1), np.nan)
    values[0, 0], values[1, 1] = 0.5, 0.5
    found = compare(values, ["x", "y"], ["AP"])
    assert found["AP"].to_dict()["detectable_difference"] is None
    assert "no interval" in found.summary


def test_equivalent_systems_need_a_margin():
    values = cube(2, 400, spread=0.01)
    assert compare(values, ["x", "y"], ["AP"])["AP"].pairs[0].verdict == "undecided"
    pair = compare(values, ["x", "y"], ["AP"], equivalence=0.01)["AP"].pairs[0]
    assert pair.verdict == "equivalent"
    assert pair.p_equivalence < 0.001
    assert compare(values, ["x", "y"], ["AP"], equivalence=1e-5)["AP"].pairs[0].verdict == "undecided"


def test_a_difference_that_does_not_matter_is_equivalent_even_if_it_is_real():
    values = cube(2, 400, spread=0.01, shifts=[0, 0.004])
    assert compare(values, ["x", "y"], ["AP"])["AP"].pairs[0].verdict == "better"
    assert compare(values, ["x", "y"], ["AP"], equivalence=0.01)["AP"].pairs[0].verdict == "equivalent"


def test_equivalence_is_corrected_too():
    values = cube(8, 40, spread=0.03)
    alone = compare(values[:2], list("ab"), ["AP"], equivalence=0.02, test="t")["AP"].pairs[0]
    among = compare(values, list("abcdefgh"), ["AP"], equivalence=0.02, test="t")["AP"].pairs[0]
    assert alone.p_equivalence < among.p_equivalence


def test_a_rank_test_against_the_mean_decides_nothing():
    losses = np.full(30, -0.01) - 0.0001 * np.arange(30)
    values = np.array([np.full(31, 0.5), np.append(0.5 + losses, 1.0)])[:, :, np.newaxis]
    pair = compare(values, ["x", "y"], ["AP"], test="wilcoxon")["AP"].pairs[0]
    assert pair.p < 0.001
    assert pair.difference > 0
    assert pair.verdict == "undecided"


def test_the_queries_needed_settle_the_pair():
    pair = compare(cube(2, 60, shifts=[0, 0.02]), ["x", "y"], ["AP"], test="t")["AP"].pairs[0]
    assert pair.verdict == "undecided"
    assert 60 < pair.queries_needed_low < pair.queries_needed < pair.queries_needed_high
    # True differences and deviations that may have given these scores: four of five times so many queries find them.
    random = np.random.default_rng(1)
    deviation = pair.deviation * np.sqrt(59 / random.chisquare(59, size=2_000))
    difference = pair.difference + deviation / np.sqrt(60) * random.normal(size=2_000)
    drawn = np.array(
        [random.normal(d, s, size=pair.queries_needed) for d, s in zip(difference, deviation, strict=True)]
    )
    assert np.mean(t_test(drawn) < 0.05) == pytest.approx(0.8, abs=0.03)
    assert pair.sign_error == pytest.approx(np.mean(difference < 0), abs=0.02)


@every_test
@pytest.mark.parametrize("correction", ["holm", "bh", "none", "max-t"])
@pytest.mark.parametrize("interval", ["t", "bootstrap"])
def test_no_interval_contradicts_its_verdict(test, correction, interval):
    if correction == "max-t" and test not in {"sign-flip", "bootstrap", "t"}:
        with pytest.raises(UsageError, match="max-t"):
            compare(np.eye(4)[:, :, np.newaxis], list("abcd"), ["score"], test=test, correction=correction)
        return
    for seed in range(3):
        random = np.random.default_rng(seed)
        values = np.round(random.beta(0.4, 0.8, size=(12, 18)) + np.linspace(0, 0.5, 12)[:, None], 1)
        chosen = {"test": test, "correction": correction, "interval": interval, "seed": seed}
        found = compare(values[:, :, np.newaxis], list("abcdefghijkl"), ["score"], all_pairs=True, **chosen)
        verdicts = set()
        for pair in found["score"].pairs:
            side = "better" if pair.low > 0 else "worse" if pair.high < 0 else "undecided"
            assert pair.verdict == side, pair
            assert pair.low <= pair.difference <= pair.high
            effect = "better" if pair.effect_low > 0 else "worse" if pair.effect_high < 0 else "undecided"
            assert effect == pair.verdict
            verdicts.add(side)
        assert len(verdicts) > 1


def test_intervals_of_each_pair_alone_are_those_of_two_systems():
    values = cube(5, 30)
    found = compare(values, list("vwxyz"), ["AP"], test="t", interval_for="pair")["AP"].pairs[1]
    alone = compare(values[[0, 2]], ["v", "x"], ["AP"], test="t")["AP"].pairs[0]
    assert (found.low, found.high) == (alone.low, alone.high)


def test_verdicts_do_not_depend_on_the_seed():
    values = cube(20, 45, shifts=np.linspace(0, 0.06, 20))
    names = [f"s{i}" for i in range(20)]
    found = {tuple(p.verdict for p in compare(values, names, ["AP"], seed=s)["AP"].pairs) for s in range(5)}
    assert len(found) == 1


def test_a_p_value_that_cannot_be_told_from_the_limit_is_undecided_and_says_so():
    # 200 samples: the bounds of a p-value near 0.05 reach from 0.01 to 0.12.
    pairs = [
        compare(cube(2, 60, seed=s, shifts=[0, 0.04]), ["x", "y"], ["AP"], samples=200)["AP"].pairs[0]
        for s in range(40)
    ]
    close = [pair for pair in pairs if pair.at_limit]
    assert close
    assert {pair.verdict for pair in close} == {"undecided"}
    assert all(pair.p_adjusted >= 0.05 for pair in close)


@every_test
def test_undecided_pairs_always_need_more_queries_than_there_are(test):
    found = compare(
        cube(6, 25, shifts=[0, 0.01, 0.02, 0.03, 0.04, 0.05]), list("uvwxyz"), ["AP"], test=test, samples=500
    )["AP"]
    undecided = [pair for pair in found.pairs if pair.verdict == "undecided"]
    assert undecided
    assert all(pair.queries_needed > 25 for pair in undecided)


def test_a_test_that_cannot_see_the_difference_asks_for_one_query_more():
    # Ten samples give no p below 1/11, while the difference is beyond doubt.
    pair = compare(cube(2, 60, shifts=[0, 0.3]), ["x", "y"], ["AP"], samples=10)["AP"].pairs[0]
    assert (pair.verdict, pair.queries_needed) == ("undecided", 61)


def test_more_queries_detect_smaller_differences():
    few, many = (compare(cube(2, n), ["x", "y"], ["AP"], test="t")["AP"].detectable_difference for n in (20, 500))
    assert many < few / 3


def test_more_comparisons_detect_larger_differences_only():
    values = cube(10, 50)
    some, more = (compare(values[:n], list("abcdefghij")[:n], ["AP"], test="t")["AP"] for n in (2, 10))
    assert more.pairs[0].detectable_difference > some.pairs[0].detectable_difference
    none = compare(values, list("abcdefghij"), ["AP"], test="t", correction="none")["AP"]
    assert none.pairs[0].detectable_difference == some.pairs[0].detectable_difference


def test_pairs_near_the_limit_are_sampled_again_more_finely():
    values = cube(24, 60, shifts=[0] + [0.06] * 23)
    names = [f"s{i}" for i in range(24)]
    assert compare(values, names, ["AP"], all_pairs=True).samples is None
    found = compare(values, names, ["AP"], all_pairs=True, test="bootstrap")
    assert found.samples == 10_000
    assert found.finer_samples == 20 * 276 / 0.05
    assert any(pair.verdict == "better" for pair in found["AP"].pairs)
    assert min(pair.p for pair in found["AP"].pairs) < 1 / 10_001
    assert not any(note.kind == "few-samples" for note in compare(values, names, ["AP"], samples=1_000).notes)
    coarse = compare(values, names, ["AP"], all_pairs=True, samples=1_000, correction="holm")
    assert {pair.verdict for pair in coarse["AP"].pairs} == {"undecided"}
    note = coarse.notes[0]
    assert note.kind == "few-samples"
    assert note.text.startswith("1,000 samples cannot give an adjusted p below 0.28, so pairs stay undecided")
    assert note.text.endswith("; use 110,400, or another test.")


def test_progress_runs_over_all_measures():
    seen = []
    values = np.random.default_rng(1).normal(size=(2, 100, 3))
    compare(values, ["x", "y"], ["AP", "RR", "P@5"], samples=100, progress=lambda *step: seen.append(step))
    assert seen[-1] == (30_000, 30_000)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)


@pytest.mark.parametrize("test", ["sign-flip", "bootstrap", "t"])
def test_progress_covers_the_bootstrap_of_the_intervals(test):
    seen = []
    values = np.random.default_rng(1).normal(size=(2, 400, 2))
    report = lambda *step: seen.append(step)  # noqa: E731
    compare(values, ["x", "y"], ["AP", "RR"], test=test, interval="bootstrap", progress=report)
    assert len(seen) > 20
    assert seen == sorted(seen)
    assert seen[-1] == (20_000, 20_000)


def test_results_cannot_be_changed():
    found = compare(cube(2, 20), ["x", "y"], ["AP"], test="t")
    with pytest.raises(FrozenInstanceError):
        found.seed = 1


def test_a_table_of_pairs_for_polars():
    frame = compare(np.random.default_rng(1).normal(size=(3, 20, 2)), list("xyz"), ["AP", "RR"], test="t").to_polars()
    assert frame.shape[0] == 4
    assert frame["measure"].to_list() == ["AP", "AP", "RR", "RR"]
    assert frame["verdict"].to_list() == ["undecided"] * 4


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"baseline": "bm52"}, UsageError, "unknown baseline 'bm52'; did you mean 'bm25'?"),
        ({"test": "signflip"}, UsageError, "unknown test 'signflip'; did you mean 'sign-flip'?"),
        ({"correction": "bonferoni"}, UsageError, "unknown correction 'bonferoni'"),
        ({"interval": "normal"}, UsageError, "unknown interval 'normal'; known: t, bootstrap"),
        ({"confidence": 95}, UsageError, "confidence is 95; it must lie between 0 and 1"),
        ({"equivalence": -0.1}, UsageError, "equivalence is -0.1"),
        ({"equivalence": math.nan}, UsageError, "equivalence is nan"),
        ({"samples": 0}, UsageError, "samples is 0"),
        ({"systems": ["bm25", "bm25"]}, UsageError, "duplicate system 'bm25'"),
        ({"systems": ["bm25"]}, UsageError, "1 system for a matrix with 2"),
        ({"values": np.zeros(10)}, UsageError, "not of shape (10,)"),
        ({"values": np.zeros((0, 10, 1)), "systems": []}, UsageError, "not of shape (0, 10, 1)"),
        ({"values": np.zeros((2, 1, 1))}, AnalysisError, "at least two queries; there is only one"),
        ({"values": np.full((2, 10, 1), np.inf)}, UsageError, "infinite"),
    ],
)
def test_faults_are_named(change, error, message):
    call = {"values": np.zeros((2, 10, 1)), "systems": ["bm25", "ltr"], "measures": ["nDCG@10"]} | change
    with pytest.raises(error) as caught:
        compare(call.pop("values"), call.pop("systems"), call.pop("measures"), **call)
    assert message in str(caught.value)


def test_an_unknown_measure_or_pair_of_a_result_is_named():
    found = compare(cube(3, 20), list("xyz"), ["nDCG@10"], test="t")
    with pytest.raises(UsageError, match=r"unknown measure 'nDCG@1'; did you mean 'nDCG@10'\?"):
        found["nDCG@1"]
    with pytest.raises(UsageError, match="z was not compared with y"):
        found["nDCG@10"].pair("z", "y")


@pytest.mark.parametrize("test", ["sign-flip", "t", "tukey"])
@pytest.mark.parametrize("correction", ["holm", "bh"])
def test_a_correction_within_each_measure_is_that_of_the_measure_alone(test, correction):
    values = np.random.default_rng(4).random((4, 30, 3))
    values[1:, :, :] += np.linspace(0.0, 0.15, 3)[:, None, None]
    names, systems = ["nDCG@10", "AP", "RR"], ["a", "b", "c", "d"]
    options = {"test": test, "correction": correction}
    together = compare(values, systems, names, correction_within="measure", **options)
    for at, name in enumerate(names):
        alone = compare(values[:, :, at : at + 1], systems, [name], **options)
        assert repr(together[name].pairs) == repr(alone[name].pairs)
    whole = compare(values, systems, names, **options)
    assert any(repr(whole[name].pairs) != repr(together[name].pairs) for name in names)
    assert together.to_dict()["correction_within"] == "measure"
    assert ("of each measure" in together.method) == (test != "tukey")


@pytest.mark.parametrize(
    ("queries", "decimals", "warned"), [(29, 9, True), (30, 9, False), (39, 1, True), (40, 1, False)]
)
def test_few_queries_and_coarse_scores_are_warned_of(queries, decimals, warned):
    values = np.round(np.random.default_rng(1).random((3, queries)), decimals)
    notes = [note for note in compare(values, list("xyz"), ["AP"]).notes if note.kind == "few-queries"]
    assert len(notes) == warned
    assert not notes or notes[0].text.startswith(f"{queries} queries")


@pytest.mark.parametrize(("systems", "said"), [(2, 1), (9, 1), (10, 0)])
def test_plans_of_few_systems_say_that_they_are_rough(systems, said):
    values = np.random.default_rng(5).random((systems, 60))
    found = compare(values, [f"s{i}" for i in range(systems)], ["AP"])
    assert any(pair.queries_needed is not None for pair in found.parts[0].pairs)
    notes = [note for note in found.notes if note.kind == "few-systems"]
    assert len(notes) == said
    assert all("80% assurance" in note.text for note in notes)


def test_without_a_plan_few_systems_are_no_matter():
    values = np.random.default_rng(5).random((2, 60)) + np.array([[0.0], [1.0]])
    assert not [note for note in compare(values, ["a", "b"], ["AP"]).notes if note.kind == "few-systems"]


def test_one_pair_with_a_plan_is_enough_for_the_caution():
    values = np.random.default_rng(5).random((3, 60)) + np.array([[0.0], [0.0], [1.0]])
    found = compare(values, ["a", "b", "c"], ["AP"])
    assert [pair.queries_needed is None for pair in found.parts[0].pairs] == [False, True]
    assert [note.count for note in found.notes if note.kind == "few-systems"] == [3]
