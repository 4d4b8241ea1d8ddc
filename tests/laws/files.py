"""Runs written down as TREC text, in any order and with any blanks."""

from __future__ import annotations

import gzip

import numpy as np
import pyarrow as pa
from hypothesis import strategies as st

PACKERS = {"": bytes, ".gz": gzip.compress, ".zst": lambda text: pa.compress(text, codec="zstd", asbytes=True)}
blanks = st.sampled_from([" ", " ", " ", "\t", "  ", " \t"])
line_ends = st.sampled_from(["\n", "\n", "\n", "\r\n", " \n", "\n\n", "\n# a remark\n"])


@st.composite
def layouts(draw):
    """How the rows of a run are written down: in which order, with which blanks, plain or packed."""
    ragged = draw(st.booleans())
    return {
        "order": draw(st.sampled_from(["as given", "queries together", "shuffled"])),
        "seed": draw(st.integers(0, 99)),
        "blank": draw(blanks) if ragged else draw(st.sampled_from(" \t")),
        "end": draw(line_ends) if ragged else "\n",
        "packed": draw(st.sampled_from(["", ".gz", ".zst"])),
        "last": draw(st.booleans()),
    }


def written(folder, rows, layout, number):
    """A file of TREC text with these rows."""
    cells = [(query, document, value) for query, found in rows.items() for document, value in found.items()]
    random = np.random.default_rng(layout["seed"])
    if layout["order"] != "as given":
        cells = [cells[at] for at in random.permutation(len(cells))]
    if layout["order"] == "queries together":
        cells.sort(key=lambda cell: str(hash((cell[0], layout["seed"]))))
    words = [
        [query, "Q0", document, "1", repr(float(value)), "t"]
        if number == "score"
        else [query, "0", document, str(value)]
        for query, document, value in cells
    ]
    text = "".join(layout["blank"].join(line) + layout["end"] for line in words)
    text = text if layout["last"] else text.rstrip()
    path = folder / f"some.run{layout['packed']}"
    path.write_bytes(PACKERS[layout["packed"]](text.encode()))
    return path


def same_hits(one, two):
    fields = ("query", "rank", "value", "first", "last", "retrieved")
    return all(np.array_equal(getattr(one, name), getattr(two, name)) for name in fields)
