"""The command line and Python are one product: every option of every command has a Python call that does the same.

The cases are held against the options that click knows, so that a new option without a case fails; an option whose case
changes nothing fails, too, unless the case says why.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import click
import pytest
from click.testing import CliRunner

import rankgauge
from rankgauge import Policy
from rankgauge.cli.main import COMMANDS, cli
from rankgauge.tables import plain
from rankgauge.tables.table import to_csv, to_latex, to_markdown, to_text
from spark.conftest import session

JUDGED = "judgments.csv"
RUNS = ["system-01.trec", "system-02.trec", "system-03.trec", "system-04.trec"]
POINTS = [f"points/{name.removesuffix('.trec')}.csv" for name in RUNS]
BARE = ["column-1.txt", "column-2.txt", "column-3.txt"]
DATA = (JUDGED, *RUNS)
SAME = "the same result by another way"
FILES = ("report", "explore", "simulate", "example")
FORMS = ("table", "json", "csv", "md", "latex")


@dataclass(frozen=True)
class Case:
    """Words that are added to those of the command, and what Python is given for them."""

    words: tuple[str, ...]
    given: Callable[[], dict[str, Any]] = dict
    base: tuple[str, ...] | None = None
    """Other words than the command's usual ones, to add to."""
    same: str = ""
    """Why the option leaves the result as it is."""
    written: Callable[[], Any] | None = None
    """What the command writes beside its output, as Python does; compared as bytes with what is at `path`."""
    path: str = ""


@dataclass(frozen=True)
class Command:
    """How a command is called, the Python function, and a case for each of its options."""

    words: tuple[str, ...]
    call: Callable[..., Any]
    options: dict[str, Case]
    data: Callable[..., Any] = field(default=lambda result, _given: result.to_dict())
    wide: str = "wide_table"


def policies(*left_out: str, **others: Case) -> dict[str, Case]:
    found = {
        "ties": Case(("--ties", "worst"), lambda: {"policy": Policy(ties="worst")}),
        "unjudged": Case(("--unjudged", "drop"), lambda: {"policy": Policy(unjudged="drop")}),
        "missing": Case(("--missing", "drop"), lambda: {"policy": Policy(missing="drop")}),
        "undefined": Case(("--undefined", "drop"), lambda: {"policy": Policy(undefined="drop")}),
        "depth": Case(("--depth", "3"), lambda: {"policy": Policy(depth=3)}),
        "rel": Case(("--rel", "2", "-m", "AP P@5"), lambda: {"policy": Policy(rel=2), "measures": "AP P@5"}),
        "like": Case(("--like", "gdeval"), lambda: {"like": "gdeval"}),
        "further": Case(("--policy", "pool=returned"), lambda: {"policy": Policy(pool="returned")}),
    }
    return {name: case for name, case in {**found, **others}.items() if name not in left_out}


FLOOR = Case(("--policy", "floor=zero"), lambda: {"policy": Policy(floor="zero")})
"""A decision that what tries many gains follows too."""
DROP = Case(("--policy", "unjudged=drop"), lambda: {"policy": Policy(unjudged="drop")})


def inputs(**others: Case) -> dict[str, Case]:
    found = {
        "measures": Case(("-m", "AP", "-m", "RR nDCG@3"), lambda: {"measures": ["AP", "RR nDCG@3"]}),
        "only": Case(("--only", "q01,q02,q03,q05,q06"), lambda: {"only": ["q01", "q02", "q03", "q05", "q06"]}),
        "duplicates": Case(
            ("--duplicates", "best"),
            lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
            (JUDGED, "twice.trec", *RUNS[1:]),
        ),
        "columns": columns(),
    }
    return found | others


def sizes(*words: str) -> dict[str, Case]:
    """The judged values alone, and predictions row by row."""

    def given(name: str) -> Callable[[], dict[str, Any]]:
        return lambda: {name: rankgauge.read_judgments("labels.csv", group_sizes="sizes.csv"), "runs": BARE}

    key = "judgments" if words == ("evaluate",) else "scores"
    return {"group_sizes": Case(("--group-sizes", "sizes.csv"), given(key), ("labels.csv", *BARE))}


def about_files(judged: str) -> dict[str, Case]:
    return {
        "complete": Case(("--complete",), lambda: {judged: rankgauge.read_judgments(JUDGED, complete=True)}),
        "names": Case(
            ("--names", "tag"), lambda: {"runs": [rankgauge.read_run(name, names="tag") for name in RUNS]}, same=SAME
        ),
    }


def named(path: str) -> rankgauge.Judgments:
    return rankgauge.read_judgments(path, query="who")


def columns(*words: str) -> Case:
    def given() -> dict[str, Any]:
        return {"runs": [rankgauge.read_run(name, score="points", query="who") for name in POINTS]}

    named = ("--columns", "score=points", "--columns", "query=who")
    return Case(named, given, ("who.csv", *POINTS, *words), same=SAME)


def sources(measures: str | None = None) -> dict[str, Case]:
    """Cases of the commands that also take --scores."""

    def matrix(**options: Any) -> dict[str, Any]:
        return {"scores": rankgauge.read_scores("matrix.csv", measures, **options), "runs": None, "measures": None}

    found = ("--scores", "matrix.csv")
    return {
        "scores": Case(("--scores", "saved.parquet"), lambda: {"scores": "saved.parquet", "runs": None}, ()),
        "ids": Case((*found, "--ids", "first"), lambda: matrix(ids=True), ()),
        "header": Case((*found, "--header"), lambda: matrix(header=True), ()),
        "rows": Case((*found, "--rows", "systems"), lambda: matrix(rows="systems"), ()),
    }


def drawn(chart: str, result: Callable[..., Any], *words: str, path: str = "chart.json", **given: Any) -> Case:
    def save() -> bytes:
        rankgauge.plot.save(getattr(rankgauge.plot, chart)(result(**given)), f"python-{path}")
        return Path(f"python-{path}").read_bytes()

    return Case(("--plot", path, *words), dict, same="a chart is drawn beside", written=save, path=path)


def best_of(names: list[str]) -> list[rankgauge.Run]:
    return [rankgauge.read_run(name, duplicates="best") for name in names]


def evaluated(**given: Any) -> Any:
    by = given.pop("by", None)
    given = {name: value for name, value in given.items() if name not in {"interval", "confidence", "seed", "each"}}
    scores = rankgauge.evaluate(**{"judgments": JUDGED, "runs": RUNS, "measures": "nDCG@10"} | given)
    return scores if by is None else scores.by(*by)


