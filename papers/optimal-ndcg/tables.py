"""Tables 1 to 4 and what goes beyond them, as Markdown: the paper's printed numbers above ours."""

from __future__ import annotations

from typing import Any

from claims import CLAIMS

Numbers = dict[str, Any]
DISCOUNTS, GAINS = ("zipf", "linear", "log2", "optimal"), ("exp", "linear", "optimal")
CUTOFFS = ("10", "20", "100")
PRINTED_1 = {"TREC 9": (45, 31, 29, 25), "TREC 10": (58, 64, 51, 49), "TREC 12": (104, 70, 67, 53)}
PRINTED_2 = {
    "TREC 9": ("1.1 1.1 1.1", "1.3 1.3 1.4", "1.5 1.5 1.6", "1.2 1.2 1.9", "1.1 1.1 2.7"),
    "TREC 10": ("1.2 1.2 1.3", "1.6 1.6 1.8", "2.0 2.0 2.0", "1.8 1.8 1.8", "1.5 1.5 1.6"),
    "TREC 12": ("1.2 1.2 1.2", "1.2 1.2 1.1", "1.0 1.0 1.0", "0.8 1.0 1.0", "0.7 1.0 1.0"),
}
PRINTED_3 = {"TREC 9": (28, 29, 30), "TREC 10": (52, 51, 51), "TREC 12": (72, 67, 63)}
PRINTED_4 = {
    "TREC 9": ("0.8315", "0.8960", "0.9282", "0.8355", "0.9564", "0.9374"),
    "TREC 10": ("0.7886", "0.8625", "0.9184", "0.8955", "0.8809", "0.9453"),
    "TREC 12": ("0.7136", "0.8149", "0.8828", "0.6757 and 0.6500", "0.8994", "0.8581"),
}


def markdown(head: list[str], body: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *body]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def claims(collections: dict[str, Numbers]) -> str:
    head = ["where", "the paper", "computed here", "printed", "ours, by collection (✗: not so there)", "verdict"]
    return markdown(head, [claim.row(collections) for claim in CLAIMS])


def the_collections(collections: dict[str, Numbers]) -> str:
    body = [
        [name, str(one["systems"]), str(one["queries"]), str(one["depth"]), f"`{one['data']}`"]
        for name, one in collections.items()
    ]
    return markdown(["collection", "systems", "queries", "ranks", "hash of the data"], body)


def table_1(collections: dict[str, Numbers]) -> str:
    """Queries needed for Φ = 0.90 / 0.95 by discount (linear gain), and Φ for one query with its standard error."""
    body = [[f"{name} (printed)", "100", *(f"{value}" for value in row)] for name, row in PRINTED_1.items()]
    body += [
        [name, cutoff, *(_needed(one["discounts"][cutoff][discount]) for discount in DISCOUNTS)]
        for name, one in collections.items()
        for cutoff in CUTOFFS
    ]
    return markdown(["collection", "cutoff", *DISCOUNTS], body)


def table_2(collections: dict[str, Numbers]) -> str:
    """The gain of a highly relevant document over that of a relevant one: unconstrained, log2, optimal discount."""
    body = [[f"{name} (printed)", *row] for name, row in PRINTED_2.items()]
    for name, one in collections.items():
        found = one["ratios"]
        cells = [
            " ".join(f"{found[cutoff][column]:.2f}" for column in ("unconstrained", "log2", "optimal"))
            if cutoff in found
            else "lists end at 100"
            for cutoff in ("3", "10", "20", "100", "200")
        ]
        body.append([name, *cells])
    return markdown(["collection", "@3", "@10", "@20", "@100", "@200"], body)


def table_3(collections: dict[str, Numbers]) -> str:
    """Queries needed by gain (log2 discount)."""
    body = [[f"{name} (printed)", "100", *(f"{value}" for value in row)] for name, row in PRINTED_3.items()]
    body += [
        [name, cutoff, *(_needed(one["gains"][cutoff][gain]) for gain in GAINS)]
        for name, one in collections.items()
        for cutoff in CUTOFFS
    ]
    return markdown(["collection", "cutoff", *GAINS], body)


