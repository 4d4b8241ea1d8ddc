"""The tables and figures of Kanoulas & Aslam, "Empirical justification of the gain and discount function for nDCG".

    python papers/optimal-ndcg/recompute.py

reads TREC-COVID rounds 1 to 5 from the folder that RANKGAUGE_DATA names and writes papers/optimal-ndcg/results. Whoever
holds the runs of TREC 9, 10 or 12 gets the paper's own tables from

    python papers/optimal-ndcg/recompute.py --collection "TREC 9" QRELS RUN… -o FOLDER
"""

from __future__ import annotations

import argparse
import json
from inspect import cleandoc
from pathlib import Path
from typing import Any

import charts
import sources
from compute import numbers_of
from study import HALVINGS, SAMPLES, SEED

import tables
from rankgauge.presentation.charts.style import save_chart

RESULTS = Path(__file__).parent / "results"
HEAD = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")


def main() -> None:
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    reader.add_argument("--collection", nargs="+", action="append", metavar=("NAME", "QRELS RUN"))
    reader.add_argument("-o", "--output", type=Path)
    given = reader.parse_args()
    if given.collection and any(len(words) < 3 for words in given.collection):
        reader.error("--collection takes NAME QRELS RUN…")
    found = [sources.named(words) for words in given.collection or []] or sources.rounds()
    if not found:
        reader.error("no collection: set RANKGAUGE_DATA, or name one with --collection")
    folder = given.output or (Path("results") if given.collection else RESULTS)
    write(numbers_of(found, simulate=not given.collection), folder)
    print(f"written to {folder}")


