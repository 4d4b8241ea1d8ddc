"""The practice notes on NDCG, checked, and the evidence behind docs/choosing.md.

    python papers/ndcg-practice/recompute.py

reads TREC-COVID rounds 1 to 5 from the folder that RANKGAUGE_DATA names.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

from choices import choices
from kept import commit

RESULTS = Path(__file__).parent / "results"
GUIDE = Path(__file__).parents[2] / "docs" / "choosing.md"
BEGIN, END = "<!-- evidence: written by papers/ndcg-practice/recompute.py -->", "<!-- end of evidence -->"
HEAD = ["the notes", "computed here, on what", "printed", "ours", "verdict"]
Found = dict[str, Any]


def main() -> None:
    collections = choices()
    if not collections:
        raise SystemExit("no collections: set RANKGAUGE_DATA")
    from tasks import tasks

    found = {"commit": commit(), "collections": collections, "tasks": tasks()}
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "README.md").write_text(page(found), encoding="utf-8")
    (RESULTS / "numbers.json").write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    GUIDE.write_text(guide(GUIDE.read_text(encoding="utf-8"), found), encoding="utf-8")
    print(f"written to {RESULTS} and {GUIDE.name}")


def page(found: Found) -> str:
    text = (Path(__file__).parent / "page.md").read_text(encoding="utf-8")
    collections = found["collections"]
    parts = {
        "CLAIMS": table(HEAD, [_quoted(row) for row in claims(collections)]),
        "EVIDENCE": evidence(collections),
        "TASKS": by_task(found["tasks"]),
        "COMMIT": found["commit"],
        "DATA": ", ".join(f"`{one['data']}`" for one in collections.values()),
    }
    for name, part in parts.items():
        text = text.replace("{" + name + "}", part)
    return text


def guide(text: str, found: Found) -> str:
    """The guide with its table of evidence made anew."""
    before, rest = text.split(BEGIN)
    tables = f"{evidence(found['collections'])}\n\n{by_task(found['tasks'])}"
    return f"{before}{BEGIN}\n\n{tables}\n\n{END}{rest.split(END)[1]}"


def table(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def evidence(found: Found) -> str:
    """Ranges over the collections: what each measure is like."""
    names = [name for name in next(iter(found.values()))["measures"] if not name.startswith("Judged")]
    body = []
    for name in names:
        rows = [one["measures"][name] for one in found.values()]
        body.append(
            [
                f"`{name}`",
                span([row["needed"] for row in rows], "g"),
                span([row["halves"] for row in rows], ".2f"),
                span([row["power"] for row in rows], ".0%"),
                span([row["tau"] for row in rows], ".2f"),
            ]
        )
    return table(COLUMNS, body)


def by_task(found: Found) -> str:
    passages, products, counts = found["passages"], found["products"], found["counts"]
    named = ("nDCG@3", "nDCG@5", "nDCG@10", "nDCG@20", "nDCG(gain=exp)@10", "AP@100", "R@100", "RR@10")
    rows = [(name, passages["measures"][name]) for name in named]
    body = [
        [f"`{name}`", f"{row['needed']:g}", f"{row['halves']:.2f}", f"{row['power']:.0%}", f"{row['tau']:.2f}"]
        for name, row in rows
    ]
    fill = ", ".join(f"{share:.0%} have {cutoff} or more" for cutoff, share in products["fill"].items())
    rises = [[f"`{name}`", f"{whole:.0%}", f"{steps:.0%}"] for name, (whole, steps) in counts["rises"].items()]
    more = sum(gap > 0 for gap in counts["apart"])
    return TASKS.format(
        systems=passages["systems"],
        questions=passages["queries"],
        passages=passages["data"],
        measures=table(COLUMNS, body),
        queries=products["queries"],
        products=products["data"],
        median=f"{products['median']:g}",
        fill=fill,
        windows=counts["windows"],
        zeros=f"{counts['zeros']:.0%}",
        counts=counts["data"],
        rises=table(["measure", "windows in which every step is up", "steps up"], rises),
        more=f"{more} of {len(counts['apart'])} settings, by {min(counts['apart']):.2f} to {max(counts['apart']):.2f}",
    )


COLUMNS = ["measure", "queries for Φ = 0.95", "τ between halves", "pairs separated", "τ to nDCG@10"]
TASKS = """**Passages for question answering**: TREC DL 2021, {systems} systems, {questions} questions, grades 0–3 (data `{passages}`).

{measures}

**Products**: Amazon ESCI, {queries} queries (data `{products}`). Exact matches to rank: {median} in the median query; {fill}. Where there are k of them, an
nDCG@k can be perfect with nothing else on the page.

**Counts**: {windows} windows of 100 news items, final shares as the truth, {zeros} of them 0 (data `{counts}`). Predictions after 1, 2, 4 and 12 hours, each
better than the one before:

{rises}

