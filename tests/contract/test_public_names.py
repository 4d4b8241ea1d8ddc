from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import rankgauge
from rankgauge import results
from rankgauge.tables import Plain

PUBLIC = """
    Judgments Run Queries Policy Measure Scores RelevanceFunction
    read_judgments read_run read_runs read_queries read_scores
    evaluate score explain check reconcile exposure
    compare judges holes sample stability agreement discriminate optimize robust
    relevance simulate report explore
    measures plot results errors integrations examples
"""


def modules():
    for found in pkgutil.walk_packages(rankgauge.__path__, "rankgauge."):
        if not found.name.endswith("__main__") and ".spark" not in found.name:
            try:
                yield importlib.import_module(found.name)
            except ImportError:  # an extra that is not installed
                continue


def test_the_public_names_are_these():
    assert sorted(rankgauge.__all__) == sorted(PUBLIC.split())
    assert sorted(rankgauge._HOMES) == sorted(rankgauge.__all__)


@pytest.mark.parametrize("module", [rankgauge, results])
def test_type_checkers_see_every_name_where_it_lives(module):
    tree = ast.parse(Path(module.__file__).read_text(encoding="utf-8"))
    block = next(node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    seen = {}
    for line in block.body:
        for name in line.names:
            assert name.asname == name.name, "only a name that is imported as itself is passed on"
            is_module = isinstance(getattr(module, name.name), ModuleType)
            seen[name.name] = f"{line.module}.{name.name}" if is_module else line.module
    assert seen == module._HOMES


def test_dir_shows_public_names_only():
    rankgauge.compare  # noqa: B018 - loading a name adds its module
    assert sorted(dir(rankgauge)) == sorted(PUBLIC.split())
    assert sorted(dir(results)) == sorted(results.__all__)


@pytest.mark.parametrize("name", PUBLIC.split())
def test_every_public_name_has_a_docstring(name):
    found = getattr(rankgauge, name)
    assert found.__doc__, name
    assert isinstance(found, ModuleType) or found.__name__ == name


@pytest.mark.parametrize("name", results.__all__)
def test_results_exports_what_it_names(name):
    assert getattr(results, name).__name__ == name
    assert sorted(results._HOMES) == sorted(results.__all__)


def test_every_result_class_is_in_results():
    made = {
        member.__name__
        for module in modules()
        for member in vars(module).values()
        if inspect.isclass(member) and issubclass(member, Plain) and not member.__name__.startswith("_")
    }
    assert made - {"Plain", "Shown", "ByMeasure", "Scores"} <= set(results.__all__)


MEMBERS = Path(__file__).with_name("public_members.txt")
"""One line for each public class: its public names. A new name is a promise: add it here, or give it an underscore."""


def members_of(name):
    """Attributes and methods; those of an instance where the class alone does not show them."""
    kind = getattr(rankgauge, name, None) or getattr(results, name)
    made = {
        "Scores": lambda: rankgauge.Scores.from_matrix(np.zeros((2, 3)), rows="queries"),
        "Judgments": lambda: rankgauge.Judgments({"q": {"d": 1}}),
        "Run": lambda: rankgauge.Run({"q": {"d": 1.0}}),
        "Queries": lambda: rankgauge.Queries({"id": ["q"]}),
        "Measure": lambda: rankgauge.measures.AP,
        "Policy": rankgauge.Policy,
    }.get(name)
    found = set(dir(made() if made else kind)) | set(getattr(kind, "__dataclass_fields__", ()))
    return {member for member in found if not member.startswith("_")}


def test_public_classes_have_no_more_names_than_these():
    known = dict(line.split(": ", 1) for line in MEMBERS.read_text(encoding="utf-8").splitlines())
    public = [name for name in PUBLIC.split() if inspect.isclass(getattr(rankgauge, name))]
    for name in sorted({*public, *results.__all__}):
        grown = members_of(name) - set(known.get(name, "").split())
        assert not grown, f"{name} shows {', '.join(sorted(grown))}"
