import numpy as np
import pytest

from rankgauge import simulate
from rankgauge.analysis.simulate import Strengths, simulate_scores
from rankgauge.analysis.stability.variance import VarianceComponents, mean_squares
from rankgauge.errors import UsageError


def test_simulated_scores_carry_the_variance_they_were_drawn_with():
    truth = VarianceComponents(0.01, 0.02, 0.03)
    drawn = [simulate_scores(50, 50, truth=truth, seed=seed) for seed in range(200)]
    found = [mean_squares(one.values).components() for one in drawn]
    # Four standard errors of the mean of 200 estimates, from the variance of a mean square: 2 MS² / df.
    assert np.mean([one.system for one in found]) == pytest.approx(0.01, abs=4 * 0.0022 / 200**0.5)
    assert np.mean([one.query for one in found]) == pytest.approx(0.02, abs=4 * 0.0042 / 200**0.5)
    assert np.mean([one.residual for one in found]) == pytest.approx(0.03, abs=4 * 0.0009 / 200**0.5)
    assert np.mean([one.values.mean() for one in drawn]) == pytest.approx(0.5, abs=4 * 0.025 / 200**0.5)


def test_the_same_seed_gives_the_same_scores_and_another_seed_others():
    first, again, other = simulate_scores(seed=1), simulate_scores(seed=1), simulate_scores(seed=2)
    assert np.array_equal(first.values, again.values)
    assert not np.array_equal(first.values, other.values)
    assert first.seed == 1


def test_the_same_seed_gives_the_same_collection():
    first, again = simulate(4, 5, documents=30, seed=3), simulate(4, 5, documents=30, seed=3)
    assert first.runs() == again.runs()
    assert first.judgments() == again.judgments()
    assert first.query_table() == again.query_table()
    assert simulate(4, 5, documents=30, seed=4).runs() != first.runs()


def test_a_collection_has_the_size_asked_for_and_readable_names():
    collection = simulate(3, 12, documents=40)
    assert collection.systems == ("system-01", "system-02", "system-03")
    assert collection.queries[0] == "q01"
    assert collection.documents("q01")[0] == "q01-d01"
    assert len(collection.documents("q12")) == 40
    assert collection.scores.shape == (3, 12, 40)
    assert set(collection.judgments()) == set(collection.queries)


def test_a_run_lists_its_best_documents_first():
    collection = simulate(2, 3, documents=40)
    ranking = collection.run("system-02", depth=7)["q03"]
    assert list(ranking.values()) == sorted(collection.scores[1, 2], reverse=True)[:7]
    documents = collection.documents("q03")
    assert all(collection.scores[1, 2, documents.index(name)] == score for name, score in ranking.items())
    assert collection.runs(depth=7)["system-02"]["q03"] == ranking


def test_grades_of_the_judgments_are_those_of_the_truth():
    collection = simulate(1, 6, documents=50)
    grades = collection.judgments()["q04"]
    assert list(grades.values()) == collection.grades[3].tolist()
    assert all(isinstance(grade, int) for grade in grades.values())


def test_every_query_has_a_relevant_document_and_as_many_as_expected():
    grades = simulate(1, 2000, documents=300, seed=5).grades
    relevant = (grades > 0).sum(axis=1)
    assert relevant.min() >= 1
    # 1 + a negative binomial of mean 25 and shape 1.5: variance 25 + 25²/1.5 = 442; few are cut at 300 documents.
    assert relevant.mean() == pytest.approx(26, abs=4 * (442 / 2000) ** 0.5)
    assert (grades == 2).sum() / (grades > 0).sum() == pytest.approx(0.35, abs=0.01)


def test_grades_rise_one_level_at_a_time():
    grades = simulate(1, 1000, highest_grade=4, high=0.5, seed=6).grades
    counts = np.bincount(grades[grades > 0], minlength=5)[1:] / (grades > 0).sum()
    assert counts == pytest.approx([0.5, 0.25, 0.125, 0.125], abs=0.015)
    assert simulate(1, 20, highest_grade=1).grades.max() == 1


