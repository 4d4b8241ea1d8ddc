"""The public functions: what each takes, what it does, and what it refuses. The work is in the modules they load.

A signature has the types, choices, bounds and defaults of every option; `checked` holds what is given against them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from os import PathLike, fspath
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, overload

from rankgauge.data.policy import Policy
from rankgauge.errors import OptionError
from rankgauge.signature import (
    MOST,
    Bounds,
    Checked,
    Count,
    Level,
    Margin,
    Seed,
    Size,
    checked,
    members,
    parameter,
    shown,
)

if TYPE_CHECKING:
    from pathlib import Path
    from typing import TypedDict, Unpack

    import numpy.typing as npt

    from rankgauge.analysis.relevance_function import RelevanceFunction
    from rankgauge.analysis.simulate import Strengths
    from rankgauge.arrays import Floats
    from rankgauge.data.about import Queries
    from rankgauge.data.judgments import Judgments, Run
    from rankgauge.evaluation.scores import Scores
    from rankgauge.measures.measure import Measure
    from rankgauge.results import (
        AcrossCollections,
        Agreement,
        Checkup,
        Churn,
        Comparison,
        Compromise,
        Contrast,
        Description,
        Discrimination,
        Explanation,
        Exposure,
        GainsByCutoff,
        Holes,
        Judges,
        Means,
        Optimum,
        Partings,
        QuerySample,
        Reconciliation,
        RelevanceByQuery,
        Robustness,
        ScoredColumns,
        ScoredLists,
        SimulatedCollection,
        Slices,
        Stability,
    )

    class Frame(Protocol):
        """A table of pandas, Polars, Arrow or Spark."""

        @property
        def columns(self) -> Any: ...

    JudgmentsLike = Judgments | str | PathLike[str] | Mapping[Any, Any] | Iterable[Any] | Frame
    RunsLike = Run | str | PathLike[str] | Mapping[Any, Any] | Iterable[Any] | Frame
    ScoresLike = Scores | str | PathLike[str] | npt.ArrayLike | Frame
    Collections = Mapping[str, tuple[JudgmentsLike, RunsLike]]
    QueriesLike = Queries | str | PathLike[str] | Mapping[str, Any] | Frame
    Array = npt.ArrayLike
    Column = Array | str | PathLike[str]
    OneMeasure = str | Measure
    Measures = OneMeasure | Iterable[OneMeasure]
    Ids = Iterable[str | int]
    Versus = OneMeasure | Policy | RunsLike


def _measures(option: str, given: Any) -> Any:
    """Texts and Measures, and objects of other packages whose text is that of a measure."""
    if isinstance(given, str):
        return given
    from rankgauge.errors import MeasureError
    from rankgauge.measures.grammar import parse_all
    from rankgauge.measures.measure import Measure

    if isinstance(given, Measure):
        return given
    several = None if isinstance(given, Mapping) else members(given)
    several = [given] if several is None else several
    if not several:
        raise OptionError(option, "no measure was named; name at least one, as in nDCG@10")
    try:
        return [one if isinstance(one, (str, Measure)) else parse_all([one])[0] for one in several]
    except MeasureError:
        words = f"{{option}} is {shown(given)}; it must be a measure, as a text such as nDCG@10 or a Measure"
        raise OptionError(option, f"{words}{', or a list of them' if option == 'measures' else ''}.") from None


def _one_measure(option: str, given: Any) -> Any:
    found = _measures(option, given)
    if isinstance(found, list) and len(found) > 1:
        raise OptionError(option, f"one measure is needed here, not {len(found)}: {', '.join(map(str, found))}")
    return found[0] if isinstance(found, list) else found


def _ids(option: str, given: Any) -> Any:
    """Ids of any type, to be read once."""
    found = given if isinstance(given, str) else members(given)
    if found is None:
        raise OptionError(option, f"{{option}} is {shown(given)}; it must be a list of query ids.")
    return found


def _strengths(option: str, given: Any) -> Any:
    from rankgauge.analysis.simulate import Strengths

    if not isinstance(given, Strengths):
        raise OptionError(option, f"{{option}} is {shown(given)}; it must be Strengths.")
    return given


if not TYPE_CHECKING:  # data are examined by their readers, measures and ids here
    JudgmentsLike = RunsLike = ScoresLike = Collections = QueriesLike = Column = Array = Frame = Versus = Any
    Measures = Annotated[Any, Checked(_measures)]
    OneMeasure = Annotated[Any, Checked(_one_measure)]
    Ids = Annotated[Any, Checked(_ids)]
    Strengths = Annotated[Any, Checked(_strengths)]

Alpha = Annotated[float, Bounds(0, 1, without=(0, 1), such_as="0.05")]
Share = Annotated[float, Bounds(0, 1, noun="a share")]
Progress = Callable[[int, int], None]
Stages = Callable[[str, int, int], None]
Duplicates = Literal["error", "best"]
Names = Literal["file", "tag"]
Test = Literal["sign-flip", "bootstrap", "t", "wilcoxon", "tukey", "randomised-tukey"]
Correction = Literal["holm", "bh", "max-t", "none"]
Over = Literal["discount", "gain", "both"]


def _refuse(function: Callable[..., Any], given: Mapping[str, Any], used: str, because: str) -> None:
    """An option without effect is a misunderstanding, so it is an error; `used` are those that have one."""
    for name, value in given.items():
        known = parameter(function, name)
        is_usual = (
            known is None or value is known.default or (isinstance(value, (int, float, str)) and value == known.default)
        )
        if name not in used.split() and not is_usual:
            raise OptionError(name, f"{{option}} has no effect here because {because}")


# --- reading ---------------------------------------------------------------------------------------------------------


@checked
def read_judgments(
    path: str | PathLike[str],
    *,
    column: str | None = None,
    query: str | None = None,
    document: str | None = None,
    group_sizes: Column | None = None,
    duplicates: Duplicates = "error",
    complete: bool = False,
) -> Judgments:
    """Judgments from a file of any known kind, or standard input ('-'); it is read when first needed.

    `column`, `query` and `document` name the columns of judged values and ids where their names say it not;
    `group_sizes` is a list, or a file, of the number of rows of each query, for a file of labels without query ids;
    `duplicates="best"` keeps the best of the rows that repeat a document within a query; `complete` says that what is
    not judged is not relevant.
    """
    from rankgauge.data.judgments import read_judgments as read
    from rankgauge.data.table import Wanted

    return read(path, Wanted("value", column, query, document), group_sizes, duplicates, complete=complete)


@checked
def read_run(
    path: str | PathLike[str],
    *,
    name: str | None = None,
    part: str | None = None,
    query: str | None = None,
    document: str | None = None,
    score: str | None = None,
    duplicates: Duplicates = "error",
    names: Names = "file",
) -> Run:
    """A run from a file of any known kind, or standard input ('-'); it is read when first needed.

    The system is named after the file unless `name` says otherwise, or by its tag with `names="tag"`. `part` picks one run of a file that holds several:
    a system, a feature of a learning-to-rank file, or a column of scores. `query`, `document` and `score` name columns
    where their names say it not. `duplicates="best"` keeps the best of the rows that repeat a document within a query.
    """
    from rankgauge.data.judgments import read_run as read
    from rankgauge.data.table import Wanted

    return read(path, name, part, Wanted("score", score, query, document), duplicates, names)


@checked
def read_runs(
    path: str | PathLike[str],
    *,
    name: str | None = None,
    duplicates: Duplicates = "error",
    names: Names = "file",
) -> list[Run]:
    """All runs of a file: one per system where there is a column `system`, one per feature of a
    learning-to-rank file, else one. With `name`, several runs are called NAME:system. `names="tag"` takes the name of a
    TREC run from its last column.
    """
    from rankgauge.data.judgments import read_runs as read

    return read(path, name, duplicates, names)


@checked
def read_queries(path: str | PathLike[str]) -> Queries:
    """Queries from CSV, TSV, JSON, JSONL or Parquet with named columns, or text lines of an id and its words."""
    from rankgauge.data.about import read_queries as read

    return read(fspath(path))


@checked
def read_scores(
    source: ScoresLike,
    measures: Measures | None = None,
    *,
    ids: bool | Sequence[str] | None = None,
    header: bool | None = None,
    rows: Literal["queries", "systems"] | None = None,
    missing: Literal["error", "drop", "zero"] | None = None,
) -> Scores:
    """Read saved scores, a score matrix, or a frame or array of scores.

    `source` is a path ("-" is standard input) to a file written by `Scores.save`, to a CSV file with the columns
    system, query and one per measure, or to a matrix as text with one row per query and one column per system; or a
    frame with the columns system, query and one per measure; or an array of queries × systems (× measures).

    `measures` are those to keep; a matrix in a text file has one, and this names it (default: the name of the file).
    The other options are for matrices. `rows` says what the rows are: "queries", as usual in files, or "systems"; an
    array needs it. The others are for files: `ids` are the columns with query ids: True for the first, False for none,
    or their names. `header` says whether the first line holds names. `missing` says what to do with empty cells:
    "error", "drop" or "zero".
    """
    given = dict(locals())
    from rankgauge.evaluation.storage import read_scores as read

    return read(**given)


@checked
def check(judgments: JudgmentsLike, *runs: RunsLike) -> Checkup:
    """Report every error and oddity in judgments and runs, without stopping at the first.

    Each argument is what `evaluate` takes.

    >>> found = check({"q1": {"d1": 1}, "q2": {"d1": 0}}, {"q1": {"d1": 0.5}})
    >>> [note.kind for note in found.notes]
    ['no-relevant-documents', 'short-lists', 'missing-queries']
    """
    from rankgauge.data.check import check as checkup

    return checkup(judgments, *runs)


# --- evaluating ------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:

    class Decided(TypedDict, total=False):
        """What holds for a whole call: the policy, and another tool's."""

        policy: Policy | None
        like: str | None

    class Asked(Decided, total=False):
        """What a call of `evaluate` may ask for beside judgments, runs and measures."""

        only: Ids | None
        weights: Mapping[str, float] | None
        memory: str | int | None
        progress: Progress | None
        buckets: Count | None