def table_4(collections: dict[str, Numbers]) -> str:
    """τ-b between orders of systems @100. For TREC 12 the paper prints two values for zipf and the optimum."""
    body = [[f"{name} (printed)", *row] for name, row in PRINTED_4.items()]
    for name, one in collections.items():
        tau = one["orders"]["tau"]
        pairs = (("zipf", "linear"), ("zipf", "log2"), ("linear", "log2"), ("zipf", "optimal"), ("linear", "optimal"))
        body.append([name, *(f"{tau[a][b]:.4f}" for a, b in (*pairs, ("log2", "optimal")))])
    head = ["zipf–linear", "zipf–log2", "linear–log2", "zipf–optimal", "linear–optimal", "log2–optimal"]
    return markdown(["collection", *head], body)


def table_power(collections: dict[str, Numbers]) -> str:
    """Share of the pairs of the 30 best systems separated @20, ± its standard error; lead of the optimum ± its own.

    In brackets the smallest and largest share that 20 seeds give with 1,000 bootstrap samples, as in the paper.
    """
    names = list(next(iter(collections.values()))["power"])
    body = []
    for name, one in collections.items():
        power = one["power"]
        cells = [
            f"{power[each]['power']:.3f} ± {power[each]['error']:.3f} ({'–'.join(f'{one:.3f}' for one in power[each]['over_seeds'])})"
            for each in names
        ]
        usual = power["linear gain, log discount"]
        lead = f"{power['optimal']['power'] - usual['power']:+.3f} ± {usual['lead_error']:.3f}"
        body.append([name, *cells, lead])
    return markdown(["collection", *names, "optimal − linear/log"], body)


def table_searched(collections: dict[str, Numbers]) -> str:
    """On all queries, and on the half that was not searched: mean share, lead over linear gain with log2, halvings won."""
    names = ("phi", "erho", "power")
    body = []
    for name, one in collections.items():
        found = one["searched"]
        cells = [f"{found['log2']['all']:.3f}", *(f"{found[each]['all']:.3f}" for each in names)]
        cells.append(f"{found['log2']['unseen']:.3f}")
        cells += [
            f"{found[each]['lead']:+.3f} ± {found[each]['error']:.3f} ({found[each]['wins']} of 10)" for each in names
        ]
        body.append([name, *cells])
    head = ["log2", "Φ", "Eρ²", "power", "unseen: log2", "unseen: Φ", "unseen: Eρ²", "unseen: power"]
    return markdown(["collection", *head], body)


def table_unseen(collections: dict[str, Numbers]) -> str:
    """Lead over log2 in Φ for one query on the half of the queries that was not searched: 10 halvings, both ways."""
    names = ("zipf", "linear", "optimal", "family")
    body = []
    for name, one in collections.items():
        for cutoff in CUTOFFS:
            found = one["unseen"][cutoff]
            leads = (f"{found[each]['lead']:+.4f} ± {found[each]['error']:.4f}" for each in names)
            body.append([name, cutoff, f"{found['log2']['phi']:.4f}", *leads])
    return markdown(["collection", "cutoff", "Φ of log2", *names], body)


def table_simulated(simulation: Numbers) -> str:
    """On fresh queries of simulated systems: what a search promises, and what it keeps."""
    body = []
    for name, plan in simulation["plans"].items():
        for cutoff in ("20", "100"):
            found = plan[cutoff]
            leads = (
                f"{found[each]['lead']:+.4f} ± {found[each]['spread']:.4f}" for each in ("zipf", "linear", "optimal")
            )
            wins = f"{found['optimal']['wins']} of {simulation['seeds']}"
            body.append([name, cutoff, f"{found['log2']['phi']:.4f}", *leads, f"{found['promised']['phi']:.4f}", wins])
    head = ["collection", "cutoff", "Φ of log2", "zipf", "linear", "optimal", "promised by the search", "optimal wins"]
    return markdown(head, body)


def table_lifts(simulation: Numbers) -> str:
    """The optimal gain ratio as a function of what the simulated systems make of a better grade."""
    body = [
        [lift, *(f"{mean:.2f} ± {spread:.2f}" for mean, spread in found.values())]
        for lift, found in simulation["lifts"].items()
    ]
    return markdown(["lift", "@10", "@20", "@100"], body)


def table_settings(simulation: Numbers) -> str:
    body = [[name, *(str(value) for value in plan["settings"].values())] for name, plan in simulation["plans"].items()]
    head = list(next(iter(simulation["plans"].values()))["settings"])
    return markdown(["collection", *head], body)


def _needed(row: Numbers) -> str:
    return f"{row['needed'][0]:g} / {row['needed'][1]:g} ({row['phi']:.3f} ± {row['error']:.3f})"
