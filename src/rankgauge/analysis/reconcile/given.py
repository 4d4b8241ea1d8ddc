"""What a user knows of the number: its digits, other numbers of the same tool, and values of single queries."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from rankgauge.errors import DataError, UsageError
from rankgauge.measures.grammar import parse
from rankgauge.measures.measure import Measure

SINGLE = 3e-7
"""How far single precision may take a mean of numbers between 0 and 1."""
DIGITS = 12
"""Digits beyond these say nothing."""


@dataclass(frozen=True)
class Given:
    """A number as it was printed: anything that rounds to it may be behind it."""

    text: str
    value: float
    digits: int

    @property
    def tolerance(self) -> float:
        return 0.5 * 10.0**-self.digits + SINGLE

    def as_percent(self) -> Given:
        """The number as a percentage, unless it says so already."""
        if self.text.endswith("%"):
            return self
        return Given(f"{self.text}%", self.value / 100, min(self.digits + 2, DIGITS))

    def fits(self, mean: float, units: int = 0) -> bool:
        """Whether a mean rounds to the number, or is some units of the last digit away."""
        return abs(mean - self.value) <= self.tolerance + units * 10.0**-self.digits


def given_number(value: Any) -> Given:
    """A number as text ("0.2857", "28.57%") or as a float, whose digits are those that Python prints."""
    text = str(value).strip()
    percent = text.endswith("%")
    bare = text.removesuffix("%").strip()
    try:
        number = float(bare)
    except ValueError:
        raise UsageError(f"{text!r} is not a number such as 0.2857") from None
    if not math.isfinite(number) or isinstance(value, bool):
        raise UsageError(f"{text!r} is not a finite number")
    digits = len(bare.lower().partition("e")[0].partition(".")[2])
    if "e" in bare.lower():
        digits -= int(bare.lower().partition("e")[2])
    if percent:
        number, digits = number / 100, digits + 2
    return Given(text, number, min(max(digits, 0), DIGITS))


def second_numbers(given: Any) -> dict[Measure, Given]:
    """Other numbers of the same tool: "nDCG@5=0.71", a list of such texts, or {measure: number}."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {parse(str(name)): given_number(value) for name, value in given.items()}
    if not isinstance(given, (str, list, tuple)):
        raise UsageError(f"cannot read second numbers from {type(given).__name__}; give a text such as nDCG@5=0.71")
    found = {}
    for text in [given] if isinstance(given, str) else given:
        name, sign, value = str(text).rpartition("=")
        if not sign or not name:
            raise UsageError(f"{text!r} is not a second number such as nDCG@5=0.71")
        found[parse(name)] = given_number(value)
    return found


def query_numbers(given: Any) -> dict[str, Given]:
    """Values of single queries: {query: value}, a table with two columns, or a file with query and value in each line."""
    if given is None:
        return {}
    if isinstance(given, Mapping):
        return {str(query): given_number(value) for query, value in given.items()}
    if isinstance(given, (str, PathLike)):
        return _from_file(Path(given))
    import polars as pl

    try:
        frame = pl.DataFrame(given)
    except (TypeError, ValueError):
        raise UsageError(f"cannot read values of queries from {type(given).__name__}; give a dict or a path") from None
    if frame.width < 2:
        raise UsageError("values of queries need two columns: query and value")
    return {str(row[0]): given_number(row[-1]) for row in frame.iter_rows()}


def _from_file(path: Path) -> dict[str, Given]:
    """The last two words of each line; a header, and the line of the mean, are passed over."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as problem:
        raise DataError(f"{path}: {problem.strerror}", hint="Give a file with lines of query and value.") from None
    except UnicodeDecodeError:
        raise DataError(f"{path} is not a text file; give lines of query and value") from None
    found: dict[str, Given] = {}
    for number, line in enumerate(lines, 1):
        words = line.replace(",", " ").split()
        if len(words) < 2 or words[-2] in {"all", "mean", "amean"}:
            continue
        try:
            found[words[-2]] = given_number(words[-1])
        except UsageError:
            if number > 1:
                raise DataError(f"{path}, line {number}: {words[-1]!r} is not a number; give query and value") from None
    if not found:
        raise DataError(f"{path} holds no values of queries; give lines of query and value")
    return found


def fits_queries(values: Any, names: list[str], known: dict[str, Given]) -> bool:
    """Whether every known value of a query is the one that a candidate has."""
    place = {name: at for at, name in enumerate(names)}
    return all(np.isnan(values[place[query]]) or one.fits(float(values[place[query]])) for query, one in known.items())