@overload
def evaluate(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measures: Measures = ...,
    *,
    per_query: Literal[True] = ...,
    **options: Unpack[Asked],
) -> Scores: ...


@overload
def evaluate(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measures: Measures = ...,
    *,
    per_query: Literal[False],
    **options: Unpack[Asked],
) -> Means: ...


@checked
def evaluate(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measures: Measures = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    weights: Mapping[str, float] | None = None,
    memory: str | int | None = None,
    progress: Progress | None = None,
    buckets: Count | None = None,
    per_query: bool = True,
) -> Scores | Means:
    """Score one run or many with one measure or many.

    `runs` is a Run, what a Run can be made of, a list of these, or a dict of system names to them.
    `like` names another tool whose policy and definitions to follow; what `policy` sets overrides it.
    `only` are the queries to count, all judged ones by default; `weights` gives each a weight in the means.
    Spark tables are scored by Spark, with the queries in `buckets` groups. `per_query=False` returns means only.
    `memory`, such as "300MB", limits the memory used: run files are then read in smaller pieces. The judgments, one
    query, or a file with something wrong in it or with the lines of a query scattered may need more.

    >>> evaluate({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}}, "nDCG@10 P@2").mean()
    {'run': {'nDCG@10': 1.0, 'P@2': 0.5}}
    """
    given = dict(locals())
    from rankgauge.evaluation.evaluate import evaluate as engine

    return engine(**given)


