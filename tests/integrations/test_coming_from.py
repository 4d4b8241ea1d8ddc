"""The calls in the tables of docs/coming-from.md run as they are written there: those before, and those after."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pandas as pd
import pytest

import rankgauge
from integrations.lists import ranked_lists
from rankgauge import integrations
from rankgauge.measures import parse

PAGE = Path(__file__).parents[2] / "docs" / "coming-from.md"
LISTS = ranked_lists()
JUDGED = {f"q{n}": {"d1": 1, "d2": 2, "d3": 0} for n in range(1, 7)}
RUN = {query: {"d1": 0.5, "d2": 0.1 * n, "d3": 0.3} for n, query in enumerate(JUDGED)}
# What the dots in a call leave out.
DOTS = {
    "lgb.train": "train, 2, valid_sets=[train]",
    "LGBMRanker": "X, y, group=sizes, eval_X=X, eval_y=y, eval_group=[sizes]",
    "xgb.train": "matrix, 2, evals=[(matrix, 'valid')], verbose_eval=False",
    "booster.eval": "matrix",
    "pt.Experiment": "systems, topics, qrels, metrics, names=['bm25', 'new']",
    "integrations.ir_measures": "Policy(ties='mean')",
}
# What is too large to be installed for the tests: the tables in tests/conformance have the numbers of these tools.
OPTIONAL = {
    "ranx": "ranx",
    "sentence-transformers": "sentence_transformers.evaluation",
    "torchmetrics": "torchmetrics.retrieval",
    "BEIR and MTEB": "beir.retrieval.evaluation",
    "Spark MLlib": "",
    "MLflow": "mlflow.metrics",
}


class Call(NamedTuple):
    section: str
    side: str
    code: str


def is_code(text: str) -> bool:
    """A call or a statement, and not a name, a measure or a piece of text."""
    try:
        tree = ast.parse(f"{text} pass" if text.endswith(":") else text.replace("…", "dots"))
    except SyntaxError:
        return False
    statement = tree.body[0]
    return not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Call)


def calls() -> list[Call]:
    found = []
    for part in PAGE.read_text().split("\n## From ")[1:]:
        section = part.partition("\n")[0]
        for line in re.findall(r"^\| (.*) \|$", part, re.MULTILINE):
            for side, cell in zip(("before", "after"), line.split(" | "), strict=True):
                found += [Call(section, side, code) for code in re.findall(r"`([^`]+)`", cell) if is_code(code)]
    return found


def test_every_table_of_the_page_is_read():
    sections = {call.section for call in calls() if call.side == "after"}
    tables = [part.partition("\n")[0] for part in PAGE.read_text().split("\n## From ")[1:] if "\n| before |" in part]
    assert set(tables) <= sections
    assert len(calls()) > 35


def names(section: str, folder: Path, gate) -> dict[str, object]:
    """What the calls of a section take for granted."""
    shared: dict[str, object] = {name: getattr(rankgauge, name) for name in rankgauge.__all__}
    shared |= {"integrations": integrations, "judgments": JUDGED, "run": RUN, "dict": RUN}
    shared |= {"qrels": JUDGED, "relevant_docs": {query: {"d1"} for query in JUDGED}, "results": RUN}
    makers = {
        "LightGBM and XGBoost": training,
        "scikit-learn's cross_validate": validation,
        "PyTerrier": experiment,
        "torchmetrics": vectors,
        "MLflow": lambda: tracking(folder),
        "sentence-transformers": lambda: {
            "queries": {query: f"query {query}" for query in JUDGED},
            "corpus": {document: f"document {document}" for document in JUDGED["q1"]},
            "sentence_transformers": integrations.sentence_transformers,
        },
        "a fixed threshold in pytest or a workflow": lambda: {
            "ndcg": 0.43,
            "rankgauge_gate": gate,
            "scores": rankgauge.evaluate(JUDGED, {"live": RUN, "new": RUN}, "nDCG@10"),
        },
        "Weights & Biases": lambda: {
            "wandb": SimpleNamespace(log=lambda row: [float(value) for value in row.values()]),
            "value": 0.5,
            "scores": rankgauge.evaluate(JUDGED, RUN, "nDCG@10"),
        },
    }
    return shared | makers.get(section, dict)()


def training() -> dict[str, object]:
    import lightgbm as lgb
    import xgboost as xgb

    matrix = xgb.DMatrix(LISTS.features, LISTS.grades, qid=LISTS.groups)
    return {
        "lgb": lgb,
        "LGBMRanker": lgb.LGBMRanker,
        "xgb": xgb,
        "matrix": matrix,
        "lightgbm": integrations.lightgbm,
        "xgboost": integrations.xgboost,
        "X": LISTS.features,
        "y": LISTS.grades,
        "sizes": LISTS.sizes,
        "labels": LISTS.grades,
        "predictions": LISTS.features[:, 0],
        "groups": LISTS.groups,
        "train": lgb.Dataset(LISTS.features, LISTS.grades, group=LISTS.sizes),
        "booster": xgb.train({"eval_metric": "ndcg@10"}, matrix, 1),
    }


def validation() -> dict[str, object]:
    from sklearn.linear_model import Ridge
    from sklearn.metrics import make_scorer, ndcg_score
    from sklearn.model_selection import GroupKFold, cross_validate

    return {
        "cross_validate": cross_validate,
        "make_scorer": make_scorer,
        "ndcg_score": ndcg_score,
        "GroupKFold": GroupKFold,
        "model": Ridge(),
        "queries": LISTS.groups,
        "X": LISTS.features,
        "y": LISTS.grades,
        "matrix": np.abs(LISTS.features),
    }


def experiment() -> dict[str, object]:
    import pyterrier as pt

    rows = [(query, document, grade) for query, judged in JUDGED.items() for document, grade in judged.items()]
    qrels = pd.DataFrame(rows, columns=["qid", "docno", "label"])
    systems = [qrels.assign(score=np.arange(len(qrels)) * factor % 7.0) for factor in (1, 3)]
    topics = pd.DataFrame({"qid": list(JUDGED), "query": list(JUDGED)})
    return {"pt": pt, "systems": systems, "topics": topics, "qrels": qrels, "metrics": ["recip_rank"]}


def vectors() -> dict[str, object]:
    found = {"target": LISTS.grades > 2, "preds": LISTS.features[:, 0], "queries": LISTS.groups}
    try:
        import torch
    except ImportError:
        return found
    return {name: torch.as_tensor(column) for name, column in found.items()}


def tracking(folder: Path) -> dict[str, object]:
    import mlflow

    mlflow.set_tracking_uri((folder / "mlruns").as_uri())
    return {"mlflow": mlflow, "log_scores": lambda scores: integrations.log_scores(scores, page=False), "value": 0.5}


def lacking(call: Call) -> str:
    """Why a call of another library cannot be tried here."""
    home = OPTIONAL.get(call.section) if call.side == "before" else None
    if home == "":
        return "pyspark.ml, which needs a Spark session (tests/conformance has its numbers)"
    if home is not None and importlib.util.find_spec(home.partition(".")[0]) is None:
        return f"{home.partition('.')[0]}, which is not installed"
    return ""


def tried() -> Iterator[object]:
    """Every call that can be tried, and one skip for those of all libraries that are not here."""
    without = Counter(reason for call in calls() if (reason := lacking(call)))
    for call in calls():
        if not lacking(call):
            yield pytest.param(call, id=f"{call.section}, {call.side}: {call.code}")
    if without:
        reasons = "; ".join(f"{count} of {reason}" for reason, count in without.items())
        yield pytest.param(None, id="others", marks=pytest.mark.skip(reason=f"calls not tried: {reasons}"))


@pytest.mark.parametrize("call", list(tried()))
@pytest.mark.filterwarnings("ignore")  # of the libraries
def test_calls_run_as_they_are_written(call, tmp_path, monkeypatch, rankgauge_gate):
    known = names(call.section, tmp_path, rankgauge_gate)
    if call.side == "before" and call.section in OPTIONAL:
        known |= optional(call)
    code = call.code
    for start, rest in DOTS.items():
        code = code.replace("…", rest) if start in code else code
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    import sklearn

    with sklearn.config_context(enable_metadata_routing=True), ending(known.get("mlflow")):
        exec(f"{code} pass" if code.endswith(":") else code, known)  # noqa: S102 - the project's own page


@contextmanager
def ending(mlflow):
    """MLflow's run of this test ends with it."""
    yield
    if mlflow is not None:
        mlflow.end_run()


def optional(call: Call) -> dict[str, object]:
    home = importlib.import_module(OPTIONAL[call.section])
    return {name: getattr(home, name) for name in re.findall(r"\w+(?=\()", call.code) if hasattr(home, name)}


def test_measures_in_the_tables_are_ours():
    tables = re.findall(r"^\| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    shown = [code for line in tables for code in re.findall(r"`([^`]+)`", line.split(" | ")[1]) if "@" in code]
    measures = [code.removeprefix("dev_") for code in shown if re.fullmatch(r"[\w@()=]+", code)]
    assert len(measures) > 6
    assert [str(parse(measure)) for measure in measures] == measures
