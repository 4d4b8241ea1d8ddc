"""A simulated stream of news in place of the paper's tweets: heavy-tailed counts, many zeros, ranked every half hour.

Popularity follows the authors' program: the count of an item loses 1/96 of its weight every half hour after its
publication and is worth nothing after 48 hours. A ranking holds the 100 items that the simulated engine puts first, by
a noisy view of the count and by age. Topics differ in the share of items nobody shares and in the tail of the counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from measures import Floats, exponential, ndcg, relevance, tiers
from rankgauge.kernels.curves import phi

SEED, DAYS, ITEMS, CUTOFF = 20170101, 30, 100, 10
SLICES = 96  # half hours until a count is worth nothing
WARM_UP = 72  # hours before the first ranking, so that it has enough items


@dataclass(frozen=True)
class Topic:
    name: str
    zeros: float  # share of items with a count of 0
    spread: float  # standard deviation of the log count
    per_day: int = 120


TOPICS = (
    Topic("few zeros, light tail", 0.1, 0.7),
    Topic("some zeros, heavy tail", 0.3, 1.3),
    Topic("many zeros, heavy tail", 0.6, 1.3),
    Topic("many zeros, very heavy tail", 0.6, 2.2),
)


@dataclass(frozen=True)
class Rankings:
    """One topic: popularity of the ranked items in system order, a row every half hour, and both measures."""

    topic: Topic
    hours: Floats
    popularity: Floats
    standard: Floats
    paper: Floats
    authors: Floats


def simulate(topic: Topic, seed: int = SEED) -> Rankings:
    rng = np.random.default_rng([seed, TOPICS.index(topic)])
    hours = WARM_UP + np.arange(0, 24 * DAYS, 0.5)
    published = np.sort(rng.uniform(0, hours[-1], rng.poisson(topic.per_day * hours[-1] / 24)))
    latent = rng.normal(size=len(published))
    counts = np.floor(np.exp(3 + topic.spread * latent)) * (rng.random(len(published)) >= topic.zeros)
    seen = np.log1p(counts)
    promise = 0.5 * (seen - seen.mean()) / seen.std() + rng.normal(scale=0.85, size=len(published))
    popularity = np.array([_ranked(hour, published, counts, promise, rng) for hour in hours])
    measured = (ndcg(exponential(relevance(popularity, settings)), CUTOFF) for settings in (phi.PAPER, phi.AUTHORS))
    return Rankings(topic, hours, popularity, ndcg(exponential(tiers(popularity)), CUTOFF), *measured)


def _ranked(hour: float, published: Floats, counts: Floats, promise: Floats, rng: np.random.Generator) -> Floats:
    """Popularity of the engine's first 100 at this hour, in its order."""
    fresh = np.flatnonzero((published <= hour) & (published > hour - 60))
    age = hour - published[fresh]
    liking = promise[fresh] - age / 24 + rng.normal(scale=0.1, size=len(fresh))
    first = np.argsort(-liking)[:ITEMS]
    past = np.maximum(np.ceil(2 * age[first]), 1) - 1
    return counts[fresh[first]] * np.clip(1 - past / SLICES, 0, 1)