def evaluated_data(result: Any, given: dict[str, Any]) -> Any:
    if given.get("per_query") is False or "by" in given:
        return result.to_dict()
    level, method = given.get("confidence", 0.95), given.get("interval", "t")
    intervals = result.intervals(confidence=level, method=method, seed=given.get("seed", 7))
    sides = {
        side: {
            system: {measure: getattr(one, side) for measure, one in row.items()} for system, row in intervals.items()
        }
        for side in ("low", "high")
    }
    return {**result.to_dict(per_query=given.get("each", False)), **sides, "confidence": level, "interval": method}


def analysed(function: str, **usual: Any) -> Callable[..., Any]:
    def call(**given: Any) -> Any:
        return getattr(rankgauge, function)(**{"scores": JUDGED, "runs": RUNS} | usual | given)

    return call


def compared(**given: Any) -> Any:
    given = {
        name: value for name, value in given.items() if name not in {"rules", "ledger", "differences", "texts", "code"}
    }
    return analysed("compare")(**given)


def compared_data(result: Any, given: dict[str, Any]) -> Any:
    whole = result.overall if "by" in given else result
    data = whole.to_dict()
    if "by" in given:
        data["by"] = result.to_dict()
    if "rules" in given:
        data["gate"] = whole.gate(*given["rules"], ledger=given.get("ledger")).to_dict()
    if "code" in given:  # the command's own: Python says that a rule is undecided, and ends nothing
        for judged in (data["gate"], *data["gate"]["rules"]):
            judged["exit_code"] = given["code"] if judged["outcome"] == "undecided" else judged["exit_code"]
    if "differences" in given:
        texts = rankgauge.read_queries(given["texts"]) if "texts" in given else None
        data["per_query"] = [one.to_dict() for one in whole.differences()]
        for row in (row for pair in data["per_query"] for row in pair["queries"] if texts):
            row["text"] = texts.text(row["query"])
    return data


def judged_by(**given: Any) -> Any:
    return rankgauge.judges(**{"reference": JUDGED, "judge": ["other.csv"], "runs": RUNS} | given)


def holed(**given: Any) -> Any:
    given = {name: value for name, value in given.items() if name != "count"}
    return rankgauge.holes(**{"judgments": JUDGED, "runs": RUNS} | given)


def holed_data(result: Any, given: dict[str, Any]) -> Any:
    listed = {"next": [one.to_dict() for one in result.next(given["count"])]} if "count" in given else {}
    return result.to_dict() | listed


def exposed(**given: Any) -> Any:
    return rankgauge.exposure(**{"runs": RUNS} | given)


def sampled(**given: Any) -> Any:
    return rankgauge.sample(**{"judgments": JUDGED, "queries": 5} | given)


def optimized(**given: Any) -> Any:
    usual = {"judgments": JUDGED, "runs": RUNS, "measure": "nDCG@5", "folds": 2, "repeats": 1}
    return rankgauge.optimize(**usual | given)


TWO = (f"a={JUDGED},runs", f"b={JUDGED},fewer", "-m", "nDCG@5")


def compromised(**given: Any) -> Any:
    both = {"a": (JUDGED, RUNS), "b": (JUDGED, RUNS[1:])}
    return rankgauge.optimize(**{"judgments": both, "measure": "nDCG@5"} | given)


def robust_pairs(**given: Any) -> Any:
    return rankgauge.robust(**{"judgments": JUDGED, "runs": RUNS, "measure": "nDCG@5"} | given)


def explained(**given: Any) -> Any:
    usual = {"measure": "nDCG@5", "judgments": JUDGED, "run": RUNS[0], "query": "q02"}
    return rankgauge.explain(**usual | given)


def reconciled(**given: Any) -> Any:
    usual = {"value": "0.5033", "judgments": JUDGED, "run": RUNS[0], "measure": "nDCG@10"}
    return rankgauge.reconcile(**usual | given)


def scored(**given: Any) -> Any:
    usual = {"measure": "rankDCG", "truth": "truth.csv", "predicted": "predicted.csv", "details": True}
    return rankgauge.score(**usual | given)


def related(**given: Any) -> Any:
    return rankgauge.relevance(**{"scores": "popularity.csv"} | given)


def relevance_chart() -> bytes:
    found = related()
    title = "Relevance of a score, query q1"
    chart = rankgauge.plot.relevance(found.functions["q1"], list(found.scores["q1"].values()), title=title)
    rankgauge.plot.save(chart, "python-phi.json")
    return Path("python-phi.json").read_bytes()


def simulated(**given: Any) -> Any:
    depth = given.pop("depth", 100)
    rankgauge.simulate(**{"systems": 3, "queries": 4} | given).save("python-made", depth=depth)
    return {path.name: path.read_text() for path in sorted(Path("python-made").rglob("*.*"))}


def exemplified() -> Any:
    rankgauge.examples.load().save("python-example")
    return {path.name: path.read_text() for path in sorted(Path("python-example").rglob("*.*"))}


def page(**given: Any) -> str:
    usual = {"path": "python.html", "scores": JUDGED, "runs": RUNS}
    return without_files(rankgauge.report(**usual | given))


def without_files(page: Path) -> str:
    """A page less the names of its inputs: a command may be given other files with the same data."""
    return re.sub(r'<details class="files">.*?</details>', "", page.read_text(), flags=re.DOTALL)


def explored(**given: Any) -> str:
    usual = {"path": "python.html", "judgments": JUDGED, "runs": RUNS}
    return rankgauge.explore(**usual | given).read_text()


def described() -> dict[str, Any]:
    catalogue = [rankgauge.measures.describe(rankgauge.Measure(one)) for one in rankgauge.measures.catalogue()]
    return {"measures": [one.to_dict() for one in catalogue]}


UNJUDGED = ("--no-judgments", RUNS[0], RUNS[1])
TABLE = ("rankDCG", "--file", "table.csv", "--truth", "clicks", "--predicted", "model")
TABLED = {"file": "table.csv", "truth": "clicks", "predicted": "model"}
NUMBER = ("0.5033", "--judgments", JUDGED, "--run", RUNS[0])
VALUE = ("nDCG@5", "--judgments", JUDGED, "--run", RUNS[0], "--query", "q02")


ACROSS = ("--collection", "one", JUDGED, *RUNS, "--collection", "two", "other.csv", *RUNS)


