"""What is legal but odd in judgments and runs: each oddity is counted, with examples."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from rankgauge.data.tables.faults import first_documents, nearest_ids, row_places, some_ids
from rankgauge.data.tables.table import FrameTable
from rankgauge.errors import plural
from rankgauge.tables.notes import SHOWN, Note, clip, noted, share

_SHORT = 10


def about_judgments(table: FrameTable) -> list[Note]:
    """Negative and fractional values, queries in which nothing or everything is relevant, padded ids."""
    frame, value = table.data, pl.col(table.number)
    best = frame.group_by("query", maintain_order=True).agg(value.max().alias("best"), value.min().alias("least"))
    barren = best.filter(pl.col("best") <= 0)["query"].to_list()
    rows, item = f"of {plural(len(frame), 'judged value')}", table.nouns[1]
    notes = [
        _rows(table, value < 0, "negative-values", rows + " below 0; graded measures count them as 0"),
        _rows(table, value != value.floor(), "fractional-values", rows + " not whole; kept unchanged"),
        _names(table, barren, len(best), "no-relevant-documents", f"without a relevant {item} (no value above 0)"),
    ]
    if len(best) and (best["least"] > 0).all():
        text = f"every judged {item} is relevant; measures that need {item}s judged not relevant say little"
        notes.append(noted("only-relevant", text, table.origin, len(frame)))
    return [note for note in [*notes, _padded(table)] if note is not None]


def about_run(table: FrameTable, rank: pl.Series | None) -> list[Note]:
    """Ties, lists that are short, constant or upside down, padded ids."""
    score, item = pl.col(table.number), table.nouns[1]
    frame = table.data.with_columns(row=pl.int_range(pl.len()), rank=rank if rank is not None else pl.lit(None))
    tied = int(frame.select(pl.struct("query", table.number).is_duplicated().sum()).item())
    lists = frame.group_by("query", maintain_order=True).agg(
        pl.len().alias("size"), score.n_unique().alias("distinct"), score.cast(pl.Float32).n_unique().alias("single")
    )
    constant = lists.filter((pl.col("distinct") == 1) & (pl.col("size") > 1))["query"].to_list()
    short = lists.filter(pl.col("size") < _SHORT)["query"].to_list()
    coarse = lists.filter(pl.col("single") < pl.col("distinct"))["query"].to_list()
    double_only = "with scores that differ in double precision only; trec_eval 9 treats them as ties"
    notes = [_rising(table, frame, has_ranks=rank is not None)]
    if tied:
        text = f"{share(tied, len(frame), 'row')} ({tied / len(frame):.1%}) tied in score with another; ties are ordered by {item} id unless the policy changes this"
        notes.append(noted("ties", text, table.origin, tied))
    notes += [
        _names(table, constant, len(lists), "constant-scores", f"with the same score for all {item}s, so not ranked"),
        _names(table, coarse, len(lists), "single-precision", double_only),
        _names(table, short, len(lists), "short-lists", f"with fewer than {_SHORT} {item}s"),
        _padded(table),
    ]
    return [note for note in notes if note is not None]


def about_both(
    judged: FrameTable, known: list[str], run: FrameTable, answered: list[str], *, are_strangers: bool = False
) -> list[Note]:
    """Queries that only one of the two has, and documents nobody judged, unless an error says that all are strangers."""
    missing = [query for query in known if query not in set(answered)]
    foreign = [query for query in answered if query not in set(known)]
    near, item = nearest_ids(foreign, missing), run.nouns[1]
    notes = [
        _names(run, missing, len(known), "missing-queries", "judged but missing from the run", near),
        _names(run, foreign, len(answered), "unjudged-queries", "of the run without judgments", near),
    ]
    top = run.data.filter(pl.col("query").is_in(known)).sort(run.number, "document", descending=True)
    top = top.group_by("query", maintain_order=True).head(_SHORT)
    hit = top.join(judged.data, on=["query", "document"], how="semi")
    unjudged = 0 if are_strangers else len(top) - len(hit)
    if unjudged:
        text = (
            f"{unjudged / len(top):.1%} of the {item}s in the top {_SHORT} are unjudged ({unjudged:,} of {len(top):,})"
        )
        notes.append(noted("unjudged-documents", text, run.origin, unjudged))
    if not (are_strangers or len(run.data.join(judged.data, on=["query", "document"], how="semi"))):
        text = f"none of its {item}s is judged: are {item} ids written the same way in both?"
        places = nearest_ids(first_documents(run.data), first_documents(judged.data))
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
    first = found.select("query", "document", table.number).head(SHOWN).rows()
    places, line = row_places(table, [(row[0], row[1]) for row in first], [f"{row[2]:g}" for row in first])
    return noted(kind, f"{len(found):,} {text}", table.origin, len(found), places, line)


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
    message = f"{share(len(names), whole, table.nouns[0])} {text} ({some_ids(names)})"
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
