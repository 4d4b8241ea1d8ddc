"""Collections whose truth is known: to try an analysis where the right answer can be looked up.

`simulate_scores` draws a score matrix with given variance components; `simulate` draws judgments and runs, from which
any measure can be computed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rankgauge.analysis.stability.variance import VarianceComponents
from rankgauge.arrays import Floats
from rankgauge.data.write import write_whole
from rankgauge.errors import UsageError, did_you_mean
from rankgauge.signature import Count, checked
from rankgauge.tables.table import Column, Table, to_csv

SEGMENTS = ("head", "torso", "tail")


@dataclass(frozen=True, eq=False)
class SimulatedScores:
    """A score matrix, systems × queries, and the components it was drawn with."""

    values: Floats
    truth: VarianceComponents
    seed: int


@dataclass(frozen=True)
class Strengths:
    """How much a relevant document differs from the others: the spread of systems, of queries, and of their pairs around a base."""

    base: float = 1.2
    system: float = 0.35
    query: float = 0.40
    interaction: float = 0.35


@dataclass(frozen=True, eq=False)
class SimulatedCollection:
    """Judgments and runs, with what they were drawn from.

    Each query has its own documents, all judged. `grades` is queries × documents, `scores` systems × queries ×
    documents. `strength` (systems × queries) is how far a document of grade 1 is above the others in units of the
    scores' noise, its drawn parts are `system_effects` and `query_effects`: a system with a higher effect is truly
    better. Queries of the head tend to be easier than those of the tail; language makes no difference.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    texts: tuple[str, ...]
    segments: tuple[str, ...]
    languages: tuple[str, ...]
    grades: NDArray[np.int8]
    scores: Floats
    system_effects: Floats
    query_effects: Floats
    strength: Floats
    seed: int

    def documents(self, query: str) -> tuple[str, ...]:
        size = self.grades.shape[1]
        return tuple(f"{query}-d{number:0{len(str(size))}}" for number in range(1, size + 1))

    def judgments(self) -> dict[str, dict[str, int]]:
        """Grade of every document: query → document → grade."""
        return {
            query: dict(zip(self.documents(query), row, strict=True))
            for query, row in zip(self.queries, self.grades.tolist(), strict=True)
        }

    @checked
    def run(self, system: str, depth: Count = 100) -> dict[str, dict[str, float]]:
        """The best documents of one system, best first: query → document → score."""
        if system not in self.systems:
            raise UsageError(f"no simulated system {system!r}\n{did_you_mean(system, self.systems)}")
        return self._run(self.systems.index(system), depth, [self.documents(query) for query in self.queries])

    @checked
    def runs(self, depth: Count = 100) -> dict[str, dict[str, dict[str, float]]]:
        """Every system's run: system → query → document → score."""
        names = [self.documents(query) for query in self.queries]
        return {system: self._run(place, depth, names) for place, system in enumerate(self.systems)}

    def query_table(self) -> dict[str, tuple[str, ...]]:
        """Columns query, text, segment and language: what `--queries` reads and `--by` slices."""
        return {"query": self.queries, "text": self.texts, "segment": self.segments, "language": self.languages}

    def best_first(self) -> tuple[str, ...]:
        """Systems in their true order."""
        return tuple(self.systems[place] for place in np.argsort(-self.system_effects, kind="stable"))

    @checked
    def save(self, folder: str | PathLike[str], *, depth: Count = 100) -> None:
        """Write judgments.qrels, runs/*.trec, queries.csv and truth.json into a folder, which is created if needed."""
        target = Path(folder)
        try:
            (target / "runs").mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as problem:  # ValueError: a NUL in the name
            why = getattr(problem, "strerror", None) or problem
            raise UsageError(f"{target}: cannot be created ({why})") from None
        judged = [
            f"{query} 0 {one} {grade}\n" for query, all_ in self.judgments().items() for one, grade in all_.items()
        ]
        write_whole(target / "judgments.qrels", "".join(judged).encode())
        for system in self.systems:
            lines = [
                f"{query} Q0 {document} {rank} {score:.6f} {system}\n"
                for query, found in self.run(system, depth).items()
                for rank, (document, score) in enumerate(found.items(), 1)
            ]
            write_whole(target / "runs" / f"{system}.trec", "".join(lines).encode())
        columns = self.query_table()
        table = Table(tuple(map(Column, columns)), tuple(zip(*columns.values(), strict=True)))
        write_whole(target / "queries.csv", to_csv(table).encode())
        truth = {
            "seed": self.seed,
            "best_first": self.best_first(),
            "system_effects": dict(zip(self.systems, self.system_effects.tolist(), strict=True)),
            "query_effects": dict(zip(self.queries, self.query_effects.tolist(), strict=True)),
        }
        write_whole(target / "truth.json", (json.dumps(truth, indent=1) + "\n").encode())

    def _run(self, place: int, depth: int, names: list[tuple[str, ...]]) -> dict[str, dict[str, float]]:
        scores = self.scores[place]
        order = np.argsort(-scores, axis=1, kind="stable")[:, :depth]
        best = np.take_along_axis(scores, order, axis=1).tolist()
        return {
            query: dict(zip([documents[document] for document in ranked], row, strict=True))
            for query, documents, ranked, row in zip(self.queries, names, order.tolist(), best, strict=True)
        }


