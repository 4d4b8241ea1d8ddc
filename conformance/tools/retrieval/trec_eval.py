"""trec_eval: the program itself, which prints four digits. TREC_EVAL_9 and TREC_EVAL_10 name its two releases."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial

from given import Case, files, output, program

_RELEASES = [release for release in ("9", "10") if os.environ.get(f"TREC_EVAL_{release}")] or ["9"]
PROGRAMS = {
    release: program(f"TREC_EVAL_{release}", "https://github.com/usnistgov/trec_eval, built with make")
    for release in _RELEASES
}
TOOLS = tuple(f"trec_eval-{release}{option}" for release in PROGRAMS for option in ("", "-c"))
VERSION = " and ".join(PROGRAMS)
NAMES = {
    "AP": ("map", "map"),
    "RR": ("recip_rank", "recip_rank"),
    "P@k": ("P.{k}", "P_{k}"),
    "R@k": ("recall.{k}", "recall_{k}"),
    "nDCG": ("ndcg", "ndcg"),
    "nDCG@k": ("ndcg_cut.{k}", "ndcg_cut_{k}"),
    "AP@k": ("map_cut.{k}", "map_cut_{k}"),
    "Hit@k": ("success.{k}", "success_{k}"),
}


def measures(case: Case, tool: str) -> dict[str, Callable[[], float]]:
    _, release, *option = tool.split("-")

    def value(asked: str, printed_as: str) -> float:
        with tempfile.TemporaryDirectory() as folder:
            told = ["-c"] if option else []
            words = [PROGRAMS[release], *told, "-m", asked.format(k=case["k"]), *files(case, folder)]
            printed = output(words)
        lines = [line.split() for line in printed.splitlines()]
        return float(next(line[2] for line in lines if line[0] == printed_as.format(k=case["k"])))

    return {ours: partial(value, *names) for ours, names in NAMES.items()}
