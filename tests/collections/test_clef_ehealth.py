"""CLEF eHealth 2015: the organisers' nDCG of every run, topic and cutoff up to 100."""

from __future__ import annotations

import gzip

from rankgauge import evaluate

CUTOFFS = (5, 10, 15, 20, 30, 100)


def test_every_official_value_per_topic_is_reproduced(collections):
    folder = collections / "clef-ehealth-2015"
    runs = sorted((folder / "runs").glob("*.gz"))
    assert len(runs) == 7
    scores = evaluate(folder / "qrels.eng.clef2015.qtest.graded.txt.gz", runs, [f"nDCG@{k}" for k in CUTOFFS])
    ours = scores.per_query()
    compared = 0
    for run in runs:
        name = run.name.removesuffix(".gz")
        official = folder / f"{name}.ndcg.gz"
        for line in gzip.decompress(official.read_bytes()).decode().splitlines():
            measure, topic, value = line.split()
            cutoff = int(measure.removeprefix("ndcg_cut_"))
            if cutoff in CUTOFFS and topic != "all":
                assert f"{ours[name][topic][f'nDCG@{cutoff}']:.4f}" == value, (name, topic, cutoff)
                compared += 1
    assert compared == 7 * 66 * 6
