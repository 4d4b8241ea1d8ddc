"""Queries as people might type them, for simulated collections: a thing and a wish, in three languages."""

from __future__ import annotations

from collections.abc import Sequence

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
    """One text per query in its language, no two alike; past 128 of a language a year tells them apart."""
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
