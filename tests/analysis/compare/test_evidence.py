"""What the scores of one measure say about every pair, from tables small enough to work out by hand."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.compare.evidences import design_of
from cubes import scores_of
from rankgauge import Scores, compare
from rankgauge.analysis.compare import evidence
from rankgauge.analysis.compare.evidence import JudgeScores, _notes, _paired_p, beside, examine, shared
from rankgauge.analysis.compare.options import Draws
from rankgauge.analysis.compare.simultaneous import hold_together
from rankgauge.analysis.compare.statistics.judged import combine
from rankgauge.analysis.compare.statistics.shares import sampled
from rankgauge.errors import AnalysisError
from rankgauge.tables.notes import Note

NAN = float("nan")
RANDOM = np.random.default_rng(12)
TABLE = RANDOM.uniform(size=(4, 12)).round(3)


def examined(values, *, draws=None, tables=1, weights=None, progress=None, judge=None, **options):
    values = np.asarray(values, dtype=np.float64)
    design = design_of(len(values) - 1, **options)
    return examine(values, "M", design, tables=tables, draws=draws, weights=weights, progress=progress, judge=judge)


def test_wins_and_losses_are_counted_and_ties_and_gaps_are_neither():
    found = examined([[0.5, 0.5, 0.5, 0.5, 0.5, NAN], [0.6, 0.9, 0.5, 0.4, NAN, 0.9]])
    assert (found.wins.tolist(), found.losses.tolist(), found.sample.queries.tolist()) == ([2], [1], [4])
    assert found.queries == 6
    assert found.freedom.tolist() == [3]
    assert found.sample.mean[0] == pytest.approx(0.1)


def test_weights_move_the_mean_and_leave_wins_and_losses():
    values = [[0.0, 0.0, 0.0], [0.4, -0.2, 0.0]]
    plain, weighted = examined(values), examined(values, weights=np.array([1.0, 2.0, 1.0]))
    assert plain.sample.mean[0] == pytest.approx(0.2 / 3)
    assert weighted.sample.mean[0] == pytest.approx(0.0, abs=1e-12)
    assert (weighted.wins[0], weighted.losses[0]) == (plain.wins[0], plain.losses[0]) == (1, 1)


@pytest.mark.parametrize("tables", [1, 3])
def test_tukeys_limit_noise_and_effects_are_those_of_all_systems(tables):
    found = examined(TABLE, test="tukey", correction="holm", tables=tables)
    residuals = TABLE - TABLE.mean(axis=1, keepdims=True) - TABLE.mean(axis=0) + TABLE.mean()
    square = (residuals**2).sum() / (3 * 11)
    limit = stats.studentized_range.ppf(1 - 0.05 / tables, 4, 33) / np.sqrt(2)
    assert found.critical == pytest.approx(limit, rel=1e-6)
    assert found.noise == pytest.approx([np.sqrt(2 * square)] * 3)
    assert found.effect == pytest.approx((TABLE[1:].mean(axis=1) - TABLE[0].mean()) / np.sqrt(square))
    assert found.family is found.p
    assert found.refine is None


def test_tests_of_pairs_have_the_noise_of_each_pair():
    found = examined(TABLE)
    differences = TABLE[1:] - TABLE[0]
    assert found.noise == pytest.approx(differences.std(axis=1, ddof=1))
    assert found.p.p == pytest.approx(stats.ttest_rel(TABLE[1:], TABLE[0], axis=1).pvalue)
    assert found.p.low.tolist() == found.p.high.tolist() == found.p.p.tolist()
    assert np.isnan(found.critical)
    assert found.family is None


def test_wilcoxons_test_takes_p_and_direction_from_the_ranks():
    values = [[0.0] * 6, [-0.1, -0.1, -0.1, -0.1, -0.1, 0.9]]
    assert examined(values).direction.tolist() == [1]
    found = examined(values, test="wilcoxon")
    assert found.direction.tolist() == [-1]
    assert found.p.p[0] == pytest.approx(stats.wilcoxon(values[1], method="exact").pvalue, abs=0.1)
    assert found.p.p[0] != examined(values).p.p[0]


def test_equivalence_and_probabilities_only_where_they_are_asked_for():
    plain = examined(TABLE)
    assert np.isnan(plain.p_equivalence).all()
    assert plain.bayes is plain.judged is None
    asked = examined(TABLE, equivalence=0.25, bayes=True)
    difference = TABLE[1] - TABLE[0]
    t = (0.25 - abs(difference.mean())) / (difference.std(ddof=1) / np.sqrt(12))
    assert asked.p_equivalence[0] == pytest.approx(stats.t.sf(t, 11))
    assert {one.margin for one in asked.bayes} == {0.25}
    assert {one.margin for one in examined(TABLE, bayes=True).bayes} == {0.0}


def judge_scores():
    human, judge = RANDOM.normal(0.1, 0.2, 9), RANDOM.normal(0.1, 0.2, 30)
    judge[:9] += 0.7 * human
    return human, judge


def test_a_judge_changes_the_difference_its_error_and_its_freedom():
    human, judge = judge_scores()
    values = np.stack([np.zeros(9), human])
    scores = JudgeScores(np.stack([np.zeros(9), judge[:9]]), np.stack([np.zeros(30), judge]), 0)
    found = examined(values, judge=scores, equivalence=0.5)
    both = combine(human, judge[:9], judge)
    assert found.sample.mean[0] == both.difference
    assert found.p.p[0] == both.p
    assert found.freedom.tolist() == [7]
    assert (found.interval.low[0], found.interval.high[0]) == pytest.approx(
        (both.difference - both.margin(0.95), both.difference + both.margin(0.95))
    )
    spread = human.std(ddof=1)
    effect = both.difference / spread
    assert found.effect[0] == pytest.approx(effect)
    assert found.effect_error[0] == pytest.approx(np.sqrt((both.error / spread) ** 2 + effect**2 / 16))
    assert found.p_equivalence[0] == both.p_equivalence(0.5)
    assert np.isnan(examined(values, judge=scores).p_equivalence[0])


class Fake:
    """A test whose p-values are known beforehand; remembers what was asked."""

    def __init__(self, *p_values):
        self.p_values, self.asked = list(p_values), []

    def __call__(self, differences, *, samples, seed, progress):
        self.asked.append((len(differences), samples, seed))
        if progress is not None:
            progress(samples, samples)
        return np.array(self.p_values.pop(0))


def paired(monkeypatch, fake, draws, pairs=3, progress=None, test="bootstrap", differences=None):
    monkeypatch.setattr(evidence, "bootstrap_test" if test == "bootstrap" else "sign_flip_test", fake)
    design = design_of(pairs, test=test, correction="holm")
    return _paired_p(np.ones((pairs, 30)) if differences is None else differences, design, 1, draws, progress)


@pytest.mark.parametrize(
    ("first", "p_values"),
    [(99, (0.1, 0.105, 0.5)), (999, (0.066, 0.067, 0.9))],  # the limits are 10/100, and 4 · 0.05/3
)
def test_pairs_near_the_limit_are_sampled_again_and_afresh(monkeypatch, first, p_values):
    fake = Fake(p_values, (0.06,))
    found = paired(monkeypatch, fake, Draws(first, 5_000))
    (_, _, seed), (again, samples, fresh) = fake.asked
    assert (again, samples) == (1, 5_000)
    assert seed == 7
    assert fresh not in {7, 9}  # 9 is for what is made sharper later
    assert found.p.tolist() == [0.06, *p_values[1:]]
    coarse, fine = sampled(np.array(p_values), first), sampled(np.array([0.06]), 5_000)
    assert found.high.tolist() == [fine.high[0], *coarse.high[1:]]
    assert found.low.tolist() == [fine.low[0], *coarse.low[1:]]


@pytest.mark.parametrize(
    ("draws", "p_values"), [(Draws(100, 100), (0.01, 0.02, 0.5)), (Draws(100, 900), (0.3, 0.4, 0.5))]
)
def test_nothing_is_sampled_again_without_need(monkeypatch, draws, p_values):
    fake = Fake(p_values)
    assert paired(monkeypatch, fake, draws).p.tolist() == list(p_values)
    assert len(fake.asked) == 1


@pytest.mark.parametrize(
    ("p_value", "calls"),
    [(0.01, [(100, 1_000), (1_000, 1_000), (1_000, 1_000)]), (0.9, [(100, 1_000), (1_000, 1_000)])],
)
def test_progress_counts_both_samples_and_ends(monkeypatch, p_value, calls):
    seen = []
    paired(monkeypatch, Fake((p_value,), (p_value,)), Draws(100, 900), 1, lambda *now: seen.append(now))
    assert seen == calls


def test_few_differences_have_all_their_flips_and_an_exact_p(monkeypatch):
    rows = np.zeros((2, 30))
    rows[0, :24], rows[1, :25] = 1.0, 1.0
    found = paired(monkeypatch, Fake((0.5, 0.5)), Draws(100, 100), 2, test="sign-flip", differences=rows)
    assert found.low[0] == found.high[0] == 0.5
    assert found.low[1] < 0.5 < found.high[1]
    sampled_all = paired(monkeypatch, Fake((0.5, 0.5)), Draws(100, 100), 2, differences=rows)
    assert sampled_all.low[0] < 0.5 < sampled_all.high[0]


def test_only_what_was_not_sampled_on_request_can_be_made_sharper(monkeypatch):
    assert examined(TABLE, test="t").refine is None
    assert examined(TABLE, test="bootstrap", samples=50, draws=Draws(50, 50)).refine is None
    flips = examined(TABLE, test="sign-flip").refine(np.array([1]))
    assert flips.p[0] == pytest.approx(
        stats.permutation_test((TABLE[2] - TABLE[0],), np.mean, permutation_type="samples", n_resamples=np.inf).pvalue,
        rel=1e-9,
    )
    found = examined(TABLE, test="bootstrap", draws=Draws(50, 50))
    fake = Fake((0.04,))
    monkeypatch.setattr(evidence, "bootstrap_test", lambda rows, **options: fake(rows, progress=None, **options))
    assert found.refine(np.array([2])).p.tolist() == [0.04]
    ((rows, samples, seed),) = fake.asked
    assert (rows, samples) == (1, 1_000_000)
    assert seed not in {7, 8}


def test_randomised_tukey_has_sampled_p_values():
    exact, drawn = (
        examined(TABLE, test=test, draws=draws)
        for test, draws in (("tukey", None), ("randomised-tukey", Draws(99, 99)))
    )
    assert exact.p.low.tolist() == exact.p.high.tolist()
    assert (drawn.p.low < drawn.p.high).all()
    assert (np.rint(drawn.p.p * 100) / 100).tolist() == pytest.approx(drawn.p.p.tolist())


def test_progress_goes_through_the_interval_the_test_and_the_means():
    shares = []
    examined(
        TABLE,
        test="bootstrap",
        interval="bootstrap",
        draws=Draws(50, 50),
        progress=lambda done, total: shares.append(done / total),
    )
    assert shares == sorted(shares)
    assert {round(1 / 3, 6), round(2 / 3, 6), 1.0} <= {round(share, 6) for share in shares}
    assert shares[-1] == 1


def test_progress_of_the_only_stage_is_its_own():
    seen = []
    examined(TABLE, test="sign-flip", progress=lambda *now: seen.append(now))
    assert seen == [(1, 1)]


def test_progress_of_one_of_several_parts():
    seen = []
    part = shared(lambda *now: seen.append(now), 1, 4)
    part(1, 3)
    part(3, 3)
    assert seen == [(13_333, 40_000), (20_000, 40_000)]
    assert shared(None, 1, 4) is None
    assert shared(print, 0, 1) is print


def kinds(values, **options):
    return [note.kind for note in _notes(np.asarray(values), "M", design_of(1, **options))]


def test_notes_on_gaps_and_on_the_normal_limit():
    gaps = np.ones((2, 200))
    gaps[0, :3] = gaps[1, 2:5] = NAN
    notes = _notes(gaps, "M", design_of(1))
    assert [(note.kind, note.count) for note in notes] == [("missing-scores", 5)]
    assert "5 of 200 queries lack a score for some system; each pair uses" in notes[0].text
    assert "the test leaves them out" in _notes(gaps, "M", design_of(1, test="tukey"))[0].text
    assert kinds(np.ones((2, 200))) == []
    assert "few-queries" in kinds(np.ones((2, 8)))
    many = np.ones((2, 20_000))
    assert kinds(many, test="sign-flip") == ["normal-limit"]
    assert kinds(many[:, 1:], test="sign-flip") == kinds(many) == kinds(many, test="sign-flip", samples=100) == []


def constant_scores(queries, value=0.5):
    return Scores.from_matrix(np.full((2, len(queries)), value), ["old", "new"], queries, rows="systems")


def test_human_queries_that_the_judge_lacks_are_left_out():
    human, judge = constant_scores(["a", "b", "c"]), constant_scores(["z", "b", "a", "y"])
    kept, (found,) = beside(human, judge)
    assert list(kept.queries) == ["a", "b"]
    assert (found.left_out, found.on_human.shape, found.everywhere.shape) == (1, (2, 2), (2, 4))
    same, (found,) = beside(constant_scores(["b"]), judge)
    assert (list(same.queries), found.left_out) == (["b"], 0)
    with pytest.raises(AnalysisError, match="none of the human queries"):
        beside(constant_scores(["q"]), judge)
    with pytest.raises(AnalysisError, match="leave the judge out"):
        beside(judge, judge)


def test_unjudged_documents_of_people_are_noted_with_the_worst_run():
    notes = tuple(
        Note(kind, "…", count) for kind, count in (("unjudged-documents", 3), ("other", 99), ("unjudged-documents", 8))
    )
    kept, _ = beside(evidence.replace(constant_scores(["a", "b"]), notes=notes), constant_scores(["a", "b", "c"]))
    assert (kept.notes[0].kind, kept.notes[0].count) == ("human-holes", 8)
    assert "in 2 runs (up to 8 each)" in kept.notes[0].text
    assert kept.notes[1:] == notes
    plain, _ = beside(constant_scores(["a"]), constant_scores(["a", "c"]))
    assert "human-holes" not in [note.kind for note in plain.notes]


def test_max_t_takes_all_measures_of_a_slice_together():
    values = np.random.default_rng(3).uniform(size=(4, 2, 40))
    values[:, 1] += np.array([0.1, 0.2, 0.05, 0.3])[:, None]
    measures = ("M", "N")
    design = design_of(1, measures=measures, correction="max-t", samples=400)
    plain = [examine(one, measures[at % 2], design, tables=4, draws=None) for at, one in enumerate(values)]
    found = hold_together(plain, design)
    alone = [hold_together(plain[at : at + 2], design) for at in (0, 2)]
    assert [one.measure for one in found] == ["M", "N", "M", "N"]
    assert found[0].critical == found[1].critical > alone[0][0].critical  # two slices share α
    apart = [one.family.p[0] for part in alone for one in part]
    assert [one.family.p[0] for one in found] == pytest.approx(apart, abs=0.02)
    within = hold_together(plain, design_of(1, measures=measures, correction="max-t", correction_within="measure"))
    assert len(within) == 4
    assert within[0].critical != within[1].critical
    first = examine(values[0], "M", design, tables=4, draws=None, weights=np.arange(1.0, 41.0))
    weighted = hold_together([first, plain[1]], design)
    assert weighted[0].family.p[0] != alone[0][0].family.p[0]
    assert weighted[1].family.p.shape == (1,)
    assert plain[0].differences is not None
    assert {one.differences for one in found} == {None}  # what many pairs need is not kept


@pytest.mark.parametrize("test", ["sign-flip", "t", "wilcoxon"])
@pytest.mark.filterwarnings("error")
def test_equal_differences_on_a_few_queries_have_an_endless_effect_without_a_warning(test):
    gaps = [np.nan] * 3
    pair = compare(scores_of([[*gaps, 0.0, 0.0, 0.0], [*gaps, 0.1, 0.1, 0.1]]), test=test, equivalence=0.05)[
        "score"
    ].pairs[0]
    assert pair.effect_size == np.inf
