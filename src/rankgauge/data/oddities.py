"""What is legal but odd in judgments and runs: each oddity is counted, with examples."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rankgauge.data.tables.faults import similar
from rankgauge.data.tables.table import FrameTable
from rankgauge.errors import plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share

_SHORT = 10


def about_judgments(table: FrameTable) -> list[Note]:
    """Negative and fractional values, queries in which nothing or everything is relevant, padded ids."""
    frame, value = table.data, pl.col(table.number)
    best = frame.group_by("query", maintain_order=True).agg(value.max().alias("best"), value.min().alias("least"))
    barren = best.filter(pl.col("best") <= 0)["query"].to_list()
    rows = f"of {plural(len(frame), 'judged value')}"
    notes = [
        _rows(table, value < 0, "negative-values", rows + " below 0; graded measures count them as 0"),
        _rows(table, value != value.floor(), "fractional-values", rows + " not whole; kept unchanged"),
        _names(table, barren, len(best), "no-relevant-documents", "without a relevant document (no value above 0)"),
    ]
    if len(best) and (best["least"] > 0).all():
        text = "every judged document is relevant; measures that need documents judged not relevant say little"
        notes.append(noted("only-relevant", text, table.origin, len(frame)))
    return [note for note in [*notes, _padded(table)] if note is not None]


def about_run(table: FrameTable, rank: pl.Series | None) -> list[Note]:
    """Ties, lists that are short, constant or upside down, padded ids."""
    score = pl.col(table.number)
    frame = table.data.with_columns(row=pl.int_range(pl.len()), rank=rank if rank is not None else pl.lit(None))
    tied = int(frame.select(pl.struct("query", table.number).is_duplicated().sum()).item())
    lists = frame.group_by("query", maintain_order=True).agg(
        pl.len().alias("size"), score.n_unique().alias("distinct"), score.cast(pl.Float32).n_unique().alias("single")
    )
    constant = lists.filter((pl.col("distinct") == 1) & (pl.col("size") > 1))["query"].to_list()
    short = lists.filter(pl.col("size") < _SHORT)["query"].to_list()
    coarse = lists.filter(pl.col("single") < pl.col("distinct"))["query"].to_list()
    notes = [_rising(table, frame, has_ranks=rank is not None)]
    if tied:
        text = f"{share(tied, len(frame), 'row')} ({tied / len(frame):.1%}) tied in score with another; ties are ordered by document id unless the policy changes this"
        notes.append(noted("ties", text, table.origin, tied))
    notes += [
        _names(table, constant, len(lists), "constant-scores", "with the same score for all documents, so not ranked"),
        _names(
            table,
            coarse,
            len(lists),
            "single-precision",
            "with scores that differ in double precision only; trec_eval 9 treats them as ties",
        ),
        _names(table, short, len(lists), "short-lists", f"with fewer than {_SHORT} documents"),
        _padded(table),
    ]
    return [note for note in notes if note is not None]


def about_both(judged: FrameTable, run: FrameTable) -> list[Note]:
    """Queries that only one of the two has, and documents nobody judged."""
    known, answered = _queries(judged), _queries(run)
    missing = [query for query in known if query not in set(answered)]
    foreign = [query for query in answered if query not in set(known)]
    near = _near(foreign, missing, "in the run", "in the judgments")
    notes = [
        _names(run, missing, len(known), "missing-queries", "judged but missing from the run", near),
        _names(run, foreign, len(answered), "unjudged-queries", "of the run without judgments", near),
    ]
    top = run.data.filter(pl.col("query").is_in(known)).sort(run.number, "document", descending=True)
    top = top.group_by("query", maintain_order=True).head(_SHORT)
    hit = top.join(judged.data, on=["query", "document"], how="semi")
    unjudged = len(top) - len(hit)
    if unjudged:
        text = f"{unjudged / len(top):.1%} of the documents in the top {_SHORT} are unjudged ({unjudged:,} of {len(top):,})"
        notes.append(noted("unjudged-documents", text, run.origin, unjudged))
    if not len(run.data.join(judged.data, on=["query", "document"], how="semi")):
        documents = [table.data["document"].unique(maintain_order=True).head(2000).to_list() for table in (run, judged)]
        text = "none of its documents is judged: are document ids written the same way in both?"
        places = _near(documents[0], documents[1], "in the run", "in the judgments")
        notes.append(noted("no-judged-documents", text, run.origin, len(run.data), places))
    return [note for note in notes if note is not None]


def _rising(table: FrameTable, frame: pl.DataFrame, *, has_ranks: bool) -> Note | None:
    """Scores that grow down the list: distances, or ranks that belong to another order."""
    order = ["query", "rank", "row"] if has_ranks else ["query", "row"]
    step = pl.col(table.number).diff().over("query")
    steps = frame.sort(order).with_columns(step=step).drop_nulls("step")
    lists = steps.group_by("query", maintain_order=True).agg(
        up=(pl.col("step") > 0).any(), down=(pl.col("step") < 0).any()
    )
    upside = lists.filter(pl.col("up") & ~pl.col("down"))["query"].to_list()
    if len(lists) and 2 * len(upside) > len(lists):
        what = "rise with rank" if has_ranks else "rise from row to row"
        text = f"with scores that {what}; the highest score counts as the best"
        hint = "Are these distances? Then negate them."
        return _names(table, upside, len(lists), "rising-scores", text, hint=hint)
    if has_ranks:
        broken = lists.filter(pl.col("up"))["query"].to_list()
        return _names(table, broken, len(lists), "ranks-disagree", "whose ranks and scores disagree; the scores count")
    return None


def _rows(table: FrameTable, condition: pl.Expr, kind: str, text: str) -> Note | None:
    """Rows that meet a condition, with the first few named."""
    found = table.data.filter(condition)
    if not len(found):
        return None
    pairs = [
        (str(query), str(document)) for query, document in found.select("query", "document").head(SHOWN).iter_rows()
    ]
    lines = table.find_lines(pairs)
    numbers = found[table.number].head(SHOWN).to_list()
    places = tuple(
        (f"{table.unit} {lines[pair][0]}: " if lines.get(pair) else "")
        + f"{table.number} {number:g} of query {clip(pair[0])}, document {clip(pair[1])}"
        for pair, number in zip(pairs, numbers, strict=True)
    )
    first = lines[pairs[0]][0] if lines.get(pairs[0]) else None
    return noted(kind, f"{len(found):,} {text}", table.origin, len(found), places, first)


def _names(
    table: FrameTable,
    names: Sequence[str],
    whole: int,
    kind: str,
    text: str,
    more: tuple[str, ...] = (),
    hint: str | None = None,
) -> Note | None:
    """Queries of which something is to be said."""
    if not names:
        return None
    some = ", ".join(map(clip, names[:SHOWN])) + (" …" if len(names) > SHOWN else "")
    message = f"{share(len(names), whole, 'query')} {text} ({some})"
    return noted(kind, message, table.origin, len(names), more, hint=hint, examples=tuple(map(clip, names[:SHOWN])))


def _padded(table: FrameTable) -> Note | None:
    """Ids that begin or end with a blank, which no eye sees and no join forgives."""
    odd = [
        name
        for role in ("query", "document")
        for name in table.data[role].unique(maintain_order=True).to_list()
        if name != name.strip()
    ]
    if not odd:
        return None
    text = f"{plural(len(odd), 'id')} with blanks at the beginning or end; they count as part of the id"
    return noted("padded-ids", text, table.origin, len(odd), tuple(repr(clip(name)) for name in odd[:SHOWN]))


def _near(some: Sequence[str], others: Sequence[str], here: str, there: str) -> tuple[str, ...]:
    return tuple(f"nearest: {a!r} {here}, {b!r} {there}" for a, b in similar(some, others)) if some and others else ()


def _queries(table: FrameTable) -> list[str]:
    return [str(name) for name in table.data["query"].unique(maintain_order=True).to_list()]
