"""What a call comes to, as plain data: numbers to the last bit, notes, or the error; and how two of them differ."""

from __future__ import annotations

import hashlib
import json
import math
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rankgauge.errors import RankgaugeError

_LONGEST = 40
_NUMBER = re.compile(r"-?(?:\d+\.\d+|\d+)(?:[eE][+-]?\d+)?")
_OF_OTHERS = (
    (re.compile(r"(Expecting|Extra data|Illegal|Invalid|Unterminated)[^:\n]*: line \d+ column \d+ \(char \d+\)"), "…"),
    (re.compile(r"damaged \(.*?\)(?= *(\\n|\"|$))"), "damaged (…)"),
)
"""What Python's JSON and Parquet's readers say of a file, which differs by version."""
_NOTE = ("kind", "text", "count", "system", "measure", "examples", "severity", "places", "line", "hint")


class Case(NamedTuple):
    """A call under a name that stays; `asked` says in words what it asks."""

    name: str
    call: Callable[[], Any]
    asked: Callable[[], str] = lambda: ""


def outcome(case: Case, folder: str) -> Any:
    """What is said, as plain data; an error of ours by its message, any other only by its type."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            said = plain(case.call())
        except RankgaugeError as problem:
            said = {"error": type(problem).__name__, "message": str(problem)}
        except Exception as problem:  # noqa: BLE001 - a fault of ours, which is recorded as well
            said = {"crash": type(problem).__name__}
    names = {folder, str(Path(folder).resolve())}
    return _without(said, names)


def _without(said: Any, folders: set[str]) -> Any:
    """The same on every machine and however often it was read and written."""
    text = json.dumps(said, ensure_ascii=False)
    for name in folders:
        text = text.replace(name, "FOLDER")
    for words, mark in _OF_OTHERS:
        text = words.sub(mark, text)
    return json.loads(text)


def plain(value: Any) -> Any:
    """As JSON has it; nan and infinities stay."""
    if isinstance(value, Mapping):
        return {str(key): plain(member) for key, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(member) for member in value]
    if isinstance(value, np.ndarray):
        return array(value)
    if isinstance(value, np.generic):
        return value.item()
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return str(value)


def array(values: np.ndarray) -> Any:
    """The numbers themselves; of many, a digest of their bits and the first few."""
    if values.size <= _LONGEST:
        return values.tolist()
    bits = np.where(np.isnan(values), np.nan, values).astype(np.float64).tobytes()
    return {"digest": hashlib.blake2b(bits, digest_size=8).hexdigest(), "first": values.ravel()[:4].tolist()}


def scores(found: Any) -> dict[str, Any]:
    """Scores in full. A system's values are by measure, in the order of queries."""
    said: dict[str, Any] = {
        "queries": plain(found.queries) if len(found.queries) <= _LONGEST else len(found.queries),
        "values": cube(found, found.values),
        "mean": plain(found.mean()),
        "notes": notes(found.notes),
    }
    if found.bounds is not None:
        said |= {"lowest": cube(found, found.bounds[0]), "highest": cube(found, found.bounds[1])}
    return said


def cube(found: Any, values: np.ndarray) -> dict[str, Any]:
    return {
        system: {str(measure): array(values[s, :, m]) for m, measure in enumerate(found.measures)}
        for s, system in enumerate(found.systems)
    }


def notes(given: Any) -> list[Any]:
    """What is not empty of every note; their order is looked at where they are printed."""
    said = [{name: plain(getattr(note, name)) for name in _NOTE if getattr(note, name)} for note in given]
    return sorted(said, key=json.dumps)


def result(found: Any) -> dict[str, Any]:
    """A result as data and as text; of what is long, the beginning and a digest."""
    said = {"text": str(found).split("\n")} if type(found).__str__ is not object.__str__ else {}
    if hasattr(found, "to_dict"):
        said["dict"] = plain(found.to_dict())
    elif not said:
        said["is"] = plain(found)
    return {name: shortened(part) for name, part in said.items()}


def shortened(tree: Any) -> Any:
    """Of long lists and tables the first members, the sum of all numbers, and a digest of everything else."""
    if isinstance(tree, Mapping):
        if len(tree) > _LONGEST:
            return {"keys": len(tree)} | shortened([[key, tree[key]] for key in tree])
        return {key: shortened(member) for key, member in tree.items()}
    if not isinstance(tree, list):
        return tree
    if len(tree) <= _LONGEST or all(isinstance(member, str) for member in tree):
        return [shortened(member) for member in tree]
    numbers: list[float] = []
    words = hashlib.blake2b(json.dumps(_without_numbers(tree, numbers)).encode(), digest_size=8).hexdigest()
    finite = [number for number in numbers if math.isfinite(number)]
    said = {"members": len(tree), "first": shortened(tree[:5]), "last": shortened(tree[-2:]), "words": words}
    return said | {"numbers": len(finite), "sum": math.fsum(finite), "squares": math.fsum(x * x for x in finite)}


