from __future__ import annotations

import base64
import gzip
import json

import pytest

import rankgauge
from presentation.explore.engine_in_node import awkward, data_of, simulated
from rankgauge import Policy
from rankgauge.errors import RankgaugeError, UsageError


def facts(page):
    """What the page says in words of the numbers it carries: JSON after a mark and its length."""
    data = gzip.decompress(base64.b64decode(data_of(page)))
    return json.loads(data[8 : 8 + int.from_bytes(data[4:8], "little")])


def test_the_same_input_gives_the_same_bytes_without_a_path(tmp_path):
    judged, runs = awkward(systems=3, queries=5)
    one = rankgauge.explore(tmp_path / "one.html", judged, runs)
    two = rankgauge.explore(tmp_path / "two.html", judged, runs)
    assert one.read_bytes() == two.read_bytes()
    assert str(tmp_path) not in one.read_text()
    assert "default-src 'none'" in one.read_text().replace("&#39;", "'")


def test_lists_of_the_queries_that_differ_least_are_left_out_first(tmp_path):
    judged, runs = simulated(systems=4, queries=60)
    whole = rankgauge.explore(tmp_path / "whole.html", judged, runs, lists=20)
    bare = rankgauge.explore(tmp_path / "bare.html", judged, runs, lists=0)
    size = (whole.stat().st_size + bare.stat().st_size) // 2
    page = rankgauge.explore(tmp_path / "page.html", judged, runs, lists=20, size=size)
    assert page.stat().st_size <= size
    kept = facts(page)["lists"]["queries"]
    assert 10 < len(kept) < 60
    values = rankgauge.evaluate(judged, runs).matrix()
    spread = values.max(axis=0) - values.min(axis=0)
    assert min(spread[kept]) >= max(spread[[q for q in range(60) if q not in kept]])
    with pytest.raises(UsageError, match="even without lists"):
        rankgauge.explore(tmp_path / "none.html", judged, runs, size="10kB")
    assert not (tmp_path / "none.html").exists()


@pytest.mark.parametrize(
    ("measure", "given"),
    [
        ("AP", {}),
        ("nDCG", {}),
        ("nDCG@101", {}),
        ("nDCG(relevance=phi)@10", {}),
        ("nDCG(gain=table(0:1))@10", {}),
        ("nDCG@10 nDCG@5", {}),
        ("nDCG@10", {"policy": Policy(unjudged="bounds")}),
        ("nDCG@10", {"lists": 101}),
        ("nDCG@10", {"size": "big"}),
        ("nDCG@10", {"baseline": "nobody"}),
        ("nDCG@10", {"confidence": 95}),
        ("nDCG@10", {"documents": "no/such/file.csv"}),
    ],
)
def test_what_cannot_be_shown_is_refused(tmp_path, measure, given):
    judged, runs = awkward(systems=2, queries=4)
    with pytest.raises(RankgaugeError):
        rankgauge.explore(tmp_path / "page.html", judged, runs, measure, **given)
    assert not (tmp_path / "page.html").exists()


def test_the_report_links_to_the_explorer_with_its_pair(tmp_path):
    judged, runs = simulated(systems=3, queries=8)
    page = rankgauge.report(tmp_path / "report.html", judged, runs, explorer=tmp_path / "deep" / "my explorer.html")
    assert 'href="deep/my%20explorer.html#a=system-' in page.read_text()
    page = rankgauge.report(tmp_path / "report.html", judged, runs, explorer="javascript:alert(1)")
    assert 'href="javascript:' not in page.read_text()
