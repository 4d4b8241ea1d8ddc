"""What the table of coverages counts is what the product says."""

from __future__ import annotations

import json

from paper_folders import made

RANKED = """
import json
from types import SimpleNamespace
import numpy as np, studies
from populations import Population
from tally import Tally

values = np.array([[0.1], [0.4], [0.2], [0.3]]) + np.zeros(6)

def compare(scores):
    # Every range is the true rank, but for the system at 0.2, whose range is one rank off.
    means = scores.matrix(scores.measures[0]).mean(axis=1)
    ranks = [1 + int((means > own + 1e-9).sum()) + (abs(own - 0.2) < 1e-9) for own in means]
    systems = [SimpleNamespace(rank_low=rank, rank_high=rank) for rank in ranks]
    return SimpleNamespace(parts=[SimpleNamespace(systems=systems)])

studies.compare = compare
tally = Tally()
studies.ranked(Population("four", values), 6, 5, np.random.default_rng(1), tally)
rows = {row.what: row.share for row in tally.rows("four", 6) if row.method.startswith("now")}
print(json.dumps([rows, tally.counts["rank, over systems", "now: simultaneous comparisons"].held.tolist()]))
"""


def test_ranks_are_counted_as_compare_shows_them_whichever_system_is_the_baseline():
    rows, held = json.loads(made("coverage", RANKED))
    assert held == [5, 5, 0, 5]
    assert rows == {"rank, over systems": 0.75, "rank, the worst system": 0.0, "all ranks together": 0.0}


SETS = """
import json
import numpy as np, sets

random = np.random.default_rng(2)
noise = random.normal(size=(2, 400))
noise -= noise.mean(axis=1, keepdims=True)
for gap in (0.0, 0.3, 50.0):
    found = sets.settled(noise + [[0.0], [gap]], 40, 60, np.random.default_rng(3))
    print(json.dumps([len(found), *(found.mean(axis=0) if len(found) else ()), *(sets.kept(found, 0.25))]))
"""


def test_plans_of_equal_systems_are_kept_as_often_as_a_test_is_wrong():
    equal, near, far = (json.loads(line) for line in made("coverage", SETS).splitlines())
    count, sign, chance, share, named = equal
    assert 50 <= count <= 60
    assert 0.2 < sign < 0.35
    assert round(chance, 3) == round(share, 3) == 0.05
    assert 0.3 < named < 0.8
    assert near[2] > 0.6
    assert far[0] == 0


TOPICS = """
import json
import numpy as np, topics
from populations import Population

random = np.random.default_rng(4)
values = 0.1 * random.normal(size=(12, 30)) + np.linspace(0, 0.4, 12)[:, None]
values[:, 7] += 3.0 * random.normal(size=12)
shares = topics.influences(values)
found = topics.held(Population("one", values), 7, 60, seed=1)
print(json.dumps([int(shares.argmax()), round(float(shares.sum()), 12), sorted(set(found[:, 0]))]))
print("\\n".join(topics.page([("one", 0.5, found)], 60)))
"""


def test_the_topic_that_decides_is_found_and_counted_by_how_often_it_was_drawn():
    first, *page = made("coverage", TOPICS).splitlines()
    assert json.loads(first) == [7, 1.0, [0.0, 1.0, 2.0]]
    assert page[-1].startswith("| one | 50% |")
    assert page[-1].count("%)") == 3


COPIES = """
import json
import numpy as np, copies

random = np.random.default_rng(5)
values = random.normal(np.linspace(0.0, 0.6, 8)[:, None], 0.25, (8, 50)) + random.normal(size=50)
near = values[:1].repeat(3, axis=0)
near[:, :6] += random.normal(0.0, 0.05, (3, 6))
near[:, 6] -= 1.0
rows = copies.pairs_of(np.vstack([values, near]))
equal = copies.centered(rows)
print(json.dumps([float(np.abs(equal.mean(axis=1)).max()), bool(((equal == 0) == (rows == 0)).all())]))
print(json.dumps(copies.counted(rows, 40, 10, 1).tolist()))
"""


def test_near_copies_are_counted_with_their_ties_before_and_now():
    (mean, ties), (before, now, _) = (json.loads(line) for line in made("coverage", COPIES).splitlines())
    assert mean < 1e-12
    assert ties
    # The second column is the share of pairs found.
    assert before[1] < 0.5 * now[1]