def _without_numbers(tree: Any, numbers: list[float]) -> Any:
    if isinstance(tree, list):
        return [_without_numbers(member, numbers) for member in tree]
    if isinstance(tree, Mapping):
        return {key: _without_numbers(member, numbers) for key, member in tree.items()}
    if isinstance(tree, float):
        numbers.append(tree)
        return None
    return tree


def differences(then: Any, now: Any, *, is_exact: bool) -> list[str]:
    """What differs, each in a line; without `is_exact`, numbers are equal if six digits are.

    An interval of max-t ends where a search stops, and an optimum too: how many threads add up shows in the eighth digit.
    """
    return list(_differing(then, now, "", is_exact=is_exact))


def _differing(then: Any, now: Any, where: str, *, is_exact: bool) -> Iterator[str]:
    if isinstance(then, dict) and isinstance(now, dict):
        for key in dict.fromkeys([*then, *now]):
            below = f"{where} {key}".strip()
            if key not in then:
                yield f"{below}: new: {_short(now[key])}"
            elif key not in now:
                yield f"{below}: gone: {_short(then[key])}"
            else:
                yield from _differing(then[key], now[key], below, is_exact=is_exact)
        if "starts" not in where and list(then) != list(now) and then.keys() == now.keys():
            yield f"{where}: other order: {_short(list(then))} → {_short(list(now))}"
    elif isinstance(then, list) and isinstance(now, list):
        if where.endswith("notes") or len(then) != len(now):
            left = [one for one in then if one not in now]
            right = [one for one in now if one not in then]
            if len(left) == len(right) > 0 and len(then) == len(now):
                for at, (one, other) in enumerate(zip(left, right, strict=True)):
                    yield from _differing(one, other, f"{where} {at}", is_exact=is_exact)
            elif left or right or len(then) != len(now):
                yield f"{where}: {_short(left)} → {_short(right)} ({len(then)} → {len(now)} members)"
        else:
            for at, (one, other) in enumerate(zip(then, now, strict=True)):
                yield from _differing(one, other, f"{where} {at}", is_exact=is_exact)
    elif isinstance(then, str) and isinstance(now, str):
        if then != now and (is_exact or not _reads_alike(then, now)):
            yield f"{where}: {_part(then, now)}"
    elif not _same(then, now, 0.0 if is_exact and not _BY_MATRICES.search(where) else 1e-11 if is_exact else 1e-6):
        yield f"{where}: {then!r} → {now!r}"


_BY_MATRICES = re.compile(r"\b(lowest|highest|bounds|chance)\b")
"""What is added up by BLAS, whose last bit the processor decides."""


def _same(then: Any, now: Any, tolerance: float) -> bool:
    if isinstance(then, float) and isinstance(now, (int, float)) and tolerance:
        return math.isclose(then, now, rel_tol=tolerance, abs_tol=tolerance) or (then != then and now != now)  # noqa: PLR0124 - nan
    return type(then) is type(now) and repr(then) == repr(now)


def _reads_alike(then: str, now: str) -> bool:
    if _NUMBER.split(then) != _NUMBER.split(now):
        return False
    pairs = zip(_NUMBER.findall(then), _NUMBER.findall(now), strict=True)
    return all(
        one == other
        or ((len(one) > 8 or "e-" in one) and math.isclose(float(one), float(other), rel_tol=1e-6, abs_tol=1e-7))
        for one, other in pairs
    )


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 300 else f"{text[:300]}…"


def _part(then: str, now: str) -> str:
    """Two texts from shortly before where they part."""
    if "\n" not in then + now and len(then) + len(now) < 300:
        return f"{then!r} → {now!r}"
    at = next(
        (at for at, (one, other) in enumerate(zip(then, now, strict=False)) if one != other), min(len(then), len(now))
    )
    begin = max(0, then.rfind("\n", 0, at) + 1 if "\n" in then[:at] else at - 60, at - 100)
    return f"…{then[begin : at + 100]!r} → …{now[begin : at + 100]!r}"
