"""What the laws are tried on: small collections with ties, unjudged documents and missing queries, and measures."""

from __future__ import annotations

from hypothesis import strategies as st

from rankgauge import Policy
from rankgauge.measures import Measure, catalogue
from rankgauge.measures.catalogue import bare

documents = st.sampled_from([f"d{n}" for n in range(9)])
queries = st.sampled_from(["q1", "q2", "10", "9", "é"])
grades = st.sampled_from([-1, 0, 0, 1, 1, 2, 3, 0.5])
scores = st.sampled_from([0.0, 0.5, 0.5, 1.0, 2.25, -1.5])
weights = st.floats(0, 9).map(lambda number: round(number, 3))

judgments = st.dictionaries(queries, st.dictionaries(documents, grades, min_size=1, max_size=7), min_size=1, max_size=4)
runs = st.dictionaries(queries, st.dictionaries(documents, scores, min_size=1, max_size=7), min_size=1, max_size=4)


@st.composite
def collections(draw):
    """Judgments and a run that share at least one query; a run of several queries of which nothing at all is judged
    is refused, so that it returns at least one judged document.
    """
    judged, run = draw(judgments), draw(runs)
    shared = draw(st.sampled_from(sorted(judged)))
    run.setdefault(shared, draw(st.dictionaries(documents, scores, min_size=1, max_size=7)))
    both = [query for query in judged if query in run]
    if len(both) > 2 and not any(judged[query].keys() & run[query].keys() for query in both):
        run[shared][draw(st.sampled_from(sorted(judged[shared])))] = draw(scores)
    return judged, run


gain_curves = st.one_of(
    st.sampled_from(["linear", "exp", "power(0.5)", "table(1:3, 2:9)"]),
    st.floats(0.1, 4).map(lambda b: f"power({round(b, 2)})"),
)
growing_gains = st.sampled_from(["linear", "exp", "power(0.5)", "power(2)"])
discount_curves = st.one_of(
    st.sampled_from(["log2", "zipf", "none", "jk(2)", "jk(3.5)", "rbp(0.8)", "steps(1:1, 3:0.6)", "steps(1:0.2, 2:1)"]),
    st.floats(0, 3).map(lambda s: f"zipf({round(s, 2)})"),
    st.lists(weights, min_size=1, max_size=5).map(lambda given: f"weights({', '.join(map(str, given))})"),
)
falling_discounts = st.sampled_from(["log2", "zipf", "none", "jk(2)", "rbp(0.8)", "steps(1:1, 3:0.6)", "zipf(0.3)"])
relevance_curves = st.sampled_from(["identity", "tiers(1, 3)", "tiers(2)"])
cutoffs = st.one_of(st.none(), st.integers(1, 12))


@st.composite
def cumulated(draw, names=("nDCG", "DCG"), discounts=discount_curves, gains=gain_curves):
    measure = bare(draw(st.sampled_from(names)))(
        relevance=draw(relevance_curves), gain=draw(gains), discount=draw(discounts)
    )
    cutoff = draw(cutoffs)
    return measure if cutoff is None else measure @ cutoff


@st.composite
def any_measure(draw) -> Measure:
    """A measure of the catalogue with some of its options set."""
    definition = draw(st.sampled_from(catalogue()))
    measure = Measure(definition)
    curves = {"gain": gain_curves, "discount": discount_curves, "relevance": relevance_curves}
    measure = measure(**{name: draw(curve) for name, curve in curves.items() if name in definition.options})
    if "max" in definition.options:
        # Without it the highest grade is that of all judgments, the one thing that a query sees of the others.
        measure = measure(max=draw(st.sampled_from(["query", 4])))
    if "rel" in definition.options and draw(st.booleans()):
        measure = measure(rel=draw(st.sampled_from([1, 2, 0.5])))
    if definition.cutoff is not None and (definition.needs_cutoff or draw(st.booleans())):
        whole = isinstance(definition.cutoff.check("cutoff", 1), int)
        measure @= draw(st.integers(1, 12) if whole else st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0]))
    return measure


policies = st.builds(
    Policy,
    ties=st.sampled_from([None, "document", "mean", "worst", "best", "order"]),
    unjudged=st.sampled_from(["zero", "drop"]),
    depth=st.sampled_from([None, 1, 3, 20]),
    precision=st.sampled_from(["double", "single"]),
)
