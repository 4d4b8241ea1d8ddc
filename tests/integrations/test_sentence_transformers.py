"""The evaluator with a model that only encodes, and with the real library where torch is installed."""

from __future__ import annotations

import csv
import importlib
import importlib.util

import numpy as np
import pytest

from rankgauge import compare, evaluate
from rankgauge.errors import DataError, MeasureError
from rankgauge.integrations import sentence_evaluator, sentence_transformers

RNG = np.random.default_rng(4)
CORPUS = {f"d{n}": f"document {n}" for n in range(60)}
QUERIES = {f"q{n}": f"query {n}" for n in range(30)}
JUDGED = {query: {f"d{n}": 2, f"d{(n + 7) % 60}": 1} for n, query in enumerate(QUERIES)}
PLACES = {text: RNG.normal(size=16) for text in CORPUS.values()}
PLACES |= {QUERIES[f"q{n}"]: PLACES[f"document {n}"] + RNG.normal(size=16) for n in range(30)}


class Encoder:
    """Vectors that are the noisier the less the model has learned."""

    def __init__(self, noise, seed=0):
        self.noise, self.rng = noise, np.random.default_rng(seed)

    def encode(self, texts, **_):
        return np.array([PLACES[text] + self.rng.normal(0, self.noise, 16) for text in texts])


def cosines(model, depth=100):
    asked, answers = (model.encode(list(texts.values())) for texts in (QUERIES, CORPUS))
    asked, answers = (rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (asked, answers))
    return {
        query: dict(zip(CORPUS, map(float, row), strict=True))
        for query, row in zip(QUERIES, asked @ answers.T, strict=True)
    }


def test_means_and_intervals_are_those_of_evaluate():
    found = sentence_transformers(QUERIES, CORPUS, JUDGED, "nDCG@10 RR")(Encoder(0.5))
    scores = evaluate(JUDGED, cosines(Encoder(0.5)), "nDCG@10 RR")
    for name, mean in scores.mean()["run"].items():
        assert found[name] == mean
        interval = scores.intervals()["run"][name]
        assert (found[f"{name}_low"], found[f"{name}_high"]) == (interval.low, interval.high)
    assert "nDCG@10_change" not in found


def test_the_second_checkpoint_is_compared_with_the_first(tmp_path):
    evaluator = sentence_transformers(QUERIES, CORPUS, JUDGED, name="dev")
    assert evaluator.primary_metric == "dev_nDCG@10"
    evaluator(Encoder(3.0), str(tmp_path / "eval"), epoch=0, steps=100)
    found = evaluator(Encoder(0.2), str(tmp_path / "eval"), epoch=0, steps=200)
    runs = {"checkpoint 1": cosines(Encoder(3.0)), "checkpoint 2": cosines(Encoder(0.2))}
    expected = compare(JUDGED, runs, "nDCG@10")
    assert evaluator.comparison.summary == expected.summary
    assert "checkpoint 2 is better than checkpoint 1" in evaluator.comparison.summary
    pair = expected["nDCG@10"].pairs[0]
    assert (found["dev_nDCG@10_change"], found["dev_nDCG@10_change_p"]) == (pair.difference, pair.p_adjusted)
    with (tmp_path / "eval" / "rankgauge_dev_evaluation.csv").open() as file:
        first, second = csv.DictReader(file)
    assert (first["steps"], first["change"], second["steps"]) == ("100", "", "200")
    assert float(second["mean"]) == found["dev_nDCG@10"]
    same = evaluator(Encoder(0.2))
    assert (same["dev_nDCG@10_change"], same["dev_nDCG@10_change_p"]) == (0.0, 1.0)


def test_documents_tied_with_the_last_one_stay():
    class Constant:
        def encode(self, texts, **_):
            return np.ones((len(texts), 3))

    evaluator = sentence_transformers(QUERIES, CORPUS, JUDGED, "NumRet", depth=5)
    assert evaluator(Constant())["NumRet"] == len(QUERIES) * len(CORPUS)
    shallow = sentence_transformers(QUERIES, CORPUS, JUDGED, "NumRet", depth=5)
    assert shallow(Encoder(0.5))["NumRet"] == len(QUERIES) * 5


