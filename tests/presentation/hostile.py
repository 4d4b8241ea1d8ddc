"""Text that would like to be more than text, wherever users may name something."""

from __future__ import annotations

import rankgauge

RIGHT_TO_LEFT = "emoji 🦊👩‍🔬 و עברית"
HOSTILE = (
    "<script>document.title='run'</script>",
    "</script><img src=x onerror=document.title='run'>",
    "\"quoted\" 'twice' | & \\ `${1}`",
    "=HYPERLINK(1)",
    "[1mm]@SUM(1)--\\input{x} $1$ %",
    RIGHT_TO_LEFT,
    "long " + "x" * 5000,
)


DOCUMENTS = [f"{text} {at}" for at, text in enumerate(HOSTILE)]
JUDGED = {query: {document: at % 3 for at, document in enumerate(DOCUMENTS)} for query in HOSTILE}
RUNS = {
    name: {
        query: {document: float((at * (turn + 2) + len(query)) % 7) for at, document in enumerate(DOCUMENTS)}
        for query in HOSTILE
    }
    for turn, name in enumerate(HOSTILE)
}


def hostile_page(path):
    """A page on which everything a user may name is hostile: systems, queries, texts and documents."""
    texts = dict(zip(HOSTILE, reversed(HOSTILE), strict=True))
    return rankgauge.report(path, JUDGED, RUNS, "nDCG@10", queries=texts, title=HOSTILE[0])
