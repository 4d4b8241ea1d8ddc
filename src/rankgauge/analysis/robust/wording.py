"""Robust verdicts in words and tables."""

from __future__ import annotations

from collections.abc import Sequence

from rankgauge.analysis.robust.pair import Corners, RobustPair
from rankgauge.errors import plural
from rankgauge.tables.table import Cell, Column, Table, number

EVERY = {"discount": "discount", "gain": "gain", "both": "gain and discount"}
FAMILY = {
    "discount": "every discount that never rises with the rank, the gain as in the measure",
    "gain": "every gain that never falls with the grade, the discount as in the measure",
    "both": "every discount that never rises with the rank and every gain that never falls with the grade",
}


def summary_sentence(measure: str, over: str, pairs: Sequence[RobustPair], counts: dict[str, int]) -> str:
    """One sentence for a reader who reads no further."""
    if len(pairs) == 1:
        return _one_pair(measure, over, pairs[0])
    robust, depends = counts["robust"] + counts["equal"], counts["depends"]
    text = (
        f"Of {plural(len(pairs), 'pair')} of systems, {_percent(robust, len(pairs))} have the same winner under every "
        f"{EVERY[over]}; the choices of {measure} matter for {_percent(depends, len(pairs))}"
    )
    details = [f"{counts[word]:,} {word}" for word in ("open", "equal") if counts[word]]
    return f"{text} ({', '.join(details)})." if details else f"{text}."


def _percent(part: int, whole: int) -> str:
    """Rounded, but 0% and 100% only where they are exact."""
    share = 100 * part / whole
    if 0 < share < 1 or 99 < share < 100:
        return f"{share:.1f}%" if 0.1 <= share <= 99.9 else ("less than 0.1%" if share < 1 else "more than 99.9%")
    return f"{share:.0f}%"


def _one_pair(measure: str, over: str, pair: RobustPair) -> str:
    names = f"{pair.system} and {pair.baseline}"
    if pair.verdict == "equal":
        return f"No {EVERY[over]} tells {names} apart."
    if pair.verdict == "open":
        return f"Whether the order of {names} depends on the {EVERY[over]} is open: the budget was not enough."
    if pair.verdict == "robust":
        other = pair.baseline if pair.winner == pair.system else pair.system
        return f"{pair.winner} is never behind {other}, whatever {EVERY[over]} you choose in {measure}."
    start = f"Which of {names} wins depends on the {EVERY[over]}: "
    ahead = winner_of(pair, pair.difference)
    here = f"{ahead} under {measure}" if ahead else f"neither under {measure}"
    if pair.witness is None or pair.witness_difference is None:
        return f"{start}{here}."
    return f"{start}{here}, {winner_of(pair, pair.witness_difference)} {witness_words(pair)}."


def winner_of(pair: RobustPair, difference: float) -> str | None:
    if abs(difference) <= 1e-12:
        return None
    return pair.system if difference > 0 else pair.baseline


def witness_words(pair: RobustPair) -> str:
    """'from nDCG(discount=zipf(1.7))@10 on': a measure, and where else the same holds."""
    return {
        "from": f"from {pair.witness} on",
        "up to": f"up to {pair.witness}",
        "": f"under {pair.witness}",
    }[pair.witness_holds]


def pair_notes(pair: RobustPair) -> list[str]:
    """The numbers of a single pair in a line."""
    text = f"difference {pair.difference:+.4f}, p = {pair.p:.4f}"
    return [text if pair.resampled is None else f"{text}, robust in {pair.resampled:.0%} of resamples of the queries"]


def pair_table(given: Sequence[RobustPair], baseline: str | None, caption: str, notes: Sequence[str]) -> Table:
    """One row per pair; those of a baseline by their difference, all pairs as compared."""
    pairs = list(given)
    alike = all(pair.baseline == baseline for pair in pairs)
    if alike:
        pairs.sort(key=lambda pair: -pair.difference)
        notes = (f"every system against {baseline}", *notes)
    resampled = any(pair.resampled is not None for pair in pairs)
    columns = (
        Column("system"),
        *(() if alike else (Column("against"),)),
        number("difference", signed=True),
        number("p"),
        Column("verdict", is_verdict=True),
        *((number("resampled", 2),) if resampled else ()),
        Column("winner or witness"),
    )
    rows: list[tuple[Cell, ...]] = []
    for pair in pairs:
        share = (pair.resampled,) if resampled else ()
        rows.append(
            (
                pair.system,
                *(() if alike else (pair.baseline,)),
                pair.difference,
                pair.p,
                pair.verdict,
                *share,
                _remark(pair),
            )
        )
    return Table(columns, tuple(rows), caption, tuple(notes))


def _remark(pair: RobustPair) -> str:
    if pair.verdict == "depends" and pair.witness is not None and pair.witness_difference is not None:
        return f"{winner_of(pair, pair.witness_difference)} {witness_words(pair)}"
    return pair.winner or ""


def wide_table(pairs: Sequence[RobustPair]) -> Table:
    rows = [pair.to_dict() for pair in pairs]
    words = {"system", "baseline", "verdict", "winner", "witness", "witness_holds"}
    columns = tuple(Column(name) if name in words else number(name) for name in rows[0])
    return Table(columns, tuple(tuple(row.values()) for row in rows))


def corner_table(found: Corners) -> Table:
    """Cutoffs down, thresholds across; a fixed part has one row or column."""
    heads = [f"grade ≥ {threshold:g}" for threshold in found.thresholds] or ["gain as in the measure"]
    sides = [f"top {cutoff}" for cutoff in found.cutoffs] or ["discount as in the measure"]
    columns = (Column("counted alike"), *(number(head, signed=True) for head in heads))
    rows: list[tuple[Cell, ...]] = [(side, *row) for side, row in zip(sides, found.differences, strict=True)]
    return Table(columns, tuple(rows), f"{found.system} − {found.baseline}: {corner_sentence(found)}")


def corner_sentence(found: Corners) -> str:
    """Who is ahead where, in plain words: 'a is ahead at every cutoff from 3 on'."""
    signs = [[0 if abs(value) <= 1e-12 else 1 if value > 0 else -1 for value in row] for row in found.differences]
    flat = [sign for row in signs for sign in row]
    for sign, name in ((1, found.system), (-1, found.baseline)):
        if sign in flat and -sign not in flat:
            return f"{name} is never behind at a plain cutoff" + (" and grade threshold" if found.thresholds else "")
    if not any(flat):
        return "level at every corner"
    sides = []
    for sign, name in ((1, found.system), (-1, found.baseline)):
        tops = [
            cutoff for cutoff, row in zip(found.cutoffs or (0,), signs, strict=True) if sign in row and -sign not in row
        ]
        if tops and found.cutoffs:
            sides.append(f"{name} is ahead at {_cutoffs(tops)}")
    mixed = [cutoff for cutoff, row in zip(found.cutoffs or (0,), signs, strict=True) if 1 in row and -1 in row]
    if mixed and found.cutoffs:
        sides.append(f"it depends on the grades at {_cutoffs(mixed)}")
    return "; ".join(sides) if sides else "it depends on the grades"


def _cutoffs(numbers: Sequence[int]) -> str:
    return f"{'cutoff' if len(numbers) == 1 else 'cutoffs'} {_ranges(numbers)}"


def _ranges(numbers: Sequence[int]) -> str:
    """'1 to 3, 5'."""
    spans: list[list[int]] = []
    for one in numbers:
        if spans and one == spans[-1][1] + 1:
            spans[-1][1] = one
        else:
            spans.append([one, one])
    return ", ".join(f"{a} to {b}" if b > a else f"{a}" for a, b in spans)