def test_a_model_s_own_similarity_and_prompts_are_used():
    class Prompted(Encoder):
        def encode_query(self, texts, **_):
            return -self.encode(texts)

        def encode_document(self, texts, **_):
            return self.encode(texts)

        def similarity(self, asked, answers):
            return -(asked @ answers.T)

    plain = evaluate(JUDGED, _dots(Encoder(0.5)), "nDCG@10").mean()["run"]["nDCG@10"]
    found = sentence_transformers(QUERIES, CORPUS, JUDGED)(Prompted(0.5))["nDCG@10"]
    assert found == pytest.approx(plain, abs=1e-12)


def _dots(model):
    asked, answers = (model.encode(list(texts.values())) for texts in (QUERIES, CORPUS))
    return {
        query: dict(zip(CORPUS, map(float, row), strict=True))
        for query, row in zip(QUERIES, asked @ answers.T, strict=True)
    }


def test_wrong_use_is_reported_by_the_names_of_the_arguments():
    with pytest.raises(DataError, match="queries has no text for 1 judged query"):
        sentence_transformers(QUERIES, CORPUS, JUDGED | {"new": {"d1": 1}})
    with pytest.raises(MeasureError, match="nDCH"):
        sentence_transformers(QUERIES, CORPUS, JUDGED, "nDCH")

    class Broken(Encoder):
        def encode(self, texts, **_):
            return np.where(np.arange(len(texts))[:, None] == 3, np.nan, super().encode(texts))

    with pytest.raises(DataError, match=r"encode returned vectors with nan or infinite numbers for 1 of 30 texts"):
        sentence_transformers(QUERIES, CORPUS, JUDGED)(Broken(0.5))

    class Short(Encoder):
        def encode(self, texts, **_):
            return super().encode(texts)[1:]

    with pytest.raises(DataError, match=r"encode returned shape \(29, 16\) for 30 texts"):
        sentence_transformers(QUERIES, CORPUS, JUDGED)(Short(0.5))


@pytest.fixture(scope="module")
def library():
    """Not `missing`, which fails in CI: torch is large, so this part has a job of its own (make sentence-transformers)."""
    if importlib.util.find_spec("sentence_transformers") is None:
        pytest.skip("sentence-transformers is not installed; `make sentence-transformers` runs this")
    import sentence_transformers as library

    return library


@pytest.mark.filterwarnings("default")  # of torch and its company
def test_the_real_library_takes_the_evaluator(library, tmp_path):
    """With a real model that is made on the spot: bags of words."""
    modules = importlib.import_module(library.SentenceTransformer.__module__.rpartition(".")[0] + ".modules")
    words = sorted({word for text in (*CORPUS.values(), *QUERIES.values()) for word in text.split()})
    model = library.SentenceTransformer(modules=[modules.BoW(vocab=words)])
    evaluator = sentence_transformers(QUERIES, CORPUS, JUDGED, "nDCG@10 RR", name="dev", depth=60)
    home, name = sentence_evaluator._BASES[0]
    assert isinstance(evaluator, getattr(importlib.import_module(home), name))
    assert evaluator.greater_is_better
    assert evaluator.description
    found = evaluator(model, str(tmp_path), epoch=1, steps=10)
    asked, answers = model.encode_query(list(QUERIES.values())), model.encode_document(list(CORPUS.values()))
    near = np.asarray(model.similarity(asked, answers), np.float64)
    run = {query: dict(zip(CORPUS, row.tolist(), strict=True)) for query, row in zip(QUERIES, near, strict=True)}
    assert found["dev_nDCG@10"] == evaluate(JUDGED, run, "nDCG@10").mean()["run"]["nDCG@10"] > 0.3
    assert found[evaluator.primary_metric] == found["dev_nDCG@10"]
    again = evaluator(model, str(tmp_path), epoch=2, steps=20)
    assert again["dev_nDCG@10_change"] == 0