def simulate_scores(
    systems: int = 50, queries: int = 50, *, truth: VarianceComponents | None = None, mean: float = 0.5, seed: int = 7
) -> SimulatedScores:
    """Scores as mean + system + query + residual, each normal with the given variance; not bounded by 0 and 1."""
    _check_size(systems=systems, queries=queries)
    truth = truth or VarianceComponents(system=0.01, query=0.02, residual=0.03)
    if min(truth.system, truth.query, truth.residual) < 0:
        raise UsageError(f"a variance is not negative, unlike one of {truth.to_dict()}")
    random = np.random.default_rng(seed)
    system = random.normal(0, np.sqrt(truth.system), (systems, 1))
    query = random.normal(0, np.sqrt(truth.query), (1, queries))
    residual = random.normal(0, np.sqrt(truth.residual), (systems, queries))
    return SimulatedScores(mean + system + query + residual, truth, seed)


def simulate(
    systems: int = 60,
    queries: int = 50,
    *,
    documents: int = 300,
    relevant: float = 25.0,
    highest_grade: int = 2,
    high: float = 0.35,
    strengths: Strengths | None = None,
    lift: float = 0.25,
    shared: float = 0.3,
    tail: float | None = None,
    seed: int = 7,
) -> SimulatedCollection:
    """Judgments and runs of systems whose true order is known."""
    _check_size(systems=systems, queries=queries, documents=documents, highest_grade=highest_grade)
    random = np.random.default_rng(seed)
    spread = strengths or Strengths()
    graded = _draw_grades(random, queries, documents, relevant, highest_grade, high)
    system_effects = random.normal(0, spread.system, systems)
    query_effects = random.normal(0, spread.query, queries)
    interaction = random.normal(0, spread.interaction, (systems, queries))
    strength = np.maximum(0.0, spread.base + system_effects[:, None] + query_effects + interaction)
    scores = _draw_scores(random, graded, strength, lift, shared, tail)
    segments, languages = _draw_slices(random, query_effects, spread.query)
    return SimulatedCollection(
        systems=_numbered("system-", systems),
        queries=_numbered("q", queries),
        texts=query_texts(languages),
        segments=segments,
        languages=languages,
        grades=graded,
        scores=scores,
        system_effects=system_effects,
        query_effects=query_effects,
        strength=strength,
        seed=seed,
    )


def _draw_grades(
    random: np.random.Generator, queries: int, documents: int, relevant: float, highest: int, high: float
) -> NDArray[np.int8]:
    shape = 1.5
    counts = np.minimum(1 + random.negative_binomial(shape, shape / (shape + relevant), queries), documents)
    # A relevant document rises one grade at a time and stops at its first failure.
    rises = np.cumprod(random.random((queries, documents, highest - 1)) < high, axis=2).sum(axis=2)
    # Which documents are relevant is drawn too: an id must not give its grade away.
    places = random.permuted(np.tile(np.arange(documents), (queries, 1)), axis=1)
    return np.where(places < counts[:, None], 1 + rises, 0).astype(np.int8)


