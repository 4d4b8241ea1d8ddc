"""gdeval.pl, the Perl script of the TREC Web Track, which prints five digits. GDEVAL names it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable

from given import Case, files, output, program

SCRIPT = program("GDEVAL", "https://github.com/trec-web/trec-web-2014, src/eval/gdeval.pl")
TOOLS = ("gdeval", "gdeval-c")
VERSION = "1.3"


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    def value() -> float:
        with tempfile.TemporaryDirectory() as folder:
            told = ["-c"] if tool == "gdeval-c" else []
            words = ["perl", SCRIPT, *told, "-k", str(case["k"]), *files(case, folder, numbered=True)]
            printed = output(words)
        return float(printed.splitlines()[-1].split(",")[2])

    return {"nDCG@k": value}