def test_scores_stand_above_the_noise_by_the_true_strength():
    collection = simulate(8, 60, documents=300, seed=2)
    relevant = collection.grades == 1
    lift = [
        (collection.scores[:, query, relevant[query]].mean(axis=1) - collection.strength[:, query]).mean()
        for query in range(60)
        if relevant[query].sum() >= 10
    ]
    assert np.mean(lift) == pytest.approx(0, abs=0.05)
    noise = collection.scores[:, collection.grades == 0]
    assert noise.var() == pytest.approx(1, abs=0.03)
    assert np.corrcoef(noise)[0, 1] == pytest.approx(0.3, abs=0.03)


def test_the_true_order_follows_the_system_effects():
    collection = simulate(30, 5, documents=20, seed=1)
    best = collection.best_first()
    effects = dict(zip(collection.systems, collection.system_effects, strict=True))
    assert [effects[system] for system in best] == sorted(effects.values(), reverse=True)


def test_systems_without_spread_share_one_strength():
    flat = Strengths(base=1.0, system=0.0, query=0.0, interaction=0.0)
    assert np.all(simulate(3, 4, documents=10, strengths=flat).strength == 1.0)


def test_heavy_tails_keep_the_variance():
    heavy = simulate(20, 20, tail=5, seed=9)
    noise = heavy.scores[:, heavy.grades == 0]
    assert noise.var() == pytest.approx(1, abs=0.03)
    assert ((noise - noise.mean()) ** 4).mean() > 3.3


def test_queries_have_texts_and_two_columns_to_slice_by():
    collection = simulate(1, 400, documents=5, seed=8)
    columns = collection.query_table()
    assert list(columns) == ["query", "text", "segment", "language"]
    assert len(set(columns["text"])) == 400
    assert all(text == text.strip() and text for text in columns["text"])
    assert [columns["segment"].count(name) for name in ("head", "torso", "tail")] == [80, 120, 200]
    assert {"en", "de", "fr"} == set(columns["language"])


def test_head_queries_are_easier_and_language_makes_no_difference():
    collection = simulate(1, 2000, documents=2, seed=8)
    segment, language = np.array(collection.segments), np.array(collection.languages)
    effect = collection.query_effects
    assert effect[segment == "head"].mean() > effect[segment == "torso"].mean() > effect[segment == "tail"].mean()
    assert effect[language == "en"].mean() == pytest.approx(effect[language == "de"].mean(), abs=0.08)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"systems": 0}, "systems is 0; it must be a whole number of at least 1"),
        ({"documents": 0}, "documents is 0; it must be a whole number of at least 2"),
        ({"shared": 1.5}, "shared is 1.5; it must be a share from 0 to 1"),
        ({"high": -0.1}, "it must be a share from 0 to 1"),
        ({"tail": 2}, "it must be a number of degrees of freedom above 2"),
        ({"relevant": 0}, "relevant is 0; it must be a number above 0"),
    ],
)
def test_a_collection_that_cannot_be_is_refused(options, message):
    with pytest.raises(UsageError, match=message):
        simulate(**options)


def test_negative_variances_are_refused():
    with pytest.raises(UsageError, match="not negative"):
        simulate_scores(truth=VarianceComponents(0.1, -0.1, 0.1))


def test_an_unknown_system_is_named_with_its_nearest():
    with pytest.raises(UsageError, match="did you mean 'system-01'"):
        simulate(1, 1, documents=3).run("system-1")


def test_the_lift_is_what_a_better_grade_adds():
    flat, steep = (simulate(40, 60, lift=lift, seed=3) for lift in (0.0, 1.0))

    def lead(made):
        best = made.grades == 2
        return made.scores[:, best].mean() - made.scores[:, made.grades == 1].mean()

    assert abs(lead(flat)) < 0.05
    assert lead(steep) > 0.8
    with pytest.raises(UsageError, match="lift"):
        simulate(2, 2, lift=-1)
