"""The numbers of every collection and of the simulation; what was computed once is kept."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from grades import five_grades, four_grades  # noqa: E402
from kept import commit, kept  # noqa: E402
from simulation import simulation  # noqa: E402
from sources import Source  # noqa: E402
from study import study  # noqa: E402

PROGRAMS = [HERE / name for name in ("study.py", "errors.py", "sources.py", "power.py")]


def numbers_of(sources: list[Source], *, simulate: bool = True) -> dict[str, Any]:
    collections = {}
    for source in sources:
        print(source.name, flush=True)
        digest = source.digest
        found = kept(
            f"optimal-{source.name.replace(' ', '-')}", [*PROGRAMS, digest], lambda one=source: study(one.grades())
        )
        collections[source.name] = {"data": digest, **found}
    simulated = kept("optimal-simulation", [*PROGRAMS, HERE / "simulation.py"], simulation) if simulate else None
    graded = kept("optimal-five-grades", [HERE / "grades.py", HERE / "study.py"], five_grades) if simulate else None
    passages = kept("optimal-four-grades", [HERE / "grades.py", *PROGRAMS], four_grades) if simulate else None
    return {
        "commit": commit(),
        "collections": collections,
        "simulation": simulated,
        "four_grades": passages,
        "five_grades": graded,
    }