def write(numbers: dict[str, Any], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for number, draw in charts.FIGURES.items():
        save_chart(draw(numbers["collections"]), folder / f"figure-{number}.svg")
    (folder / "README.md").write_text(page(numbers), encoding="utf-8")
    (folder / "numbers.json").write_text(json.dumps(shortened(numbers), indent=1) + "\n", encoding="utf-8")


def page(numbers: dict[str, Any]) -> str:
    """The page as these numbers make it; a test makes it again from numbers.json."""
    collections, simulated = numbers["collections"], numbers["simulation"]
    sections = [
        ("The paper's claims", tables.claims(collections)),
        ("The collections", tables.the_collections(collections)),
        ("Table 1: queries needed, by discount", f"{tables.table_1.__doc__}\n\n{tables.table_1(collections)}"),
        ("Table 2: optimal gain ratio", f"{tables.table_2.__doc__}\n\n{tables.table_2(collections)}"),
        ("Table 3: queries needed, by gain", f"{tables.table_3.__doc__}\n\n{tables.table_3(collections)}"),
        ("Table 4: τ between orders of systems", f"{tables.table_4.__doc__}\n\n{tables.table_4(collections)}"),
        (
            "Figure 9 in numbers",
            f"{cleandoc(tables.table_power.__doc__ or '')}\n\n{tables.table_power(collections)}\n\n{AUDIT}",
        ),
        (
            "Ours, the paper's future work: searched for power itself",
            f"{SEARCHED}\n\n{tables.table_searched.__doc__}\n\n{tables.table_searched(collections)}\n\n{_read_searched(collections)}",
        ),
        (
            "Ours: on queries that were not searched",
            f"{tables.table_unseen.__doc__}\n\n{tables.table_unseen(collections)}",
        ),
    ]
    if simulated:
        sections.append(("Ours: where the truth is known", SIMULATED.format(**_simulated(simulated))))
    graded = [
        text.format(**_graded(numbers[name]))
        for name, text in (("four_grades", FOUR), ("five_grades", FIVE))
        if numbers[name]
    ]
    if graded:
        sections.append(("Ours, the paper's future work: more than three grades", "\n\n".join(graded)))
    sections.append(("The figures", _figures()))
    head = HEAD.format(commit=numbers["commit"], seed=SEED, samples=f"{SAMPLES:,}", halvings=HALVINGS)
    return head + "".join(f"\n## {title}\n\n{body}\n" for title, body in sections)


AUDIT = """Other counts of the same share lie within the Monte-Carlo error of 1,000 samples: an audit had 0.211 for the optimum of round 5
(92 of 435 pairs), 20 seeds give the range in brackets, and which 30 systems are the best depends on the measures that vote."""

SEARCHED = """“This is not a trivial optimization and it seems at least computationally inefficient” (3.5). Gain and discount of nDCG@20 are searched for Φ, for
Eρ² and for power (`optimize --objective`), each on the 30 best systems. The share of pairs that paired t-tests separate is a step function; what is
climbed, with a certificate, is the share that as many fresh queries are expected to separate if every observed t is the true one. The share itself has
none, so it is tried on unseen queries: 10 halvings, both ways. (In Figure 9 the optimum was searched on all systems, here on the 30 best.)"""


def _read_searched(collections: dict[str, Any]) -> str:
    """What the table says, counted."""
    sure = {
        name: sum(one["searched"][name]["lead"] > 2 * one["searched"][name]["error"] for one in collections.values())
        for name in ("phi", "erho", "power")
    }
    total = len(collections)
    words = ", ".join(f"{sign} in {sure[name]}" for name, sign in (("phi", "Φ"), ("erho", "Eρ²"), ("power", "power")))
    return f"Of {total} collections, the optimum leads on unseen queries by more than two standard errors: {words}."


SIMULATED = """Simulated collections serve one purpose: their fresh queries are the truth that a search on 50 queries should find. They are
not the TREC collections and confirm or refute nothing about them. {seeds} seeds, {fresh} fresh queries each; after ± the standard
deviation over seeds.

{simulated}

The optimal gain ratio depends on how much better the simulated systems see a highly relevant document (`lift`: its score is
1 + lift times that of a relevant one), so a simulation can give any ratio, and none is evidence for Table 2:

{lifts}

Settings (strengths: base, and the standard deviations of systems, queries and their pairs; `simulate` explains them):

{settings}"""


FOUR = """“this may not be the case for other test collections and in particular for collections with more than three relevance grades […] Unfortunately,
currently we do not possess any such collection” (3.2). TREC DL 2021 (passages) is one: grades 0 to 3, {systems} systems, {queries} queries, data
`{data}`. Where the optimal gain rises more steeply than the grades, excellent passages separate systems better than marginal ones, as the paper
suspected.

{table}"""

FIVE = """LightGBM's lambdarank example has grades 0 to 4 ({queries} queries, data `{data}`); the
{systems} best of its 300 features serve as systems. **Features are not retrieval systems**: most order documents hardly better than chance, and the
best were picked on the same queries, so the Φ are small and nothing here is about search engines. What it shows: the method works with five
grades, and there the gain can matter much more than with three.

{table}"""


def _graded(found: dict[str, Any]) -> dict[str, Any]:
    body = [
        [cutoff, name, " ".join(f"{value:.3g}" for value in row["gain"]), f"{row['phi']:.4f}", f"{row['needed']:g}"]
        for cutoff in found
        if cutoff.isdigit()
        for name, row in found[cutoff].items()
    ]
    head = ["cutoff", "gain", "worth of grades 1 2 3 …", "Φ for one query", "queries for 0.90"]
    return {**found, "table": tables.markdown(head, body)}


def _simulated(found: dict[str, Any]) -> dict[str, Any]:
    return {
        "seeds": found["seeds"],
        "fresh": found["fresh"],
        "simulated": tables.table_simulated(found),
        "lifts": tables.table_lifts(found),
        "settings": tables.table_settings(found),
    }


def _figures() -> str:
    listed = {number: draw.__doc__ for number, draw in charts.FIGURES.items()}
    return "\n\n".join(f"**Figure {number}.** {words}\n\n![](figure-{number}.svg)" for number, words in listed.items())


def shortened(numbers: dict[str, Any]) -> dict[str, Any]:
    """Without what only figures need."""
    collections = {}
    for name, one in numbers["collections"].items():
        orders = {key: value for key, value in one["orders"].items() if not key.endswith("means")}
        power = {key: {k: v for k, v in value.items() if k != "asl"} for key, value in one["power"].items()}
        collections[name] = {**one, "orders": orders, "power": power, "relevant_by_rank": None}
    return {**numbers, "collections": collections}


if __name__ == "__main__":
    main()
