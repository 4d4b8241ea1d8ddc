"""Names of systems where there is little room: a beginning that all of them share is left out."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

# A shorter beginning costs no room.
WORTH_CUTTING = 8
_SEPARATORS = re.compile(r"[-_./ ](?=[^-_./ ]*$)")


def common_beginning(names: Sequence[str]) -> str:
    """What all names begin with, up to a separator; empty where the rest would say nothing or be ambiguous."""
    if len(names) < 3:
        return ""
    first, last = min(names), max(names)
    same = itertools.takewhile(lambda letters: letters[0] == letters[1], zip(first, last, strict=False))
    shared = "".join(letter for letter, _ in same)
    found = _SEPARATORS.search(shared)
    shared = shared[: found.end()] if found else ""
    rests = [name[len(shared) :] for name in names]
    telling = all(any(letter.isalpha() for letter in rest) for rest in rests)
    return shared if len(shared) >= WORTH_CUTTING and telling and len(set(rests)) == len(names) else ""
