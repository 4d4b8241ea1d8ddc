"""Text that would like to be more than text, wherever users may name something."""

from __future__ import annotations

import rankgauge
from rankgauge.measures import parse
from rankgauge.presentation.report.material import gather
from rankgauge.presentation.report.measure_grid import variants_of

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


def hostile_material():
    """Everything a user may name is hostile: systems, queries, texts and documents."""
    documents = [f"{text} {at}" for at, text in enumerate(HOSTILE)]
    judged = {query: {document: at % 3 for at, document in enumerate(documents)} for query in HOSTILE}
    runs = [
        rankgauge.Run(
            {
                query: {document: float((at * (turn + 2) + len(query)) % 7) for at, document in enumerate(documents)}
                for query in HOSTILE
            },
            name=name,
        )
        for turn, name in enumerate(HOSTILE)
    ]
    judgments = rankgauge.Judgments(judged)
    grid = variants_of(parse("nDCG@10"))
    every = rankgauge.evaluate(judgments, runs, grid)
    texts = dict(zip(HOSTILE, reversed(HOSTILE), strict=True))
    return gather(every.select(grid[:1]), variants=every, judgments=judgments, runs=runs, texts=texts, title=HOSTILE[0])