Grades by rank (10, 25, 50) give more than `phi` in {more}."""


def span(values: list[float], form: str) -> str:
    low, high = f"{min(values):{form}}", f"{max(values):{form}}"
    return low if low == high else f"{low}–{high}"


def claims(found: Found) -> list[list[str]]:
    """Quote, what was computed, what the notes print, ours, verdict."""
    discounts = [1 / math.log2(rank + 1) for rank in (2, 10, 100)]
    exact = [round(value, 2) for value in discounts] == [0.63, 0.29, 0.15]
    exponential = _each(found, "nDCG(gain=exp)@10", "tau")
    mean, median = _each(found, "nDCG@10", "halves"), _each(found, "nDCG@10", "halves_of_medians")
    needed = [_each(found, f"nDCG@{cutoff}", "needed") for cutoff in (3, 5, 10, 20)]
    deeper = sum(list(one) == sorted(one, reverse=True) for one in zip(*needed, strict=True))
    first, reciprocal = _each(found, "nDCG@10", "power"), _each(found, "RR@10", "power")
    unjudged = [1 - one["measures"]["Judged@10"]["least"] for one in found.values()]
    total = len(found)
    return [
        [
            "position 2 gets 0.63 credit; position 10 gets 0.29; position 100 gets 0.15",
            "1 / log2(rank + 1)",
            "0.63 0.29 0.15",
            " ".join(f"{value:.4f}" for value in discounts),
            _word(exact),
        ],
        [
            "The exponential variant is the original Järvelin-Kekäläinen formulation",
            "the papers: grades are gains in 2002 (Kanoulas & Aslam, section 1: “relevance scores were used directly as gains”); 2^rel − 1 is from Burges et al. 2005, and the discount of 2002 starts at rank b",
            "–",
            "original: `nDCG(discount=jk(2))`, linear gain",
            "does not hold",
        ],
        [
            "The choice affects scores but not relative rankings of systems on most workloads",
            "τ-b between the orders by exponential and linear gain @10; rounds 1–5 (read: 0.95 or more)",
            "–",
            span(exponential, ".3f"),
            _word(*(tau >= 0.95 for tau in exponential)),
        ],
        [
            "The discount falls off but never reaches zero, so relevant documents anywhere in the list contribute",
            "the definition: true without a cutoff; NDCG@K, which the notes recommend, gives 0 to every rank beyond K",
            "–",
            "weight of rank 11 in nDCG@10: 0",
            "holds partly",
        ],
        [
            "NDCG = DCG / ideal-DCG produces scores in [0, 1]",
            "every value of nDCG on rounds 1–5, and the notes' program beside ours (a test compares them query by query)",
            "[0, 1]",
            "in [0, 1]; with predicted values as gains it can exceed 1 (see rankDCG)",
            "holds",
        ],
        [
            "NDCG@5 or NDCG@3 emphasize top-of-page even more",
            "share of the weight of nDCG@10 on rank 1 against that of nDCG@3 and nDCG@5; and what it costs: queries needed for Φ = 0.95 @3 @5 @10 @20; rounds 1–5",
            "–",
            f"{_first_rank(10):.0%} against {_first_rank(3):.0%} and {_first_rank(5):.0%}; queries "
            + "; ".join(" ".join(f"{value:g}" for value in one) for one in zip(*needed, strict=True))
            + f": each step down costs queries in {deeper} of {total}",
            "holds",
        ],
        [
            "Sometimes median or other robust statistics are used to reduce influence of outlier queries",
            "τ-b between the orders on two halves of the queries, by means and by medians; rounds 1–5",
            "–",
            f"means {span(mean, '.2f')}, medians {span(median, '.2f')}: medians are less repeatable in {sum(a > b for a, b in zip(mean, median, strict=True))} of {total}",
            "holds by construction",
        ],
        [
            "MRR for known-item search where only the first relevant result matters",
            "pairs of the 30 best systems separated by RR@10 and by nDCG@10; rounds 1–5, which are not known-item search",
            "–",
            f"RR@10 {span(reciprocal, '.0%')}, nDCG@10 {span(first, '.0%')}: where several results matter, RR hides differences",
            "cannot be tested here (no known-item collection)",
        ],
        [
            "NDCG depends on judgment quality — garbage in, garbage out",
            "unjudged documents in the top 10 of the least judged system; rounds 1–5",
            "–",
            span(unjudged, ".0%"),
            "holds",
        ],
    ]


def _first_rank(cutoff: int) -> float:
    weights = [1 / math.log2(rank + 1) for rank in range(1, cutoff + 1)]
    return weights[0] / sum(weights)


def _each(found: Found, measure: str, what: str) -> list[float]:
    return [one["measures"][measure][what] for one in found.values()]


def _word(*holds: bool) -> str:
    if all(holds):
        return "holds"
    return "holds partly" if any(holds) else "does not hold"


def _quoted(row: list[str]) -> list[str]:
    return [f"“{row[0]}”", *row[1:-1], f"**{row[-1]}**"]


if __name__ == "__main__":
    main()
