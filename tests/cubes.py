"""Analyses of arrays with names: what tests of statistics call."""

from __future__ import annotations

import numpy as np

import rankgauge


def scores_of(values, systems=None, measures=None, queries=None):
    return rankgauge.Scores.from_matrix(values, systems, queries, measures, rows="systems")


def compare_cube(values, systems, measures, **options):
    """Systems × queries × measures."""
    return rankgauge.compare(scores_of(values, systems, measures), **options)


def discriminate_cube(values, systems, measures, **options):
    return rankgauge.discriminate(scores_of(values, systems, measures), **options)


def study_matrix(values, measure="score", **options):
    """The stability of one measure, systems × queries."""
    return rankgauge.stability(scores_of(values, measures=[measure]), **options)[measure]


class Cube:
    """Matrices of several measures over the same systems and queries, to be changed before they become scores."""

    def __init__(self, cube, systems=None, queries=None):
        self.cube, self.systems, self.queries = cube, systems, queries

    def scores(self):
        return scores_of(np.stack(list(self.cube.values()), axis=2), self.systems, list(self.cube), self.queries)
