import json

import numpy as np
import pytest

import rankgauge
from cubes import compare_cube as compare
from cubes import scores_of
from rankgauge import Queries
from rankgauge.errors import AnalysisError, RankgaugeError


def compare_slices(values, systems, measures, *, column, labels, **options):
    queries = [f"q{at}" for at in range(len(labels))]
    about = Queries({"id": queries, column: labels})
    return rankgauge.compare(scores_of(values, systems, measures, queries), by=column, queries=about, **options)


def sliced(sizes, shifts, **options):
    """Systems base and new; new differs by its shift in each slice."""
    random = np.random.default_rng(1)
    labels = [label for label, size in sizes.items() for _ in range(size)]
    base = 0.5 + 0.1 * random.normal(size=len(labels))
    shift = np.array([shifts.get(label, 0.0) for label in labels])
    values = np.array([base, base + shift + 0.05 * random.normal(size=len(labels))])[:, :, np.newaxis]
    return values, compare_slices(values, ["base", "new"], ["nDCG@10"], column="language", labels=labels, **options)


def test_each_slice_is_compared_on_its_own_queries():
    values, found = sliced({"en": 60, "de": 40}, {"en": 0.1, "de": -0.1}, correction="none", test="t")
    assert [(part.value, part.query_count) for part in found.slices] == [("en", 60), ("de", 40)]
    alone = compare(values[:, :60], ["base", "new"], ["nDCG@10"], correction="none", test="t")
    assert found.slices[0].comparison["nDCG@10"].to_dict() == alone["nDCG@10"].to_dict()
    verdicts = {part.value: part.comparison["nDCG@10"].pairs[0].verdict for part in found.slices}
    assert verdicts == {"en": "better", "de": "worse"}


def test_the_correction_runs_over_the_slices():
    _, found = sliced({"en": 30, "de": 30, "fr": 30}, {"de": 0.01}, test="t")
    pairs = [part.comparison["nDCG@10"].pairs[0] for part in found.slices]
    smallest = min(pairs, key=lambda pair: pair.p)
    assert smallest.p_adjusted == pytest.approx(min(1.0, 3 * smallest.p))


def test_tukeys_test_is_corrected_for_the_number_of_slices():
    _, found = sliced({"en": 30, "de": 30}, {"en": 0.02}, test="tukey")
    for part in found.slices:
        pair = part.comparison["nDCG@10"].pairs[0]
        assert pair.p_adjusted == pytest.approx(min(1.0, 2 * pair.p))


def test_many_slices_of_nothing_rarely_show_a_difference():
    alarms = 0
    for seed in range(20):
        values = np.random.default_rng(seed).normal(size=(2, 200, 1))
        labels = [f"s{i % 10}" for i in range(200)]
        found = compare_slices(values, ["x", "y"], ["AP"], column="kind", labels=labels, test="t")
        alarms += any(part.comparison["AP"].pairs[0].verdict != "undecided" for part in found.slices)
    assert alarms <= 4  # 5 % of 20 is 1; without correction 8 would be expected


def test_slices_too_small_and_queries_without_a_value_are_counted():
    labels = ["en", "en", "de", None, "en"]
    values = np.random.default_rng(1).normal(size=(2, 5, 1))
    found = compare_slices(values, ["x", "y"], ["AP"], column="language", labels=labels, test="t")
    assert [(part.value, part.query_count) for part in found.slices] == [("en", 3)]
    assert [(part.value, part.query_count) for part in found.too_small] == [("de", 1)]
    assert found.unlabeled == 1


def test_the_summary_says_where():
    _, found = sliced({"en": 80, "de": 60, "fr": 60}, {"en": 0.1, "de": -0.1})
    assert (
        found.summary
        == "By language (3 slices), on nDCG@10: new is better than base for en; new is worse than base for de."
    )
    _, quiet = sliced({"en": 20, "de": 20}, {})
    assert quiet.summary == "By language (2 slices), on nDCG@10: no slice shows a difference."
    _, same = sliced({"en": 400}, {}, equivalence=0.05)
    assert same.summary == "By language (1 slice), on nDCG@10: new is equivalent to base for en."


def test_the_json_of_slices():
    _, found = sliced({"en": 20, "de": 1}, {}, test="t")
    result = found.to_dict()
    assert result["by"] == "language"
    assert result["slices"]["en"]["queries"] == 20
    assert "measures" in result["slices"]["en"]
    assert result["too_small"] == {"de": 1}
    json.dumps(result, allow_nan=False)


def test_labels_may_be_a_mapping_and_queries_a_file(tmp_path):
    values = np.random.default_rng(1).normal(size=(2, 6, 1))
    labels = {f"query{at + 1}": "en" if at < 4 else "de" for at in range(6)}
    found = rankgauge.compare(scores_of(values), by=labels, test="t")
    assert [(part.value, part.query_count) for part in found.slices] == [("en", 4), ("de", 2)]
    path = tmp_path / "queries.csv"
    path.write_text("id,language\n" + "".join(f"{query},{label}\n" for query, label in labels.items()))
    same = rankgauge.compare(scores_of(values), by="language", queries=path, test="t")
    assert [part.comparison.to_dict() for part in same.slices] == [part.comparison.to_dict() for part in found.slices]
    assert same.overall.to_dict() == rankgauge.compare(scores_of(values), test="t").to_dict()


@pytest.mark.parametrize(
    ("by", "queries", "message"),
    [
        ("language", None, "needs the queries that have this column"),
        (7, None, "not int"),
        ({"other": "en"}, None, "none of the 6 queries has a value of label"),
        ("language", 7, " int"),
    ],
)
def test_labels_that_do_not_fit_are_refused(by, queries, message):
    with pytest.raises(RankgaugeError, match=message):
        rankgauge.compare(scores_of(np.random.default_rng(1).normal(size=(2, 6))), by=by, queries=queries)


def test_slices_of_single_queries_cannot_be_compared():
    with pytest.raises(AnalysisError, match="no value of kind has two queries"):
        compare_slices(np.zeros((2, 3, 1)), ["x", "y"], ["AP"], column="kind", labels=["1", "2", "3"])


def test_the_rows_that_begin_a_block_are_marked_in_every_slice():
    values = np.random.default_rng(1).random((3, 40, 2))
    found = compare_slices(values, ["a", "b", "c"], ["AP", "RR"], column="language", labels=["en", "de"] * 20)
    each = found.slices[0].comparison.table()
    first, second = sorted(each.marked)
    assert first == 0 < second
    assert sorted(found.table().marked) == [0, second, len(each.rows), len(each.rows) + second]


def test_a_single_slice_has_a_table_too():
    _, found = sliced({"en": 20}, {"en": 0.1})
    assert {row[0] for row in found.table().rows} == {"en"}