@overload
def score(
    measure: OneMeasure,
    truth: Column | None = None,
    predicted: Column | None = None,
    groups: Column | None = None,
    *,
    file: str | PathLike[str] | Mapping[str, Any] | Frame | None = None,
    details: Literal[False] = False,
    chance: bool = False,
    seed: Seed = 7,
    **decided: Unpack[Decided],
) -> float: ...


@overload
def score(
    measure: Measures,
    truth: Column | None = None,
    predicted: Column | Mapping[str, Any] | Sequence[str] | None = None,
    groups: Column | None = None,
    *,
    file: str | PathLike[str] | Mapping[str, Any] | Frame | None = None,
    details: bool = False,
    chance: bool = False,
    seed: Seed = 7,
    **decided: Unpack[Decided],
) -> float | ScoredLists | ScoredColumns: ...


@checked
def score(
    measure: Measures,
    truth: Column | None = None,
    predicted: Column | Mapping[str, Any] | Sequence[str] | None = None,
    groups: Column | None = None,
    *,
    file: str | PathLike[str] | Mapping[str, Any] | Frame | None = None,
    policy: Policy | None = None,
    like: str | None = None,
    details: bool = False,
    chance: bool = False,
    seed: Seed = 7,
) -> float | ScoredLists | ScoredColumns:
    """How well `predicted` orders items whose true values are `truth`: the mean over groups, or over rows of matrices.

    `truth` and `predicted` are vectors, matrices, or paths to files with one number per line. With `file`, a path or a
    table, they and `groups` are names of columns. Equal predictions count with the mean over their orders (rankDCG: the
    worst order) unless the policy says otherwise. For a list of true values in predicted order, give falling
    predictions: [-i for i in range(len(values))].

    Several measures ("rankDCG nDCG tau_b rho exact_AP"), several columns (a list of names with `file`, else {name:
    vector}), or both give a `ScoredColumns`: all in one table, with paired tests against the first column over groups.
    tau_b, rho and exact_AP compare two aligned columns and exist here only.

    For one of each, `details=True` returns a `ScoredLists`, with the value of every group, the number of items and notes;
    `chance=True` adds what random predictions would score (rankDCG of one list), drawn with `seed` where the outcomes
    are too many to list.

    >>> truth, predicted = [9, 4, 4, 2, 2, 2, 1, 1, 1, 1], [4, 4, 2, 9, 2, 2, 1, 1, 1, 1]
    >>> round(score("rankDCG", truth, predicted), 6)
    0.65
    """
    given = dict(locals())
    from rankgauge.analysis.predictions import score as engine

    return engine(**given)


@overload
def explain(measure: OneMeasure, **decided: Unpack[Decided]) -> Description: ...


@overload
def explain(
    measure: OneMeasure,
    judgments: JudgmentsLike,
    run: RunsLike,
    query: str | int,
    *,
    versus: None = ...,
    **decided: Unpack[Decided],
) -> Explanation: ...


@overload
def explain(
    measure: OneMeasure,
    judgments: JudgmentsLike,
    run: RunsLike,
    query: str | int,
    *,
    versus: Versus,
    **decided: Unpack[Decided],
) -> Explanation | Contrast: ...


@overload
def explain(
    measure: OneMeasure,
    judgments: JudgmentsLike,
    run: RunsLike,
    query: None = ...,
    *,
    versus: Versus,
    **decided: Unpack[Decided],
) -> Partings: ...


