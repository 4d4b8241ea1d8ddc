"""Write docs/measures.md from the catalogue: python tools/measures_page.py"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rankgauge.evaluation.presets import PRESETS
from rankgauge.measures import catalogue, describe
from rankgauge.measures.catalogue import DISCOUNT, GAIN, RELEVANCE
from rankgauge.measures.curves import DISCOUNTS, GAINS, RELEVANCES, Family, Option
from rankgauge.measures.measure import Measure
from rankgauge.measures.other_names import LEFT_OUT, Description

PAGE = Path(__file__).parents[1] / "docs" / "measures.md"

OPENING = """\
# Which measures are there, and how do I write them?

<!-- Made from the catalogue by tools/measures_page.py; a test fails when it is out of date. -->

A measure is written `Name(option=value, ...)@cutoff`, in the same way in Python, on the command line and in results:

```python
>>> import rankgauge
>>> judgments = {"q1": {"d1": 3, "d2": 0, "d3": 1}}
>>> run = {"q1": ["d2", "d1", "d3"]}
>>> rankgauge.evaluate(judgments, run, "nDCG@10 AP(rel=2) nDCG(gain=exp, discount=zipf)@20").mean()["run"]
{'nDCG@10': 0.6590018048024133, 'AP(rel=2)': 0.5, 'nDCG(gain=exp, discount=zipf)@20': 0.5111111111111112}
>>> print(rankgauge.measures.parse("ndcg_burges@10"))
nDCG(gain=exp)@10
>>> rankgauge.measures.describe("P@10").formula
'relevant among the first k / k'

```

Names follow ir_measures where it has one. The spellings of trec_eval, ranx and ir_measures are accepted too
(`ndcg_cut.10,20`, `MRR@10`, `nDCG(dcg='exp-log2')@10`), but output always uses the form below. `official` and `all_trec` are the
sets that trec_eval prints under these names. `P` alone is the precision of all retrieved documents, not trec_eval's list of
cutoffs, whereas `recall`, `success` and similar names without a cutoff are such lists. Case does not matter unless it
distinguishes two measures. On the command line, `rankgauge measures` lists all measures and `rankgauge explain MEASURE`
describes one; in Python, `rankgauge.measures.describe`.

In the formulas r is a rank, k the cutoff and R the number of documents judged relevant, retrieved or not. A document is
*relevant* if its judged value is above 0, or at least `rel`. Negative values count as 0. Unjudged documents count as not
relevant unless a measure says otherwise. If a measure is 0/0 on a query, usually because nothing is relevant, the query scores
0 and is named in the output; `undefined="drop"` leaves it out. By default ties are broken by document id, descending, as in
trec_eval.
"""

NDCG = """\
## nDCG: what papers and tools mean by it

nDCG@k is DCG@k divided by the DCG@k of the ideal order of *all* judged documents of the query, including those that were not
retrieved. Both are cut off at k. Papers and tools disagree about the rest; here are the facts, and how to write each variant.

- **Gain.** Järvelin and Kekäläinen (2002) use the grade itself (`gain=linear`, the default here and in trec_eval). The
  exponential gain 2^v − 1 (`gain=exp`) is often called the original, but it comes from Burges et al. (2005). On binary grades
  the two are identical.
- **Discount.** 1/log2(r + 1) (`discount=log2`, the default here and in trec_eval, gdeval and scikit-learn) is not the discount of
  2002 either: that one is 1/max(1, log_b r), so with b = 2 ranks 1 and 2 both count in full (`discount=jk(2)`). In log2(r + 1)
  the base of the logarithm cancels out; in the form of 2002 it does not.
- **Range.** nDCG lies between 0 and 1 as long as the gains come from the judgments. Values such as 1.188, printed in a paper of
  2016, occur if the *predicted* values are used as gains. The minimum is not 0 if every candidate is relevant: ten documents
  with values 9, 4, 4, 2, 2, 2, 1, 1, 1, 1 in reverse order still score 0.5717.
- **Depth.** 1/log2(r + 1) falls slowly (0.6309 at rank 2, 0.2891 at 10, 0.1502 at 100) and never reaches 0. With a cutoff it
  does: a cutoff is a weight of 0 beyond k, and documents below it add nothing.
