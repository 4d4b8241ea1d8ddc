"""discriminate() over scores."""

from __future__ import annotations

from dataclasses import replace

from rankgauge.analysis.comparison import discrimination as cubes
from rankgauge.analysis.comparison.discrimination import Discrimination
from rankgauge.analysis.comparison.scores import cube_of, names_of
from rankgauge.analysis.score_table import ScoreTable, evaluation_notes
from rankgauge.evaluation.notes import gathered
from rankgauge.kernels.resampling import Progress


def discriminate(
    scores: ScoreTable,
    *,
    top: int | None = None,
    samples: int = 1000,
    alpha: float = 0.05,
    seed: int = 7,
    add_one: bool = False,
    progress: Progress | None = None,
) -> Discrimination:
    """What share of all pairs of systems does each measure tell apart? Sakai's paired bootstrap.

    `top` keeps the best systems by mean rank over the measures. The achieved significance level of a pair is
    #/samples, 0 where no resample reaches the observed t; `add_one` makes it (1+#)/(1+samples). A query without a score
    in some cell is left out.
    """
    found = cubes.discriminate(
        cube_of(scores),
        scores.systems,
        names_of(scores),
        top=top,
        samples=samples,
        alpha=alpha,
        seed=seed,
        add_one=add_one,
        progress=progress,
    )
    return replace(found, notes=tuple(gathered(evaluation_notes(scores))))
