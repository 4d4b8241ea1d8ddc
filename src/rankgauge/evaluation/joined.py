"""One cube of scores from measures that a tool does not treat alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from rankgauge.arrays import Floats
from rankgauge.data.policy import Policy
from rankgauge.evaluation.scores import Scores
from rankgauge.measures.measure import Measure
from rankgauge.tables.notes import Note

Group = tuple[tuple[Measure, ...], Policy]


def joined_scores(groups: Sequence[Group], evaluated: Callable[[tuple[Measure, ...], Policy], Scores]) -> Scores:
    """Each group of measures under its own policy, then side by side; a note says where they differ."""
    parts = [evaluated(chosen, rule) for chosen, rule in groups]
    queries = list(dict.fromkeys(query for part in parts for query in part.queries))
    first = parts[0]
    notes = {(note.kind, note.text): note for part in parts for note in part.notes}
    return replace(
        first,
        queries=tuple(queries),
        measures=tuple(measure for part in parts for measure in part.measures),
        values=np.concatenate([_spread(part, queries) for part in parts], axis=2),
        notes=(*_differences(groups), *notes.values()),
        bounds=None,
    )


def _spread(part: Scores, queries: list[str]) -> Floats:
    """The values in the places of all queries; nan where this group does not count one."""
    values = np.full((len(part.systems), len(queries), len(part.measures)), np.nan)
    place = {query: at for at, query in enumerate(queries)}
    values[:, [place[query] for query in part.queries]] = part.values
    return values


def _differences(groups: Sequence[Group]) -> list[Note]:
    usual = groups[0][1].to_dict()
    notes = []
    for chosen, rule in groups[1:]:
        own = rule.to_dict()
        changed = [f"{name}={own.get(name)}" for name in usual | own if own.get(name) != usual.get(name)]
        if changed:
            names = ", ".join(map(str, chosen))
            notes.append(Note("policy", f"other policy for {names}: {', '.join(changed)}", len(chosen)))
    return notes