def across() -> dict[str, Any]:
    return {"scores": None, "runs": None, "collections": {"one": (JUDGED, RUNS), "two": ("other.csv", RUNS)}}


def churned(**given: Any) -> dict[str, Any]:
    return {"scores": None, "runs": RUNS[:2], **given}


PARITY = {
    "evaluate": Command(
        DATA,
        evaluated,
        {
            **inputs(),
            "by": Case(("--queries", "queries.csv", "--by", "segment"), lambda: {"by": ("queries.csv", "segment")}),
            **sizes("evaluate"),
            **about_files("judgments"),
            **policies(),
            "queries": Case(
                ("--queries", "queries.csv", "--weights", "traffic"),
                lambda: {"weights": rankgauge.read_queries("queries.csv").weights("traffic")},
            ),
            "weights": Case(
                ("--weights", "length", "--queries", "queries.csv"),
                lambda: {"weights": rankgauge.read_queries("queries.csv").weights("length")},
            ),
            "memory": Case(("--memory", "300MB"), lambda: {"memory": "300MB"}, same=SAME),
            "engine": Case(("--engine", "local"), same="the other one has cases of its own below"),
            "buckets": Case((), same="for Spark, see below"),
            "interval": Case(("--interval", "bootstrap"), lambda: {"interval": "bootstrap"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "seed": Case(("--interval", "bootstrap", "--seed", "3"), lambda: {"interval": "bootstrap", "seed": 3}),
            "median": Case(("--median",), same="JSON has medians always"),
            "per_query": Case(("--per-query",), lambda: {"each": True}),
            "means_only": Case(("--means-only",), lambda: {"per_query": False}),
            "save": Case(
                ("--save", "kept.csv"),
                same="the scores are written beside",
                written=lambda: (evaluated().save("python.csv"), Path("python.csv").read_bytes())[1],
                path="kept.csv",
            ),
        },
        evaluated_data,
    ),
    "score": Command(
        ("rankDCG", "truth.csv", "predicted.csv"),
        scored,
        {
            "table": Case((), lambda: TABLED, TABLE),
            "truth": Case(("--truth", "model"), lambda: {**TABLED, "truth": "model"}, TABLE),
            "predicted": Case(
                ("--predicted", "clicks", "--group", "user"),
                lambda: {**TABLED, "predicted": ["model", "clicks"], "groups": "user"},
                TABLE,
            ),
            "group": Case(("--group", "user"), lambda: {**TABLED, "groups": "user"}, TABLE),
            "ties": Case(("--ties", "best"), lambda: {"policy": Policy(ties="best")}),
            "undefined": Case(
                ("--group", "user", "--undefined", "zero"),
                lambda: {**TABLED, "groups": "user", "policy": Policy(undefined="zero")},
                TABLE,
            ),
            "rel": Case(
                ("--rel", "3"), lambda: {"measure": "AP", "policy": Policy(rel=3)}, ("AP", "truth.csv", "predicted.csv")
            ),
            "further": Case(
                ("--policy", "digits=1"),
                lambda: {"measure": "nDCG", "policy": Policy(digits=1)},
                ("nDCG", "truth.csv", "predicted.csv"),
            ),
            "like": Case(
                ("--like", "gdeval"),
                lambda: {"measure": "nDCG", "like": "gdeval"},
                ("nDCG", "truth.csv", "predicted.csv"),
            ),
            "chance": Case(("--chance",), lambda: {"chance": True}),
            "seed": Case(
                ("--chance", "--seed", "3"),
                lambda: {"chance": True, "seed": 3, "truth": "long.csv", "predicted": "guess.csv"},
                ("rankDCG", "long.csv", "guess.csv"),
            ),
        },
    ),
    "explain": Command(
        VALUE,
        explained,
        {
            **policies(
                "rel",
                "missing",
                "undefined",
                further=DROP,
            ),
            "rel": Case(("--rel", "2"), lambda: {"measure": "AP", "policy": Policy(rel=2)}, ("AP", *VALUE[1:])),
            "missing": Case(
                ("--missing", "drop"),
                lambda: {"run": RUNS[1], "query": "q04", "policy": Policy(missing="drop")},
                ("nDCG@5", "--judgments", JUDGED, "--run", RUNS[1], "--query", "q04"),
            ),
            "undefined": Case(
                ("--undefined", "drop"),
                lambda: {"query": "q07", "policy": Policy(undefined="drop")},
                (*VALUE[:-1], "q07"),
            ),
            "judgments": Case(("--judgments", "other.csv"), lambda: {"judgments": "other.csv"}),
            "run": Case(("--run", RUNS[2]), lambda: {"run": RUNS[2]}),
            "query": Case(("--query", "q03"), lambda: {"query": "q03"}),
            "versus": Case(("--versus", "ties=mean"), lambda: {"versus": "ties=mean"}),
            "versus over all queries": Case(
                ("--versus", "RR@5"), lambda: {"query": None, "versus": "RR@5"}, (*VALUE[:-2],)
            ),
            "plot": drawn("explanation", explained),
        },
    ),
    "reconcile": Command(
        NUMBER,
        reconciled,
        {
            "measure": Case(("-m", "nDCG@5"), lambda: {"measure": "nDCG@5"}),
            "judgments": Case(("--judgments", "other.csv"), lambda: {"judgments": "other.csv"}),
            "run": Case(("--run", RUNS[2]), lambda: {"run": RUNS[2]}),
            "second": Case(("--second", "nDCG@5=0.1234"), lambda: {"second": "nDCG@5=0.1234"}),
            "per_query": Case(("--per-query", "values.csv"), lambda: {"per_query": "values.csv"}),
        },
    ),
    "compare": Command(
        DATA,
        compared,
        {
            **inputs(),
            **policies(),
            "compact": Case(("--compact",), same="JSON has no table"),
            "caption": Case(("--compact", "--caption", "Means"), same="JSON has no table"),
            "label": Case(("--compact", "--label", "tab:means"), same="JSON has no table"),
            "undecided": Case(
                ("--fail-if", "nDCG@10 < baseline", "--undecided", "warn"),
                lambda: {"rules": ["nDCG@10 < baseline"], "code": 0},
                same="only the exit code changes",
            ),
            "also": Case(
                ("--also", "md=also.md"),
                same="another output beside",
                written=lambda: to_markdown(rankgauge.compare(JUDGED, RUNS).table()).encode(),
                path="also.md",
            ),
            **sources(),
            **sizes(),
            "queries": Case(
                ("--queries", "queries.csv", "--per-query"), lambda: {"differences": True, "texts": "queries.csv"}
            ),
            "judge": Case(("--judge", JUDGED), lambda: {"scores": "few.csv", "judge": JUDGED}, ("few.csv", *RUNS)),
            "no_judgments": Case((), churned, UNJUDGED),
            "cutoff": Case(("--cutoff", "3"), lambda: churned(cutoff=3), UNJUDGED),
            "baseline": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "all_pairs": Case(("--all-pairs",), lambda: {"all_pairs": True}),
            "test": Case(("--test", "wilcoxon"), lambda: {"test": "wilcoxon"}),
            "correction": Case(("--correction", "bh"), lambda: {"correction": "bh"}),
            "correction_within": Case(
                ("--correction-within", "measure", "-m", "nDCG@10 AP"),
                lambda: {"correction_within": "measure", "measures": "nDCG@10 AP"},
            ),
            **about_files("scores"),
            "equivalence": Case(("--equivalence", "0.3"), lambda: {"equivalence": 0.3}),
            "samples": Case(("--samples", "99"), lambda: {"samples": 99}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "interval": Case(("--interval", "bootstrap"), lambda: {"interval": "bootstrap"}),
            "interval_for": Case(("--interval-for", "pair"), lambda: {"interval_for": "pair"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "by": Case(
                ("--by", "segment", "--queries", "queries.csv"), lambda: {"by": "segment", "queries": "queries.csv"}
            ),
            "rules": Case(
                ("--fail-if", "nDCG@10 < baseline", "--fail-if", "nDCG@10 < 0.01"),
                lambda: {"rules": ("nDCG@10 < baseline", "nDCG@10 < 0.01")},
            ),
            "ledger": Case(
                ("--fail-if", "nDCG@10 < baseline", "--sequential", "looks.json"),
                lambda: {"rules": ("nDCG@10 < baseline",), "ledger": "python-looks.json"},
            ),
            "per_query": Case(("--per-query",), lambda: {"differences": True}),
            "notes": Case(("--notes",), same="what is not a terminal has every note anyway"),
            "robust": Case(("--robust",), lambda: {"robust": True}),
            "bayes": Case(("--bayes", "--equivalence", "0.1"), lambda: {"bayes": True, "equivalence": 0.1}),
            "collections": Case((), across, ACROSS),
        },
        compared_data,
    ),
    "judges": Command(
        (*DATA, "--judge", "other.csv"),
        judged_by,
        {
            **inputs(
                duplicates=Case(
                    ("--duplicates", "best"),
                    lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
                    (JUDGED, "twice.trec", *RUNS[1:], "--judge", "other.csv"),
                ),
                columns=Case(
                    columns().words,
                    lambda: (
                        columns().given() | {"reference": named("who.csv"), "judge": {"other": named("who-else.csv")}}
                    ),
                    ("who.csv", *POINTS, "--judge", "other=who-else.csv"),
                    same=SAME,
                ),
            ),
            **policies(rel=Case(("--rel", "2", "-m", "AP P@5"), lambda: {"rel": 2, "measures": "AP P@5"})),
            "judge": Case(
                ("--judge", "me=part.csv"),
                lambda: {"judge": {"other.csv": "other.csv", "me": "part.csv"}},
            ),
            "common": Case(
                ("--judge", "part.csv", "--common"), lambda: {"judge": ["other.csv", "part.csv"], "common": True}
            ),
            "grades": Case(("--grades", "0,1,2,3,4,5"), lambda: {"grades": (0, 1, 2, 3, 4, 5)}),
            "against": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "test": Case(("--test", "wilcoxon"), lambda: {"test": "wilcoxon"}),
            "correction": Case(("--correction", "bh"), lambda: {"correction": "bh"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "seed": Case(("--test", "bootstrap", "--seed", "3"), lambda: {"test": "bootstrap", "seed": 3}),
        },
    ),
    "holes": Command(
        DATA,
        holed,
        {
            "only": inputs()["only"],
            "duplicates": inputs()["duplicates"],
            "columns": columns(),
            **policies(
                "rel",
                ties=Case(("--ties", "order"), lambda: {"policy": Policy(ties="order")}),
                unjudged=Case(("--unjudged", "zero"), same="holes need unjudged documents that count 0"),
                undefined=Case(("--undefined", "zero"), same="the number of queries may not depend on grades"),
                like=Case(
                    ("--like", "gdeval", "--undefined", "zero"),
                    lambda: {"like": "gdeval", "policy": Policy(undefined="zero")},
                ),
            ),
            "rel": Case(("--rel", "2", "-m", "P@5"), lambda: {"policy": Policy(rel=2), "measure": "P@5"}),
            "measure": Case(("-m", "RBP"), lambda: {"measure": "RBP"}),
            "judge": Case(("--judge", "other.csv", "--next", "4"), lambda: {"judge": "other.csv", "count": 4}),
            "max_grade": Case(("--max-grade", "6"), lambda: {"max_grade": 6}),
            "baseline": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "all_pairs": Case(("--all-pairs",), lambda: {"all_pairs": True}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "ideal": Case(("--ideal", "open"), lambda: {"ideal": "open"}),
            "count": Case(("--next", "3"), lambda: {"count": 3}),
        },
        holed_data,
    ),
    "exposure": Command(
        (*RUNS,),
        exposed,
        {
            "history": Case(("--history", JUDGED), lambda: {"history": JUDGED}),
            "items": Case(("--items", "items.csv"), lambda: {"items": "items.csv"}),
            "features": Case(
                ("--items", "items.csv", "--features", "topics"), lambda: {"items": "items.csv", "features": "topics"}
            ),
            "cutoff": Case(("--cutoff", "3"), lambda: {"cutoff": 3}),
            "confidence": Case(
                ("--history", JUDGED, "--confidence", "0.8"), lambda: {"history": JUDGED, "confidence": 0.8}
            ),
            "columns": Case(columns().words, columns().given, (*POINTS,), same=SAME),
            "duplicates": Case(
                ("--duplicates", "best"),
                lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
                ("twice.trec", *RUNS[1:]),
            ),
            "names": Case(
                ("--names", "tag"),
                lambda: {"runs": [rankgauge.read_run(name, names="tag") for name in RUNS]},
                same=SAME,
            ),
        },
    ),
    "sample": Command(
        (JUDGED, "--queries", "5"),
        sampled,
        {
            "queries": Case((), lambda: {"queries": 3}, (JUDGED, "--queries", "3")),
            "duplicates": Case(("--duplicates", "best"), same="no document of these judgments repeats"),
            "columns": Case(
                ("--columns", "query=who"),
                lambda: {"judgments": named("who.csv")},
                ("who.csv", "--queries", "5"),
                same=SAME,
            ),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
        },
    ),
    "stability": Command(
        DATA,
        analysed("stability"),
        {
            **inputs(),
            **policies(undefined=Case(("--undefined", "zero"), lambda: {"policy": Policy(undefined="zero")})),
            **sources(),
            **sizes(),
            "reach": Case(("--reach", "0.8,0.99"), lambda: {"reach": (0.8, 0.99)}),
            "queries_at": Case(("--queries-at", "20,40"), lambda: {"queries_at": (20, 40)}),
            "drop": Case(("--drop", "0.25"), lambda: {"drop": 0.25}),
            "interval": Case(("--interval", "arteaga"), lambda: {"interval": "arteaga"}),
            "systems": Case(("--systems", "others"), lambda: {"systems": "others"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "plot": drawn("stability", analysed("stability")),
        },
    ),
    "agreement": Command(
        (*DATA, "-m", "nDCG@10 AP"),
        analysed("agreement", measures="nDCG@10 AP"),
        {
            **inputs(
                measures=Case(("-m", "RR"), lambda: {"measures": ["nDCG@10 AP", "RR"]}),
                columns=columns("-m", "nDCG@10 AP"),
            ),
            "group_sizes": replace(sizes()["group_sizes"], base=("labels.csv", *BARE, "-m", "nDCG@10 AP")),
            **policies(rel=Case(("--rel", "2"), lambda: {"policy": Policy(rel=2)})),
            "duplicates": Case(
                ("--duplicates", "best"),
                lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
                (JUDGED, "twice.trec", *RUNS[1:], "-m", "nDCG@10 AP"),
            ),
            "scores": Case(
                ("--scores", "both.csv"), lambda: {"scores": "both.csv", "runs": None, "measures": None}, ()
            ),
            "ids": Case((), same="a matrix has one measure, and agreement needs two"),
            "header": Case((), same="a matrix has one measure, and agreement needs two"),
            "rows": Case((), same="a matrix has one measure, and agreement needs two"),
            "plot": drawn("agreement", analysed("agreement", measures="nDCG@10 AP")),
        },
    ),
    "discriminate": Command(
        DATA,
        analysed("discriminate"),
        {
            **inputs(),
            **policies(),
            **sources(),
            **sizes(),
            "top": Case(("--top", "3"), lambda: {"top": 3}),
            "samples": Case(("--samples", "99"), lambda: {"samples": 99}),
            "alpha": Case(("--alpha", "0.3"), lambda: {"alpha": 0.3}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "plot": drawn("discrimination", analysed("discriminate")),
        },
        wide="pair_table",
    ),
    "report": Command(
        DATA,
        page,
        {
            **inputs(),
            **policies(further=DROP),
            "queries": Case(("--queries", "queries.csv"), lambda: {"queries": "queries.csv"}),
            "baseline": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "title": Case(("--title", "Ours"), lambda: {"title": "Ours"}),
            "judge": Case(("--judge", JUDGED), lambda: {"scores": "few.csv", "judge": JUDGED}, ("few.csv", *RUNS)),
            "explorer": Case(("--explorer", "explorer.html"), lambda: {"explorer": "explorer.html"}),
            "documents": Case(("--documents", "titles.csv"), lambda: {"documents": "titles.csv"}),
            "equivalence": Case(("--equivalence", "0.3"), lambda: {"equivalence": 0.3}),
            "by": Case(
                ("--by", "segment", "--queries", "queries.csv"), lambda: {"by": "segment", "queries": "queries.csv"}
            ),
        },
    ),
    "explore": Command(
        DATA,
        explored,
        {
            "only": inputs()["only"],
            "duplicates": inputs()["duplicates"],
            **policies("rel", further=FLOOR),
            "measure": Case(("-m", "nDCG(gain=exp)@4"), lambda: {"measure": "nDCG(gain=exp)@4"}),
            "queries": Case(("--queries", "queries.csv"), lambda: {"queries": "queries.csv"}),
            "weights": Case(
                ("--weights", "traffic", "--queries", "queries.csv"),
                lambda: {"queries": "queries.csv", "weights": rankgauge.read_queries("queries.csv").weights("traffic")},
            ),
            "documents": Case(("--documents", "titles.csv"), lambda: {"documents": "titles.csv"}),
            "baseline": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "confidence": Case(("--confidence", "0.8"), lambda: {"confidence": 0.8}),
            "title": Case(("--title", "Ours"), lambda: {"title": "Ours"}),
            "lists": Case(("--lists", "3"), lambda: {"lists": 3}),
            "size": Case(("--size", "2MB"), lambda: {"size": "2MB"}, same="the page is smaller anyway"),
        },
    ),
    "measures": Command((), described, {}),
    "optimize": Command(
        (*DATA, "-m", "nDCG@5", "--folds", "2", "--repeats", "1"),
        optimized,
        {
            "only": inputs()["only"],
            "columns": columns("-m", "nDCG@5", "--folds", "2", "--repeats", "1"),
            "duplicates": Case(
                ("--duplicates", "best"),
                lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
                (JUDGED, "twice.trec", *RUNS[1:], "-m", "nDCG@5", "--folds", "2", "--repeats", "1"),
            ),
            **policies(
                "rel", further=FLOOR, undefined=Case(("--undefined", "drop"), same="a search drops them anyway")
            ),
            "measure": Case(("-m", "nDCG@4"), lambda: {"measure": "nDCG@4"}, (*DATA, "--folds", "2", "--repeats", "1")),
            "over": Case(("--over", "gain"), lambda: {"over": "gain"}),
            "objective": Case(("--objective", "erho"), lambda: {"objective": "erho"}),
            "unconstrained": Case(("--unconstrained",), lambda: {"constrained": False}),
            "reach": Case(("--reach", "0.8"), lambda: {"reach": (0.8,)}),
            "folds": Case(("--folds", "3"), lambda: {"folds": 3}),
            "repeats": Case(("--repeats", "2"), lambda: {"repeats": 2}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "plot": drawn("optimal_discount", optimized),
            "chart": drawn("optimal_queries", optimized, "--chart", "queries", path="queries.json"),
        },
    ),
    "compromise": Command(
        TWO,
        compromised,
        {
            "measure": Case(("-m", "nDCG@4"), lambda: {"measure": "nDCG@4"}, (*TWO[:2],)),
            "duplicates": Case(
                ("--duplicates", "best"),
                lambda: {
                    "judgments": {
                        "a": (JUDGED, best_of(["twice/a.trec", "twice/b.trec", "twice/c.trec"])),
                        "b": (JUDGED, RUNS),
                    }
                },
                (f"a={JUDGED},twice", f"b={JUDGED},runs", "-m", "nDCG@5"),
            ),
            **policies("rel", further=DROP, undefined=Case(("--undefined", "drop"), same="a search drops them anyway")),
            "over": Case(("--over", "gain"), lambda: {"over": "gain"}),
            "cutoffs": Case(("--cutoffs", "3,5"), lambda: {"cutoffs": (3, 5)}),
            "absolute": Case(("--absolute",), lambda: {"relative": False}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
        },
    ),
    "robust": Command(
        (*DATA, "-m", "nDCG@5"),
        robust_pairs,
        {
            "only": inputs()["only"],
            "duplicates": Case(
                ("--duplicates", "best"),
                lambda: {"runs": best_of(["twice.trec", *RUNS[1:]])},
                (JUDGED, "twice.trec", *RUNS[1:], "-m", "nDCG@5"),
            ),
            **policies("rel", further=FLOOR),
            "queries": Case(
                ("--queries", "queries.csv", "--weights", "traffic"),
                lambda: {"weights": rankgauge.read_queries("queries.csv").weights("traffic")},
            ),
            "weights": Case(
                ("--weights", "length", "--queries", "queries.csv"),
                lambda: {"weights": rankgauge.read_queries("queries.csv").weights("length")},
            ),
            "measure": Case(("-m", "nDCG@4"), lambda: {"measure": "nDCG@4"}, DATA),
            "over": Case(("--over", "gain"), lambda: {"over": "gain"}),
            "baseline": Case(("--baseline", "system-02"), lambda: {"baseline": "system-02"}),
            "all_pairs": Case(("--all-pairs",), lambda: {"all_pairs": True}),
            "budget": Case(("--budget", "50"), lambda: {"budget": 50}, same="these pairs are decided without a search"),
            "samples": Case(("--samples", "20"), lambda: {"samples": 20}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "plot": drawn("robustness", robust_pairs),
        },
    ),
    "relevance": Command(
        ("popularity.csv",),
        related,
        {
            "knots": Case(("--knots", "knots.json"), lambda: {"knots": "knots.json"}),
            "reference": Case(("--reference", "others.csv"), lambda: {"reference": "others.csv"}),
            "preset": Case(("--preset", "authors"), lambda: {"preset": "authors"}),
            "quartiles": Case(("--quartiles", "hinges"), lambda: {"quartiles": "hinges"}),
            "whisker": Case(("--whisker", "observed"), lambda: {"whisker": "observed"}),
            "whisker_reach": Case(("--whisker-reach", "0.5"), lambda: {"reach": 0.5}),
            "plot": Case(
                ("--plot", "phi.json"),
                same="a chart is drawn beside",
                written=relevance_chart,
                path="phi.json",
            ),
        },
    ),
    "check": Command((JUDGED, *RUNS), lambda: rankgauge.check(JUDGED, *RUNS), {}, wide="table"),
    "example": Command(("-o", "example"), exemplified, {"folder": Case((), same=SAME)}),
    "simulate": Command(
        ("--systems", "3", "--queries", "4", "-o", "made"),
        simulated,
        {
            "systems": Case(("--systems", "2"), lambda: {"systems": 2}),
            "queries": Case(("--queries", "3"), lambda: {"queries": 3}),
            "documents": Case(("--documents", "50"), lambda: {"documents": 50}),
            "depth": Case(("--depth", "5"), lambda: {"depth": 5}),
            "seed": Case(("--seed", "3"), lambda: {"seed": 3}),
            "folder": Case((), same=SAME),
        },
    ),
}


@pytest.fixture(scope="module")
def collection(tmp_path_factory):
    """A small collection in which every option matters: ties, gaps, unjudged documents, a query without relevant ones."""
    folder = tmp_path_factory.mktemp("parity")
    made = rankgauge.simulate(4, 12, documents=30, seed=5)
    judged = made.judgments()
    judged["q07"] = dict.fromkeys(judged["q07"], 0)
    with (folder / JUDGED).open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["query", "document", "grade"])
        kept = [(query, one, grade) for query, found in judged.items() for one, grade in found.items()]
        rows.writerows(row for at, row in enumerate(kept) if at % 7)
    for number, (name, run) in enumerate(made.runs(20).items()):
        assert f"{name}.trec" == RUNS[number]
        lines = [
            f"{query} Q0 {document} 0 {round(score * 2) / 2} {name}\n"
            for query, found in run.items()
            for document, score in found.items()
            if (number, query) != (1, "q04")
        ]
        (folder / f"{name}.trec").write_text("".join(lines))
        if number == 0:
            (folder / "twice.trec").write_text("".join([*lines, lines[5].replace(" 0 ", " 0 9")]))
    return folder


@pytest.fixture(scope="module")
def folder(collection):
    """The collection with the other files that options name."""
    text = (collection / JUDGED).read_text()
    (collection / "values.csv").write_text("query,value\nq01,0.1234\nq02,0.5\n")
    (collection / "other.csv").write_text(text.replace(",2\n", ",1\n"))
    lines = text.splitlines(keepends=True)
    (collection / "few.csv").write_text(
        "".join(line for line in lines if line[:3] in {"que", "q01", "q03", "q05", "q06", "q08", "q09", "q11"})
    )
    (collection / "part.csv").write_text("".join(line for at, line in enumerate(lines) if at % 5 != 1))
    about = [f"q{at:02},text {at},{'head' if at % 2 else 'tail'},{at},{at * at}" for at in range(1, 13)]
    (collection / "queries.csv").write_text("\n".join(["query,text,segment,traffic,length", *about]) + "\n")
    named = sorted({line.split(",")[1] for line in text.splitlines()[1:]})
    (collection / "titles.csv").write_text("".join(["document,title\n", *(f"{one},about {one}\n" for one in named)]))
    (collection / "matrix.csv").write_text(
        "\n".join(f"{0.1 * a},{0.2 + 0.05 * (a * a % 7)},{0.3 * a % 0.7},{0.6 - 0.04 * a}" for a in range(1, 6))
    )
    (collection / "labels.csv").write_text("".join(f"{at * at % 4}\n" for at in range(30)))
    (collection / "sizes.csv").write_text("6\n" * 5)
    for at, name in enumerate(BARE, 3):
        (collection / name).write_text("".join(f"{at * row * row % 17}\n" for row in range(30)))
    (collection / "points").mkdir()
    documents = sorted({line.split()[2] for name in RUNS for line in (collection / name).read_text().splitlines()})
    topics = "".join(f"{one},{'ab'[n % 2]}|{'xyz'[n % 3]}\n" for n, one in enumerate(documents[5:]))
    (collection / "items.csv").write_text(f"item,topics\n{topics}")
    (collection / "who.csv").write_text(text.replace("query", "who", 1))
    (collection / "who-else.csv").write_text(text.replace("query", "who", 1).replace(",2\n", ",1\n"))
    for name, path in zip(RUNS, POINTS, strict=True):
        rows = rankgauge.read_run(collection / name).to_polars().rename({"query": "who", "score": "points"})
        rows.rename({"document": "doc_id"}).write_csv(collection / path)
    (collection / "truth.csv").write_text("3\n2\n2\n1\n5\n")
    (collection / "predicted.csv").write_text("0.5\n0.5\n0.2\n0.9\n0.5\n")
    (collection / "long.csv").write_text("".join(f"{at % 9}\n" for at in range(40)))
    (collection / "guess.csv").write_text("".join(f"{at % 7}\n" for at in range(40)))
    (collection / "table.csv").write_text("user,clicks,model\na,3,1\na,2,4\nb,1,2\nb,0,1\nc,1,1\nc,1,2\n")
    (collection / "popularity.csv").write_text(
        "query,document,grade\nq1,a,100\nq1,b,80\nq1,c,90\nq1,d,15\nq2,a,3\nq2,b,9\nq2,c,0\nq2,d,1\n"
        + "".join(f"q3,d{at},{at**5}\n" for at in range(1, 11))
    )
    (collection / "others.csv").write_text("query,document,grade\nq,a,50\nq,b,20\nq,c,70\nq,d,1\n")
    (collection / "knots.json").write_text('{"knots": [[0, 0], [10, 0.5], [40, 1]]}')
    runs = [collection / name for name in RUNS]
    for name, held in (("runs", RUNS), ("fewer", RUNS[1:])):
        (collection / name).mkdir()
        for one in held:
            shutil.copy(collection / one, collection / name)
    (collection / "twice").mkdir()
    for name, one in zip(("a", "b", "c"), ("twice.trec", *RUNS[1:3]), strict=True):
        shutil.copy(collection / one, collection / "twice" / f"{name}.trec")
    rankgauge.evaluate(collection / JUDGED, runs, "nDCG@5").save(collection / "saved.parquet")
    rankgauge.evaluate(collection / JUDGED, runs, "nDCG@5 AP").save(collection / "both.csv")
    return collection


@pytest.fixture
def inside(folder, monkeypatch):
    monkeypatch.chdir(folder)
    monkeypatch.setenv("NO_COLOR", "1")


def run(*words):
    result = CliRunner().invoke(cli, words, catch_exceptions=False)
    assert result.exit_code in ({0, 1, 3} if "--fail-if" in words else {0}), result.output
    return result.stdout


def said(name, words):
    """What a command says, as data: its JSON, or the files it writes."""
    if name in {"simulate", "example"}:
        run(name, *words)
        return {path.name: path.read_text() for path in sorted(Path(words[words.index("-o") + 1]).rglob("*.*"))}
    if name in {"report", "explore"}:
        run(name, *words, "-o", "command.html")
        return without_files(Path("command.html"))
    return json.loads(run(name, *words, "--format", "json"))


def python(name, case):
    """The same by Python."""
    command = PARITY[name]
    given = case.given()
    result = command.call(**given)
    if isinstance(result, str):
        return result
    if isinstance(result, dict):
        return json.loads(json.dumps(result))
    return json.loads(
        json.dumps(plain(result.to_dict() if given.get("scores", 0) is None else command.data(result, given)))
    )


@cache
def usual(name):
    """What a command says without options."""
    clear()
    return said(name, PARITY[name].words)


OUTPUT = ("form", "decimals", "output", "quiet", "no_progress")
# A page takes seconds.
CASES = [
    pytest.param(name, option, marks=pytest.mark.slow if name == "report" else ())
    for name, command in PARITY.items()
    for option in command.options
]


def clear():
    """Removes what `simulate` and `example` wrote before."""
    for folder in ("made", "python-made", "example", "python-example"):
        shutil.rmtree(folder, ignore_errors=True)


def test_every_option_of_every_command_has_a_case():
    assert set(PARITY) == set(COMMANDS)
    for name, command in PARITY.items():
        known = {
            str(parameter.name)
            for parameter in cli.get_command(click.Context(cli), name).params
            if isinstance(parameter, click.Option)
        }
        # "versus over all queries" is another case of the option versus.
        assert known - set(OUTPUT) == {case.split(" ")[0] for case in command.options}, name


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.usefixtures("inside")
def test_a_command_says_what_python_says(name):
    found = usual(name)
    clear()
    assert found == python(name, Case(()))


@pytest.mark.parametrize(("name", "option"), CASES)
@pytest.mark.usefixtures("inside")
def test_an_option_does_what_python_does(name, option):
    command, case = PARITY[name], PARITY[name].options[option]
    words = command.words if case.base is None else case.base
    clear()
    found = said(name, (*words, *case.words))
    if case.written is not None:
        assert Path(case.path).read_bytes() == case.written()
    clear()
    assert found == python(name, case)
    assert found != usual(name) or case.same, f"{name} {' '.join(case.words)} changes nothing"


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", [name for name in PARITY if name not in {*FILES, "measures"}])
@pytest.mark.usefixtures("inside")
def test_a_format_is_a_rendering_of_the_result(name, form):
    command = PARITY[name]
    result = command.call()
    text = run(name, *command.words, "--format", form)
    if form == "table":
        assert text == f"{result}\n"
    elif form == "json":
        assert json.loads(text) == python(name, Case(()))
    elif form == "csv":
        assert text == to_csv(getattr(result, command.wide)() if hasattr(result, command.wide) else result.table())
    else:
        assert text == {"md": to_markdown, "latex": to_latex}[form](result.table())


@pytest.mark.parametrize("name", [name for name in PARITY if name not in FILES])
@pytest.mark.usefixtures("inside")
def test_options_of_output_are_about_the_rendering(name, tmp_path):
    command = PARITY[name]
    shown = run(name, *command.words)
    assert run(name, *command.words, "--no-progress") == shown
    assert run(name, *command.words, "--output", str(tmp_path / "out")) == ""
    assert (tmp_path / "out").read_text() == shown
    if name == "measures":
        return
    result = command.call()
    if name not in {"check", "sample"}:
        assert run(name, *command.words, "--decimals", "2", "--format", "md") == to_markdown(result.table(), 2)
    if name not in {"check", "compare", "judges"}:
        assert run(name, *command.words, "--quiet") == to_text(replace(result.table(), notes=())) + "\n"


# trec_eval's names of measures, in the order of its lines.
TREC = {"map": "AP", "P_5": "P@5", "ndcg_cut_10": "nDCG@10"}


def trec_lines(scores, *, per_query=False, places=4):
    """The values of Python as trec_eval would print them: queries, then the run and its means."""
    lines = []
    means = scores.mean()
    for system, rows in zip(scores.systems, scores.values.tolist(), strict=True):
        for query, values in sorted(zip(scores.queries, rows, strict=True)) if per_query else ():
            lines += [(label, query, f"{one:.{places}f}") for label, one in zip(TREC, values, strict=True)]
        lines.append(("runid", "all", system))
        lines += [(label, "all", f"{one:.{places}f}") for label, one in zip(TREC, means[system].values(), strict=True)]
    return lines


def trec_cells(*words):
    return [
        tuple(line.split()) for line in run("evaluate", *words, "-m", " ".join(TREC), "--format", "trec").splitlines()
    ]


@pytest.mark.parametrize(
    "option",
    ["", "only", "complete", "ties", "unjudged", "missing", "depth", "like", "further", "queries"],
)
@pytest.mark.usefixtures("inside")
def test_trec_lines_are_the_values_of_python(option):
    case = PARITY["evaluate"].options[option] if option else Case(())
    base = DATA if case.base is None else case.base
    scores = evaluated(**case.given() | {"measures": list(TREC.values())})
    shown = trec_lines(scores)
    assert trec_cells(*base, *case.words) == shown
    if option not in {"", "complete"}:
        assert shown != trec_lines(evaluated(measures=list(TREC.values()))), "the option changes nothing"
    assert trec_cells(*base, *case.words, "--decimals", "7") == trec_lines(scores, places=7)
    # nan is left out of the lines, as trec_eval has none for such a query.
    values = [line for line in trec_lines(scores, per_query=True) if line[2] != "nan"]
    assert trec_cells(*base, *case.words, "--per-query") == values


RULES = ("nDCG@10 < baseline - 0.2", "nDCG@10 < 0.9", "nDCG@10 < baseline")


@pytest.mark.parametrize(
    "option", ["", "only", "ties", "baseline", "equivalence", "confidence", "by", "seed", "scores"]
)
@pytest.mark.usefixtures("inside")
def test_junit_has_the_gate_of_python(option):
    case = PARITY["compare"].options[option] if option else Case(())
    base, given, rules = case.base, case.given(), RULES
    if option == "scores":
        rules = [rule.replace("@10", "@5") for rule in RULES]
    found = compared(**given)
    gate = (found.overall if option == "by" else found).gate(*rules)
    words = (*(DATA if base is None else base), *case.words, *(word for rule in rules for word in ("--fail-if", rule)))
    text = run("compare", *words, "--format", "junit", "--also", "junit=gate.xml")
    assert Path("gate.xml").read_text() == text
    assert run("compare", *words, "-o", "named.xml") == ""
    assert Path("named.xml").read_text() == text
    shown = [
        (case.get("classname"), case.get("name"), part.tag, part.get("message") or part.text)
        for case in ET.fromstring(text).iter("testcase")  # noqa: S314 - our own
        for part in case
    ]
    tags = {"fail": "failure", "undecided": "skipped", "pass": "system-out"}
    made = [(rule.rule, one.system, tags[one.outcome], one.message) for rule in gate.rules for one in rule.checks]
    assert shown == made
    assert len({tag for _, _, tag, _ in made}) > 1


@pytest.fixture(scope="module")
def parquet(folder):
    """The collection as tables for Spark, whose folder is not ours: judgments, then runs."""
    tables = [rankgauge.read_judgments(folder / JUDGED), *(rankgauge.read_run(folder / name) for name in RUNS)]
    paths = [folder / f"{Path(name).stem}.parquet" for name in (JUDGED, *RUNS)]
    for table, path in zip(tables, paths, strict=True):
        table.to_polars().write_parquet(path)
    return [str(path) for path in paths]


@pytest.fixture(scope="module")
def spark():
    with session("local[2]") as opened:
        yield opened


# A few options of each kind, because Spark takes seconds for a case; tests/spark compares the engines.
SPARK = {
    "engine": Case(()),
    "buckets": Case(("--buckets", "3"), lambda: {"buckets": 3}),
    **{
        name: PARITY["evaluate"].options[name]
        for name in ("measures", "only", "by", "queries", "per_query", "means_only")
    },
    **policies(
        "unjudged",
        "missing",
        "undefined",
        "depth",
        "further",
        like=Case(("--like", "trec_eval-9"), lambda: {"like": "trec_eval-9"}),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("option", SPARK)
@pytest.mark.usefixtures("inside")
def test_spark_by_the_command_line_is_spark_by_python(spark, parquet, option):
    case = SPARK[option]
    judged, *runs = map(spark.read.parquet, parquet)
    given = case.given() | {"judgments": judged, "runs": dict(zip([Path(one).stem for one in RUNS], runs, strict=True))}
    found = json.loads(json.dumps(plain(evaluated_data(evaluated(**given), given))))
    assert said("evaluate", (*parquet, "--engine", "spark", *case.words)) == found
    here = evaluated(**{name: value for name, value in case.given().items() if name != "buckets"})
    assert found.get("mean") == plain(here.to_dict()).get("mean")
    if option == "engine":
        lines = trec_lines(evaluated(**given | {"measures": list(TREC.values())}))
        assert trec_cells(*parquet, "--engine", "spark") == lines
