"""The parts of the net: each a function that lists its cases."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from net import analysed, commands, damaged, evaluated, objects, real
from net.said import Case

PARTS: dict[str, Callable[[], Iterable[Case]]] = {
    "evaluate-kinds": evaluated.kinds,
    "evaluate-policies": evaluated.policies,
    "evaluate-tools": evaluated.tools,
    "evaluate-measures": evaluated.measures,
    "evaluate-mixed": evaluated.mixed,
    "evaluate-options": evaluated.options,
    "objects": objects.objects,
    "explain": analysed.explained,
    "score": analysed.scored,
    "check": analysed.checked,
    "scores": analysed.kept,
    "analysis-compare": analysed.compared,
    "analysis-studies": analysed.studied,
    "command-help": commands.helped,
    "commands": commands.ran,
    "faults-corpus": damaged.corpus,
    "faults-formats": damaged.formats,
    "faults-values": damaged.values,
    "real": real.real,
}
