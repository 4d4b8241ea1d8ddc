"""What SECURITY.md promises: no code from files, no pickle, no network, no shell."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "src" / "rankgauge"
MODULES = sorted(SOURCE.rglob("*.py"))
FORBIDDEN = {
    *("pickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"),
    *("socket", "ssl", "urllib", "http", "ftplib", "requests", "httpx", "aiohttp", "smtplib"),
    *("subprocess", "ctypes", "xml", "tarfile", "zipfile"),
}
ALLOWED = {
    "signature.py": {"eval"},  # of annotations in our own source
    # Our own tasks and answers on Spark's own channel, never a file; and our own source, packed for the workers.
    "engine.py": {"pickle", "pickle.loads", "zipfile"},
    "junit.py": {"xml"},  # writes only
    "leaderboard.py": {"urllib"},  # urllib.parse, which opens nothing
}


def found_in(tree):
    """Modules imported, functions called by name, and names in modules."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.func.id
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            yield f"{node.value.id}.{node.attr}"


def dangers(path):
    names = FORBIDDEN | {
        "eval",
        "exec",
        "compile",
        "__import__",
        "os.system",
        "os.popen",
        "np.load",
        "pickle.loads",
        "pickle.load",
    }
    return names & set(found_in(ast.parse(path.read_text(encoding="utf-8")))) - ALLOWED.get(path.name, set())


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_no_module_runs_what_it_reads_or_calls_out(path):
    assert dangers(path) == set()


def test_the_walk_sees_what_it_looks_for(tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("import pickle\nfrom urllib.request import urlopen\nimport os\nos.system('x')\neval('1')\n")
    assert dangers(path) == {"pickle", "urllib", "os.system", "eval"}