def _draw_scores(
    random: np.random.Generator,
    grades: NDArray[np.int8],
    strength: Floats,
    lift: float,
    shared: float,
    tail: float | None,
) -> Floats:
    systems, (queries, documents) = len(strength), grades.shape
    shape = (systems, queries, documents)
    scores = random.standard_normal(shape) if tail is None else random.standard_t(tail, shape)
    if tail is not None:
        scores *= np.sqrt((tail - 2) / tail)
    scores *= np.sqrt(1 - shared)
    scores += np.sqrt(shared) * random.standard_normal((queries, documents))
    worth = np.where(grades > 0, 1 + lift * (grades - 1.0), 0.0)
    for query in range(queries):
        scores[:, query, :] += strength[:, query, None] * worth[query]
    return scores


def _draw_slices(
    random: np.random.Generator, query_effects: Floats, spread: float
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    popularity = query_effects + random.normal(0, spread, len(query_effects))
    place = np.argsort(np.argsort(-popularity)) / len(popularity)
    segments = tuple(SEGMENTS[int(band)] for band in np.searchsorted([0.2, 0.5], place, side="right"))
    languages = random.choice(list(LANGUAGES), len(query_effects), p=list(LANGUAGES.values()))
    return segments, tuple(str(language) for language in languages)


def _numbered(prefix: str, count: int) -> tuple[str, ...]:
    return tuple(f"{prefix}{number:0{max(2, len(str(count)))}}" for number in range(1, count + 1))


_MOST = 10**9


def _check_size(**sizes: int) -> None:
    for name, size in sizes.items():
        if size < 1:
            raise UsageError(f"{name} must be at least 1, not {size!r}")
        if size > _MOST:
            raise UsageError(f"{name}={size} is above {_MOST:,}, more than can be generated")


# Language and its share of the queries.
LANGUAGES = {"en": 0.6, "de": 0.25, "fr": 0.15}

THINGS = {
    "en": (
        "garden chair", "running shoes", "desk lamp", "rain jacket", "coffee grinder", "travel bag", "bicycle helmet",
        "kitchen scale", "wool blanket", "picture frame", "hiking map", "water bottle", "bread knife", "alarm clock",
        "bird feeder", "chess board",
    ),
    "de": (
        "Gartenstuhl", "Laufschuhe", "Schreibtischlampe", "Regenjacke", "Kaffeemühle", "Reisetasche", "Fahrradhelm",
        "Küchenwaage", "Wolldecke", "Bilderrahmen", "Wanderkarte", "Trinkflasche", "Brotmesser", "Wecker",
        "Vogelhaus", "Schachbrett",
    ),
    "fr": (
        "chaise de jardin", "chaussures de course", "lampe de bureau", "veste de pluie", "moulin à café",
        "sac de voyage", "casque de vélo", "balance de cuisine", "couverture en laine", "cadre photo",
        "carte de randonnée", "gourde", "couteau à pain", "réveil", "mangeoire à oiseaux", "échiquier",
    ),
}  # fmt: skip
WISHES = {
    "en": (
        "",
        "for children",
        "second hand",
        "best price",
        "test winner",
        "near me",
        "with accessories",
        "made of wood",
    ),
    "de": ("", "für Kinder", "gebraucht", "günstig", "Testsieger", "in der Nähe", "für Anfänger", "aus Holz"),
    "fr": ("", "pour enfants", "d'occasion", "pas cher", "comparatif", "près de moi", "pour débutants", "en bois"),
}


def query_texts(languages: Sequence[str]) -> tuple[str, ...]:
    """One text per query in its language, no two the same; past 128 of a language a year makes them differ."""
    used = dict.fromkeys(THINGS, 0)
    texts = []
    for language in languages:
        things, wishes = THINGS[language], WISHES[language]
        year, place = divmod(used[language], len(things) * len(wishes))
        used[language] += 1
        turn, thing = divmod(place, len(things))
        # Each turn through the things gives them their next wish.
        wish = wishes[(thing + turn) % len(wishes)]
        texts.append(" ".join(part for part in (things[thing], wish, str(2000 + year) if year else "") if part))
    return tuple(texts)