@checked
def explain(
    measure: OneMeasure,
    judgments: JudgmentsLike | None = None,
    run: RunsLike | None = None,
    query: str | int | None = None,
    *,
    versus: Versus | None = None,
    policy: Policy | None = None,
    like: str | None = None,
) -> Explanation | Contrast | Partings | Description:
    """Explain the value of a measure on one query, rank by rank, or how it differs from another over all queries.

    Judgments and run are what `evaluate` takes. `versus` contrasts the explanation with a second one, under another
    measure, another policy (a Policy, or a text such as "ties=mean"), a preset such as "sklearn", or of another run.
    Without `query`, it is a summary of where and why the two part, over all queries and every run given. Without data,
    it is the measure in words, with each decision in which a policy or a tool (`like`) departs from ours.

    >>> from rankgauge import evaluate
    >>> judged, run = {"q": {"a": 2, "b": 1}}, {"q": {"b": 0.9, "x": 0.8, "a": 0.7}}
    >>> explain("nDCG", judged, run, "q").value == evaluate(judged, run, "nDCG").mean()["run"]["nDCG"]
    True
    """
    given = dict(locals())
    from rankgauge.evaluation.explain import explain as engine

    return engine(**given)


@checked
def reconcile(
    value: float | str,
    judgments: JudgmentsLike,
    run: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    second: str | Sequence[str] | Mapping[str, float | str] | None = None,
    per_query: Mapping[str, float | str] | str | PathLike[str] | Frame | None = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Find the decisions that reproduce a number that another tool printed for a run, and whose they are.

    `value` as text keeps its digits: "0.2857" means anything that rounds to it. Judgments and run are what `evaluate`
    takes. `second` holds more numbers of the same tool, as in "nDCG@5=0.71"; `per_query` values of single queries: a
    dict, or a file with a query and its value in each line. `progress(done, total)` is called while settings are tried.

    >>> judged = {"q1": {"a": 2, "b": 1}, "q2": {"c": 1}, "q3": {"d": 0}}
    >>> run = {"q1": {"b": 3.0, "a": 2.0, "x": 1.0}, "q2": {"y": 2.0, "c": 1.0}, "q3": {"d": 1.0}}
    >>> print(reconcile("0.8092", judged, run).best.like)
    lightgbm
    """
    given = dict(locals())
    from rankgauge.analysis.reconcile.reconcile import reconcile as engine

    return engine(**given)


@checked
def exposure(
    runs: RunsLike,
    *,
    history: JudgmentsLike | None = None,
    items: Iterable[str | int] | Mapping[Any, Any] | str | PathLike[str] | Frame | None = None,
    features: str | None = None,
    cutoff: Count = 10,
    confidence: Level = 0.95,
) -> Exposure:
    """Measure what recommendations show beside being right: coverage of the catalog, popularity bias, novelty, similarity.

    `runs` are what `evaluate` takes. `history` holds what users knew before, in any form of judgments, and is needed for
    novelty. `items` is the catalog: ids, {item: categories or vector}, or a table or file, of which `features` names the
    column with categories ("Drama|Comedy") or vectors; they are needed for the similarity within lists. Without `items`
    and `history`, the catalog is what the systems show.

    >>> found = exposure({"u1": ["a", "b"], "u2": ["a", "c"]}, items=["a", "b", "c", "d"], cutoff=2)
    >>> found.systems[0].coverage, found.systems[0].gini
    (0.75, 0.375)
    """
    given = dict(locals())
    from rankgauge.analysis.exposure import exposure as engine

    return engine(**given)


# --- comparing -------------------------------------------------------------------------------------------------------

if TYPE_CHECKING:

    class Shared(Decided, total=False):
        """Options of every comparison that needs judgments."""

        only: Ids | None
        baseline: str | None
        correction: Correction | None
        correction_within: Literal["all", "measure"]
        confidence: Level
        equivalence: Margin | None
        progress: Progress | None

    class Paired(Shared, total=False):
        """Options of a comparison on one set of queries."""

        all_pairs: bool
        test: Test | None
        seed: Seed
        samples: Count | None
        interval: Literal["t", "bootstrap"]
        interval_for: Literal["verdict", "pair"]
        queries: QueriesLike | None
        robust: bool
        bayes: bool
        judge: JudgmentsLike | ScoresLike | None


@overload
def compare(
    scores: None, runs: RunsLike, *, only: Ids | None = None, cutoff: Count | None = None, depth: Count | None = None
) -> Churn: ...


@overload
def compare(
    *, collections: Mapping[str, Any], measures: Measures | None = None, **options: Unpack[Shared]
) -> AcrossCollections: ...


@overload
def compare(
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    by: QueriesLike,
    **options: Unpack[Paired],
) -> Slices: ...


@overload
def compare(
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    by: None = None,
    **options: Unpack[Paired],
) -> Comparison: ...


@checked
def compare(
    scores: ScoresLike | JudgmentsLike | None = None,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    test: Test | None = None,
    correction: Correction | None = None,
    correction_within: Literal["all", "measure"] = "all",
    confidence: Level = 0.95,
    seed: Seed = 7,
    equivalence: Margin | None = None,
    samples: Count | None = None,
    interval: Literal["t", "bootstrap"] = "t",
    interval_for: Literal["verdict", "pair"] = "verdict",
    by: QueriesLike | None = None,
    queries: QueriesLike | None = None,
    robust: bool = False,
    bayes: bool = False,
    judge: JudgmentsLike | ScoresLike | None = None,
    cutoff: Count | None = None,
    depth: Count | None = None,
    collections: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
) -> Comparison | Slices | Churn | AcrossCollections:
    """Test whether systems differ: every system against a baseline (the first by default), or all pairs.

    `scores` is Scores, as of an array by `Scores.from_matrix`, a saved file or matrix, a frame, or judgments followed by
    `runs` and `measures` as in `evaluate`. All measures take part, and the correction runs over pairs × measures, or with
    `correction_within="measure"` over the pairs of each. It is "max-t" where several means are compared: intervals hold
    together, and a pair is a finding if its interval excludes 0 (and, below 15 queries, if Holm's correction of the test
    agrees). "holm" finds more, with intervals that do not hold together; other tests, a judge and collections take it.
    A query without a score is left out of every pair that needs it. Sign flips are computed, not sampled, unless
    `samples` is given or there are too many queries; other tests draw 10,000 samples, and more near the limit.
    Intervals are at the level that decides (`interval_for="verdict"`), so none contradicts its verdict; "pair" gives
    those of each pair alone. Systems that differ by less than `equivalence` count as equally good.

    With `bayes`, each pair has the probability that it differs by `equivalence` or more, shrunk over systems.
    With `robust`, each pair says whether its order holds under every gain and discount; see `robust`.
    With `by`, the queries are compared slice by slice: `by` maps queries to labels, or names a column of `queries`.
    `judge`, for few queries judged by people among many judged by a machine: scores of the same systems and measures
    under the machine's judgments or, with `runs`, those judgments. Differences then rest on both and `test` is the t
    test; otherwise it is the sign-flip test unless another is named.
    `collections` instead of scores: two or more by name, each scores or (judgments, runs); differences from the baseline
    are averaged over them with random effects.
    With None instead of scores, two runs are compared without judgments: how their top `cutoff` documents changed,
    in lists of at most `depth` documents.

    >>> from rankgauge import Scores
    >>> found = compare(Scores.from_matrix([[0.1, 0.1], [0.2, 0.2], [0.3, 0.3]], rows="queries"))
    >>> found["score"].pairs[0].p
    1.0
    """
    given = dict(locals())
    if collections is not None:
        used = "collections measures policy like only baseline correction confidence equivalence progress"
        _refuse(compare, given, used, "it is for one collection")
        if correction == "max-t":
            raise OptionError("correction", "unknown {option} 'max-t' for several collections; known: holm, bh, none")
        from rankgauge.analysis.compare.collections import compare_collections

        return compare_collections(
            collections,
            measures,
            {"policy": policy, "like": like, "only": only, "progress": progress},
            baseline=baseline,
            correction=correction or "holm",
            confidence=confidence,
            equivalence=equivalence,
        )
    if scores is None:
        _refuse(compare, given, "runs only cutoff depth progress", "it needs judgments or scores")
        from rankgauge.analysis.churn import churn_of

        return churn_of(runs, only=only, cutoff=cutoff or 10, depth=depth)
    for name in ("cutoff", "depth"):
        if given.pop(name) is not None:
            because = "it is for two runs without judgments\nSet them as in nDCG@10 or Policy(depth=…)."
            raise OptionError(name, f"{{option}} has no effect here because {because}")
    if by is None and queries is not None:
        raise OptionError("queries", "{option} has no effect here because only by uses it")
    del given["collections"]
    from rankgauge.analysis.compare.compare import compare as engine

    return engine(**given)


@checked
def stability(
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    reach: Iterable[Level] = (0.90, 0.95),
    queries_at: Iterable[Count] = (),
    confidence: Level = 0.95,
    drop: Annotated[float, Bounds(0, 1, without=(1,), noun="a share", such_as="0.25")] = 0.0,
    interval: Literal["jackknife", "arteaga"] = "jackknife",
    systems: Literal["these", "others"] | None = None,
    progress: Progress | None = None,
) -> Stability:
    """Estimate variance components, Φ, Eρ² and the number of queries needed, for every measure.

    `scores` is Scores, as of an array by `Scores.from_matrix`, a saved file or matrix, a frame, or judgments followed by
    `runs` and `measures` as in `evaluate`; in that case queries on which a measure is undefined are dropped, unless `policy`
    or `like` decides. `reach` are the values of Φ and Eρ² to reach; `queries_at` are other numbers of queries to give
    them for. `drop=0.25` first leaves out the worst quarter of the systems, rounded up, by their mean under each
    measure. Queries with an undefined score for any system are left out for all.

    Intervals say how far the numbers may move had there been other queries for `systems="these"`, the usual question,
    or for "others" too, as if the systems had been drawn as well. `interval="arteaga"` (Arteaga for Φ, exact F for Eρ²)
    answers the second question for normal effects, which real systems rarely have. Weights of queries, where scores
    have them, count as in their means.
    """
    given = dict(locals())
    from rankgauge.analysis.stability.study import stability as engine

    return engine(**given)


@checked
def agreement(
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    progress: Progress | None = None,
) -> Agreement:
    """Compare how measures rank the systems by their means.

    `scores` is Scores, as of an array by `Scores.from_matrix`, a saved file, a frame, or judgments followed by `runs` and
    `measures` as in `evaluate`. Queries with an undefined score for any system are left out of that measure's
    means. The result is nan where a measure gives all systems the same mean.
    """
    given = dict(locals())
    from rankgauge.analysis.agreement import agreement as engine

    return engine(**given)


@checked
def discriminate(
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    top: Annotated[int, Bounds(2, MOST)] | None = None,
    samples: Count = 1000,
    alpha: Alpha = 0.05,
    seed: Seed = 7,
    add_one: bool = False,
    progress: Progress | None = None,
) -> Discrimination:
    """Measure what share of all pairs of systems each measure separates, by Sakai's paired bootstrap.

    `scores` is Scores, as of an array by `Scores.from_matrix`, a saved file, a frame, or judgments followed by `runs`
    and `measures` as in `evaluate`. `top` keeps the best systems by mean rank over the measures, so that all measures are
    judged on the same pairs. The achieved significance level of a pair is #/samples, 0 where no resample reaches the
    observed t; `add_one` makes it (1+#)/(1+samples). A query without a score in some cell is left out.
    """
    given = dict(locals())
    from rankgauge.analysis.discriminate import discriminate as engine

    return engine(**given)


@checked
def robust(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    over: Over = "both",
    baseline: str | None = None,
    all_pairs: bool = False,
    budget: Size | None = None,
    samples: Size | None = None,
    seed: Seed = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    weights: Mapping[str, float] | None = None,
    progress: Progress | None = None,
) -> Robustness:
    """Which differences hold under every gain and every discount?

    For an nDCG or DCG, `over` says what varies: every discount that never rises with the rank, every gain that never
    falls with the grade, or both. A pair is robust if the mean of one system is never below the other's; this is proved.
    It depends if a measure turns the order around; this measure is named, and confirmed by evaluating it. Where `budget`
    boxes are not enough for either, the pair is open. Every system is compared with `baseline` (the first by default), or
    all pairs are. `samples` resamples of the queries show how often the winner stays robust (200 for up to 100 pairs).

    >>> found = robust({"q": {"a": 1}}, {"x": {"q": {"a": 2, "b": 1}}, "y": {"q": {"a": 1, "b": 2}}}, "nDCG@2")
    >>> found.pairs[0].verdict, found.pairs[0].winner
    ('robust', 'x')
    """
    given = dict(locals())
    from rankgauge.analysis.robust.robust import robust as engine

    return engine(**given)


@checked
def holes(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    baseline: str | None = None,
    all_pairs: bool = False,
    confidence: Level = 0.95,
    ideal: Literal["pool", "open"] = "pool",
    max_grade: float | None = None,
    judge: JudgmentsLike | None = None,
    progress: Progress | None = None,
) -> Holes:
    """Bound each pair's difference over every grade that its unjudged documents could have.

    A hole is an unjudged document among the first k of a run given here, where k is the measure's cutoff; its grade may
    be anything from 0 to the largest judged one, or to `max_grade`. The bounds speak of the number that `evaluate` will
    print when the holes have been judged. `ideal="open"` lets documents that no run returned be relevant, too.
    `judge`, judgments by somebody else, improves the order in which `next` lists the holes; it decides nothing.

    >>> found = holes({"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}, {"old": {"q1": {"b": 2, "a": 1}, "q2": {"a": 1}},
    ...     "new": {"q1": {"a": 2, "c": 1}, "q2": {"a": 1}}}, "P@2")
    >>> found.pairs[0].difference, found.pairs[0].low, found.pairs[0].high
    (0.0, 0.0, 0.25)
    """
    given = dict(locals())
    from rankgauge.analysis.judging.holes import holes as engine

    return engine(**given)


@checked
def judges(
    reference: JudgmentsLike,
    judge: JudgmentsLike | Sequence[JudgmentsLike] | Mapping[str, JudgmentsLike],
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    baseline: str | None = None,
    test: Test = "t",
    correction: Correction = "none",
    confidence: Level = 0.95,
    seed: Seed = 7,
    rel: float | None = None,
    grades: Iterable[float] | None = None,
    common: bool = False,
    progress: Progress | None = None,
) -> Judges:
    """Compare judgments with those of a reference: the labels and, where runs are given, what follows for the systems.

    `judge` is one set of judgments, a list, or a dict of names to them. Intervals are over queries. With `rel`, labels
    are compared as "at least rel or not", and binary measures count as relevant what is; `grades` names the scale, the
    grades that occur by default; `common` cuts all judges to the documents that all of them have. All pairs of systems
    are compared, or those with `baseline`, by `test` and `correction` as in `compare`.

    >>> found = judges({"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 1}}, {"me": {"q1": {"a": 1, "b": 0}, "q2": {"a": 1}}})
    >>> found["me"].agreement.documents, round(found["me"].agreement["agreement"].value, 3)
    (3, 0.667)
    """
    given = dict(locals())
    if runs is None:
        used = "reference judge only confidence rel grades common progress"
        _refuse(judges, given, used, "it is about runs, and none are given")
    from rankgauge.analysis.judging.judges import judges as engine

    return engine(**given)


@checked
def sample(judgments: JudgmentsLike, *, queries: Count, seed: Seed = 7) -> QuerySample:
    """Draw queries at random for people to judge, from those that `judgments` (mostly a machine's) have.

    Every query has the same chance, so that `compare(human, runs, judge=judgments)` may speak of all of them.

    >>> sample({"q1": {"a": 1}, "q2": {"a": 0}, "q3": {"a": 1}}, queries=2).queries
    ('q2', 'q3')
    """
    from rankgauge.analysis.judging.sample import sample as engine

    return engine(judgments, queries=queries, seed=seed)


# --- designing a measure ---------------------------------------------------------------------------------------------

if TYPE_CHECKING:

    class Searched(Decided, total=False):
        """Options of every search for a measure."""

        over: Over | None
        seed: Seed
        progress: Stages | None

    class SearchedHere(Searched, total=False):
        """Options of a search on one collection."""

        constrained: bool
        only: Ids | None

    class SearchedAndTried(SearchedHere, total=False):
        """Options of a search whose result is tried on held-out queries."""

        objective: Literal["phi", "erho", "power"]
        folds: Size | None
        repeats: Count | None
        reach: Iterable[Level] | None


@overload
def optimize(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    cutoffs: None = None,
    **how: Unpack[SearchedAndTried],
) -> Optimum: ...


@overload
def optimize(
    judgments: JudgmentsLike,
    runs: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    cutoffs: Iterable[Count],
    **how: Unpack[SearchedHere],
) -> GainsByCutoff: ...


@overload
def optimize(
    judgments: Collections,
    *,
    measure: OneMeasure = "nDCG@10",
    cutoffs: Iterable[Count] | None = None,
    relative: bool = True,
    **how: Unpack[Searched],
) -> Compromise: ...


@checked
def optimize(
    judgments: JudgmentsLike | Collections,
    runs: RunsLike | None = None,
    measure: OneMeasure = "nDCG@10",
    *,
    over: Over | None = None,
    constrained: bool = True,
    objective: Literal["phi", "erho", "power"] = "phi",
    folds: Size | None = None,
    repeats: Count | None = None,
    reach: Iterable[Level] | None = None,
    cutoffs: Iterable[Count] | None = None,
    relative: bool = True,
    seed: Seed = 7,
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    progress: Stages | None = None,
) -> Optimum | GainsByCutoff | Compromise:
    """Find the discount, the gain or both with which the fewest queries say which system is better.

    `measure` is the nDCG to start from, with a cutoff; `over` is "discount" (the default), "gain" or "both". The
    optimum is a measure again; `recommendation` is the one to use on unseen queries, and often the start itself.
    `folds=0` skips the trial on held-out queries; the default is 4 times 5 folds.

    `objective` is "phi" (the default: scores of systems that can be depended on), "erho" (their order alone) or "power"
    (the share of pairs of systems that paired t-tests at 0.05 separate; then the trial is 10 times 2 folds).

    With `cutoffs`, the optimal gain at each of them, for the discount of the measure. With several collections,
    {name: (judgments, runs)} and no runs, one measure for all of them: it suits best the collection that it suits
    least. Each counts by its Φ over that of its own optimum, or with `relative=False` by its Φ alone; with `cutoffs`,
    once at each of them.
    """
    given = dict(locals())
    from rankgauge.analysis.optimize.optimize import optimize as engine

    return engine(**given)


if TYPE_CHECKING:

    class Fitting(TypedDict, total=False):
        """How relevance follows from scores."""

        preset: Literal["paper", "authors"] | None
        knots: RelevanceFunction | Iterable[tuple[float, float]] | str | PathLike[str] | None
        reference: JudgmentsLike | Array | None
        quartiles: Literal["linear", "hinges"] | None
        whisker: Literal["fence", "observed"] | None
        reach: Annotated[float, Bounds(0, noun="a number of box lengths", such_as="1.5")] | None


@overload
def relevance(  # type: ignore[overload-overlap]  # a text is array-like, too
    scores: Judgments | Mapping[str, Mapping[str, float]] | str | PathLike[str], **fitting: Unpack[Fitting]
) -> RelevanceByQuery: ...


@overload
def relevance(scores: Array, **fitting: Unpack[Fitting]) -> Floats: ...


@checked
def relevance(
    scores: JudgmentsLike | Array,
    *,
    preset: Literal["paper", "authors"] | None = None,
    knots: RelevanceFunction | Iterable[tuple[float, float]] | str | PathLike[str] | None = None,
    reference: JudgmentsLike | Array | None = None,
    quartiles: Literal["linear", "hinges"] | None = None,
    whisker: Literal["fence", "observed"] | None = None,
    reach: Annotated[float, Bounds(0, noun="a number of box lengths", such_as="1.5")] | None = None,
) -> Floats | RelevanceByQuery:
    """Relevance in [0, 1] of every score, fitted on the scores themselves.

    `scores` is an array, or judgments as `evaluate` takes them: then phi is fitted query by query, and the result is a
    `RelevanceByQuery`. With `reference` phi is fitted on those scores instead, so that all lists share one scale. With
    `knots` nothing is fitted: they are control points, a `RelevanceFunction`, or the path of a saved one. `preset` is
    "paper" (the default) or "authors"; `quartiles`, `whisker` and `reach` (box lengths from the upper quartile to the
    fence) say how the box plot is read, as in the measure text phi(quartiles=hinges, reach=1.5). All scores equal: 0 for
    all. Missing scores (nan) are an error, except under `preset="authors"`, where they stay missing.

    >>> relevance([100, 80, 90, 15, 10]).round(6).tolist()
    [1.0, 0.0, 0.347222, 0.0, 0.0]
    """
    given = dict(locals())
    from rankgauge.analysis.relevance import relevance as engine

    return engine(**given)


@checked
def simulate(
    systems: Count = 60,
    queries: Count = 50,
    *,
    documents: Annotated[int, Bounds(2, MOST)] = 300,
    relevant: Annotated[float, Bounds(0, MOST, without=(0,))] = 25.0,
    highest_grade: Count = 2,
    high: Share = 0.35,
    strengths: Strengths | None = None,
    lift: Annotated[float, Bounds(0)] = 0.25,
    shared: Share = 0.3,
    tail: Annotated[float, Bounds(2, without=(2,), noun="a number of degrees of freedom")] | None = None,
    seed: Seed = 7,
) -> SimulatedCollection:
    """Judgments and runs of systems whose true order is known.

    A query has 1 + NegBin(shape 1.5, mean `relevant`) relevant documents; a grade is raised with chance `high`, up to
    `highest_grade`. A system scores a document β·(1 + `lift`·(grade-1)) if it is relevant, else 0, plus noise of
    variance 1, of which the part `shared` is common to all systems; β = max(0, base + system + query + interaction). `tail` gives
    the systems' own noise the tails of Student's t with this many degrees of freedom, at the same variance.
    """
    given = dict(locals())
    from rankgauge.analysis.simulate import simulate as engine

    return engine(**given)


# --- pages -----------------------------------------------------------------------------------------------------------


@checked
def report(
    path: str | PathLike[str],
    scores: ScoresLike | JudgmentsLike,
    runs: RunsLike | None = None,
    measures: Measures | None = None,
    *,
    comparison: Comparison | None = None,
    stability: Stability | None = None,
    discrimination: Discrimination | None = None,
    judgments: JudgmentsLike | None = None,
    judge: JudgmentsLike | ScoresLike | None = None,
    queries: QueriesLike | None = None,
    baseline: str | None = None,
    confidence: Level = 0.95,
    seed: Seed = 7,
    title: str = "",
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    progress: Progress | None = None,
    command: str = "",
    explorer: str | PathLike[str] | None = None,
    documents: Mapping[str, str] | str | PathLike[str] | None = None,
    by: str | None = None,
    equivalence: Margin | None = None,
) -> Path:
    """Write one self-contained HTML page and return its path; the file is written whole or not at all.

    The data are judgments, runs and measures as `evaluate` takes them, or scores as `compare` takes them. Scores may
    come with `judgments=` and `runs=`, which add the rankings side by side and the effect of other gains and discounts.
    `queries` adds query texts: Queries, a file, or a mapping of query to text; `documents` adds titles: a file or a
    mapping. Analyses that are not given are computed. Without `baseline`, a page of three or more systems is about the
    first place, and all pairs are compared. `by` compares slice by slice, `equivalence` and `judge` are as in `compare`.
    `command` is shown on the page as the command that wrote it. `explorer` is a page written by `explore`, to which the
    leaderboard links.
    """
    given = dict(locals())
    from rankgauge.presentation.report.report import report as engine

    return engine(**given)


@checked
def explore(
    path: str | PathLike[str],
    judgments: JudgmentsLike,
    runs: RunsLike,
    measure: OneMeasure = "nDCG@10",
    *,
    queries: QueriesLike | None = None,
    documents: Mapping[str, str] | str | PathLike[str] | None = None,
    weights: Mapping[str, float] | None = None,
    lists: Annotated[int, Bounds(0, 100)] = 10,
    size: str | int = "3MB",
    baseline: str | None = None,
    confidence: Level = 0.95,
    title: str = "",
    policy: Policy | None = None,
    like: str | None = None,
    only: Ids | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write one self-contained HTML page in which a reader changes the measure and sees the result; return its path.

    `judgments` and `runs` are as in `evaluate`; `measure` is the nDCG with which the page opens. `queries` adds query
    texts and `documents` document titles: a file, or a mapping of id to text. `weights` gives each query a weight in
    the means. The page shows the first `lists` documents of every list, for as many queries as fit into `size`: those
    on which the systems differ least are left out first. The pair shown first is the leader and `baseline`, or the
    two best systems.
    """
    given = dict(locals())
    from rankgauge.presentation.explore.explore import explore as engine

    return engine(**given)
