"""What overturns a pair, against a scan in Python: every exponent, patience, cutoff, power and rule, one by one."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import rankgauge
from presentation.explore.engine_in_node import awkward, data_of, in_node, simulated
from presentation.explore.test_engine_bits import loaded
from rankgauge import Policy
from rankgauge.kernels import curves
from rankgauge.measures.grammar import parse

pytestmark = pytest.mark.usefixtures("node")
WAYS = """
const data = await opened();
data.ties = data.meta.ties;
return input.pairs.map(([a, b]) => Breaking.ways(data, input.setting, a, b).map(({ kind, step, moved }) => [kind, step, moved]));
"""
RANKS = np.arange(1.0, 101.0)
FAMILIES = {"zipf": (curves.zipf, range(301)), "rbp": (curves.rbp, range(30, 100))}


class Scan:
    """Brute force: every measure and rule on the whole collection, once."""

    def __init__(self, judged, runs, fam, parameter, k):
        spelled = f"{fam}({parameter})" if fam in FAMILIES else fam
        self.judged, self.runs, self.fam, self.parameter, self.k = judged, runs, fam, parameter, k
        self.tried = {}
        for family, (_, steps) in FAMILIES.items():
            self.tried |= {(family, step): f"nDCG(discount={family}({step / 100}))@{k}" for step in steps}
        self.tried |= {("cutoff", at): f"nDCG(discount={spelled})@{at}" for at in range(1, 101)}
        self.tried |= {
            ("power", step): f"nDCG(gain=power({step / 10}), discount={spelled})@{k}" for step in range(1, 61)
        }
        self.tried |= {(one, 0): f"nDCG(discount={one})@{k}" for one in ("log2", "linear", "none") if one != fam}
        self.tried[("exp", 0)] = f"nDCG(gain=exp, discount={spelled})@{k}"
        self.now = f"nDCG(discount={spelled})@{k}"
        scores = rankgauge.evaluate(judged, runs, [self.now, *dict.fromkeys(self.tried.values())])
        self.before = scores.matrix(self.now)
        means = scores.mean()
        named = {way: parse(text) for way, text in self.tried.items()}
        self.means = {way: column(means, measure) for way, measure in named.items()}
        self.cells = {way: scores.matrix(measure) for way, measure in named.items()}
        self.mean = column(means, parse(self.now))
        for name, rule in {
            **{f"ties {ties}": Policy(ties=ties) for ties in ("mean", "worst", "best")},
            "unjudged drop": Policy(unjudged="drop"),
        }.items():
            found = rankgauge.evaluate(judged, runs, self.now, policy=rule)
            self.means[name, 0], self.cells[name, 0] = column(found.mean(), parse(self.now)), found.matrix()

    def ways(self, a, b):
        lead = sign(self.mean, a, b)
        if not lead:
            return []
        found = []
        for kind, keys in itertools.groupby(self.means, key=lambda way: way[0]):
            steps = {step for _, step in keys}
            turned = {step for step in steps if sign(self.means[kind, step], a, b) == -lead}
            start = self.start(kind)
            up = min((step for step in turned if step >= start), default=None)
            down = max((step for step in turned if step <= start), default=None)
            found += [(kind, step) for step in dict.fromkeys([up, down]) if step is not None]
        moved = {way: float(np.sqrt(np.nanmean((self.cells[way] - self.before) ** 2))) for way in found}
        return sorted(([*way, moved[way]] for way in found), key=lambda way: way[2])

    def start(self, kind):
        """Where the scan of a family begins: at the setting, or at the member of the family nearest to it."""
        if kind == self.fam:
            return round(self.parameter * 100)
        if kind not in FAMILIES:
            return {"cutoff": self.k, "power": 10}.get(kind, 0)
        function, steps = FAMILIES[kind]
        now = parse(self.now).settings["discount"](RANKS, self.k)[: self.k]
        apart = [np.abs(function(RANKS, None, step / 100)[: self.k] - now / now[0]).sum() for step in steps]
        return steps[int(np.argmin(apart))]


def column(means, measure):
    return np.array([row[str(measure)] for row in means.values()])


def sign(means, a, b):
    p, r = means[a], means[b]
    return 0 if abs(p - r) <= 1e-12 * max(abs(p), abs(r)) else int(np.sign(p - r))


def check(judged, runs, folder, pairs, fam="log2", parameter=1.0, k=10):
    page = rankgauge.explore(folder / "page.html", judged, runs, lists=0)
    setting = {"fam": fam, "par": parameter, "gain": "linear", "k": k, "ties": "document", "unjudged": "zero"}
    found = in_node(folder, WAYS, data=data_of(page), setting=setting, pairs=pairs)
    scan = Scan(judged, runs, fam, parameter, k)
    turned = 0
    for (a, b), ways in zip(pairs, found, strict=True):
        expected = scan.ways(a, b)
        assert sorted(way[:2] for way in ways) == sorted(way[:2] for way in expected), (a, b)
        assert [way[2] for way in ways] == pytest.approx([way[2] for way in expected], rel=1e-9)
        turned += bool(expected)
    return turned


@pytest.mark.parametrize(("fam", "parameter", "k"), [("log2", 1.0, 10), ("zipf", 1.5, 5), ("rbp", 0.8, 20)])
def test_break_it_finds_what_a_scan_finds(tmp_path, fam, parameter, k):
    judged, runs = awkward(systems=5)
    assert check(judged, runs, tmp_path, list(itertools.combinations(range(5), 2)), fam, parameter, k) > 2


def test_break_it_on_a_simulated_collection(tmp_path):
    judged, runs = simulated(systems=6, queries=30)
    assert check(judged, runs, tmp_path, list(itertools.combinations(range(6), 2))) > 0


@pytest.mark.slow
def test_break_it_on_a_real_collection(real, tmp_path):
    judged, runs = loaded(real)
    best = rankgauge.evaluate(judged, runs).mean()
    names = [run.name for run in runs]
    order = sorted(range(len(runs)), key=lambda at: -best[names[at]]["nDCG@10"])[:12]
    some = [runs[at] for at in order]
    assert check(judged, some, tmp_path, [(0, other) for other in range(1, len(some))]) > (2 if len(runs) > 12 else 1)