- **Does the choice matter?** For the scores, always. For the ranking of systems, little as long as the highest gain is about
  three times the lowest, and without any guarantee: earlier work found that larger ratios between gains do change the ranking,
  and Kanoulas and Aslam (2009) report a rank correlation of 0.94, not 1, on TREC 12. `rankgauge agreement` answers the question
  for your own runs.
- **nCG** is `nDCG(discount=none)`. **nDCG without a cutoff** is trec_eval's `ndcg`: the whole list against the whole pool.
"""
BEYOND = """## Beyond accuracy

`rankgauge exposure` and `rankgauge.exposure` measure what recommendations show beside being right. They need no judgments of these
recommendations, and so they are not in the catalogue above. k is `cutoff`, U the users of a run, I the catalog.

- **coverage@k**: the share of the catalog that at least one user is shown, |∪ L(u)| / |I|.
- **Gini@k**, popularity bias: Σ (2i − |I| − 1) n(i) / (|I| Σ n(i)), where n(1) ≤ n(2) ≤ … are the times that each item is shown. 0 if all are
  shown equally often, near 1 if a few take all places.
- **novelty@k**: the mean over users of the mean self-information of their items, −log2 of the share of the users in `history`
  who know the item (Zhou et al. 2010). An item that nobody knows counts as known to one user, and a note says how many there are.
- **similarity@k**: the mean over users of the mean cosine over the pairs of items in their list (Ziegler et al. 2005), from vectors, or
  from categories as vectors of 0 and 1.

Novelty and similarity have one value per user, so they have intervals, and `compare(found.to_polars())` tests their differences.
Coverage and Gini belong to the run as a whole and have no interval: a resample of users always shows fewer distinct items, so its
coverage is too low and its Gini too high. Both also grow or shrink with the number of users; compare runs on the same users.
"""


def page() -> str:
    described = [describe(Measure(definition)) for definition in catalogue()]
    parts = [OPENING]
    for group, members in groupby(described, key=lambda one: one.group):
        parts.append(f"## {group.capitalize()}\n")
        parts += [_entry(one) for one in members]
    parts += [
        "## Relevance, gain and discount\n",
        _curves("relevance", RELEVANCE, RELEVANCES),
        _curves("gain", GAIN, GAINS),
        _curves("discount", DISCOUNT, DISCOUNTS),
    ]
    return "\n".join([*parts, NDCG, *_others()])


def _entry(one: Description) -> str:
    lines = [f"### {one.form}", "", f"{one.title[0].upper()}{one.title[1:]}. {one.words}", "", f"    {one.formula}", ""]
    lines += [f"- range: {one.range}; {one.mean}; defaults: {one.policy}", f"- source: {one.source}"]
    for option in one.options:
        curve = option.name in {"relevance", "gain", "discount"}
        choices = f": {', '.join(f'`{name}`' for name in option.choices)}" if option.choices and not curve else ""
        default = "" if option.default == "unset" else f" (`{option.default}`)"
        lines.append(f"- `{option.name}`{default}: {option.words}{choices}")
    if one.spellings:
        lines.append("- also accepted: " + ", ".join(f"`{name}` as `{canonical}`" for name, canonical in one.spellings))
    return "\n".join([*lines, ""])


def _curves(name: str, option: Option, families: dict[str, Family]) -> str:
    lines = [f"`{name}=` {option.words}; the default is `{option.default}`:", ""]
    lines += [f"- `{name}`: {family.words}" for name, family in families.items()]
    return "\n".join([*lines, ""])


def _others() -> Iterator[str]:
    yield "## Other tools\n"
    yield "`like=` and `--like` follow the policy and definitions of another tool; explicit settings take precedence.\n"
    yield "\n".join(f"- `{name}`: {preset.words}" for name, preset in PRESETS.items()) + "\n"
    yield BEYOND
    yield "These measures of trec_eval are not in the catalogue:\n"
    yield "\n".join(f"- `{name}`: {reason}" for name, reason in LEFT_OUT.items()) + "\n"


def main() -> None:
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
