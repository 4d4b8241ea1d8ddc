"""The workloads: who takes part in each, on which data, and what must come out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from jobs import OURS
from trials import Trial, job, run

FLAT = "250MB"
"""The memory asked for in flat memory; Python, NumPy and Polars themselves are part of it."""


@dataclass(frozen=True)
class Size:
    """How large the data are."""

    dicts: tuple[int, int]
    file: tuple[int, int]
    files: tuple[int, int, int]
    matrix: tuple[int, int]
    users: tuple[int, int]


FULL = Size((10_000, 100), (7_000, 1_000), (100, 50, 1_000), (100_000, 100), (200_000, 1_000_000))
QUICK = Size((2_000, 100), (1_000, 1_000), (25, 50, 1_000), (10_000, 100), (20_000, 50_000))


@dataclass(frozen=True)
class Claim:
    """What one contender must reach beside another, or alone: a ratio of seconds, or megabytes."""

    of: str
    kind: str
    """faster: at least `limit` × as fast; slower: at most `limit` × the time; memory: at most `limit` × the peak;
    megabytes: at most so many; seconds: at most so many of CPU time; beyond: at most so many more than the other."""
    limit: float
    beside: str = ""

    def measured(self, trials: dict[str, Trial], clock: str = "wall") -> float | None:
        """None where one of the two did not run; `clock` may also be cpu."""
        ours, other = trials.get(self.of), trials.get(self.beside)
        if ours is None or (other is None and self.kind not in {"megabytes", "seconds"}):
            return None
        if other is None:
            return ours.peak if self.kind == "megabytes" else ours.cpu
        if self.kind == "beyond":
            return ours.cpu - other.cpu
        what = "peak" if self.kind == "memory" else clock
        ratio = getattr(ours, what) / getattr(other, what)
        return 1 / ratio if self.kind == "faster" else ratio

    def holds(self, measured: float) -> bool:
        return measured >= self.limit if self.kind == "faster" else measured <= self.limit


@dataclass(frozen=True)
class Workload:
    """Contenders by name: ours, peers, and floors below which nobody can be."""

    key: str
    title: str
    commands: dict[str, Sequence[str]]
    claims: tuple[Claim, ...]
    once: tuple[str, ...] = ()
    """Too slow to run in every round."""
    times: float = 1
    """How many times the usual number of rounds, where a round is short or long."""
    inside: bool = False
    """The job times its own work: the data are made in the process."""


def start() -> Workload:
    commands = {
        "floor: Python alone": job("start_nothing"),
        "floor: import numpy": job("start_numpy"),
        "rankgauge": job("start_rankgauge"),
        **_peers({**PEERS, "sklearn": "sklearn"}, "start"),
    }
    claims = (Claim("rankgauge", "slower", 1.08, "pytrec_eval"),)
    title = "Process start to the first nDCG@10, three queries as dicts"
    return Workload("W1", title, commands, claims, ("ranx",), times=20)


def dicts(size: Size, *, reused: bool) -> Workload:
    how = "reused" if reused else "built"
    title = f"{size.dicts[0]:,} queries × {size.dicts[1]} documents as dicts, nDCG@10, "
    return Workload(
        "W2, judgments reused" if reused else "W2",
        title + ("judgments prepared before" if reused else "everything built each time"),
        {"rankgauge": job("dicts_rankgauge", *size.dicts, how), **_peers(PEERS, "dicts", *size.dicts, how)},
        (Claim("rankgauge", "faster", 1.7 if reused else 2.0, "pytrec_eval"),),
        ("ranx",),
        inside=True,
    )


def file(size: Size, data: Path) -> Workload:
    folder = data / "file-{}x{}".format(*size.file)
    made(folder, job("make_file", folder, *size.file, "all"))
    judgments, plain = folder / "judgments.qrels", folder / "plain.run"
    ours = {name: job("file_rankgauge", judgments, folder / path) for name, path in LAYOUTS.items()}
    commands = {
        "floor: Polars reads the file": job("read_polars", plain),
        "rankgauge": job("file_rankgauge", judgments, plain),
        "rankgauge, flat memory": job("file_rankgauge", judgments, plain, OURS, FLAT),
        **ours,
        **_peers(PEERS, "file", judgments, plain),
        **_trec_eval("file", judgments, plain),
    }
    floor = "floor: Polars reads the file"
    claims = (
        Claim("rankgauge", "faster", 5, "pytrec_eval"),
        Claim("rankgauge", "slower", 1.9, floor),
        Claim("rankgauge", "memory", 1, "pytrec_eval"),
        Claim("rankgauge", "faster", 2.5, "trec_eval"),
        Claim("rankgauge, ragged blanks", "faster", 2.5, "pytrec_eval"),
        Claim("rankgauge, lines shuffled", "faster", 3, "pytrec_eval"),
        Claim("rankgauge, flat memory", "megabytes", 300),
        Claim("rankgauge, flat memory", "slower", 3, floor),
    )
    title = f"One TREC file of {size.file[0]:,} queries × {size.file[1]:,}, five measures, whole process"
    return Workload("W3", title, commands, claims, ("ir_measures", "ranx"), times=2)


def files(size: Size, data: Path) -> Workload:
    folder = data / "files-{}x{}x{}".format(*size.files)
    made(folder, job("make_files", folder, *size.files))
    judgments, runs = folder / "judgments.qrels", sorted((folder / "runs").glob("*.run"))
    commands = {
        "floor: Polars reads the files": job("read_polars", *runs),
        "rankgauge": job("many_rankgauge", judgments, *runs),
        **_peers(PEERS, "many", judgments, *runs),
        **_trec_eval("many", judgments, *runs),
    }
    claims = (
        Claim("rankgauge", "faster", 5, "pytrec_eval"),
        Claim("rankgauge", "slower", 1.6, "floor: Polars reads the files"),
        Claim("rankgauge", "megabytes", 400),
    )
    title = "{} run files of {} queries × {:,}, nDCG@10, @20 and @100 per query, whole process".format(*size.files)
    return Workload("W4", title, commands, claims, ("ir_measures", "ranx"), times=4)


def matrix(size: Size, *, ties: bool) -> Workload:
    how = "ties" if ties else "no-ties"
    commands = {
        "floor: np.argpartition": job("matrix_argpartition", *size.matrix, how),
        "rankgauge": job("matrix_rankgauge", *size.matrix, how),
        **_peers({"sklearn": "sklearn"}, "matrix", *size.matrix, how),
    }
    title = "Matrices of {:,} × {}, nDCG@10, equal scores averaged exactly".format(*size.matrix)
    return Workload(
        f"W5, {'many ties' if ties else 'no ties'}",
        title,
        commands,
        (Claim("rankgauge", "faster", 60 if ties else 80, "sklearn"),),
        inside=True,
    )


def frames(users: int, data: Path, peers: dict[str, str]) -> Workload:
    """One measure and five, from Polars and pandas; peers where they are installed, with what they have of the five."""
    folder = users_of(users, data)
    commands: dict[str, Sequence[str]] = {}
    claims = []
    for form, name in (("old", "scores"), ("old-ranks", "ranks")):
        for how, limit in (("five", 1.0), ("one", 1.3)):
            hand = f"by hand in Polars, {name}, {how}"
            commands[hand] = job("frames.polars", folder, form, how)
            for kind in ("", "pandas"):
                ours = ", ".join(filter(None, ("rankgauge", name, how, kind)))
                commands[ours] = job("frames.rankgauge", folder, form, how, kind)
                claims.append(Claim(ours, "slower", limit, hand))
    commands["rankgauge, two systems"] = job("frames.two_systems", folder)
    claims.append(Claim("rankgauge, two systems", "megabytes", 2_000))
    once = []
    for peer, form in peers.items():
        own = data.parent / "peers" / peer / "bin" / "python"  # each with an environment, which may have an older NumPy
        python = str(own) if (own.parents[1] / ".complete").exists() else sys.executable if find_spec(peer) else None
        for how in ("one", "five") if python else ():
            once.append(f"{peer}, {how}")
            commands[once[-1]] = [python, *job(f"frames.{peer}", folder, form, how)[1:]]
    title = f"{users:,} users × 20 items as frames in memory, nDCG@10 or five measures at 10"
    return Workload(
        f"W6, {users:,} users", title, commands, tuple(claims), tuple(once), 1 if peers else 2 / 3, inside=True
    )


def comparing(users: int, data: Path, *, calls: int) -> Workload:
    """Of several calls the first, which imports SciPy, does not count."""
    folder = users_of(users, data)
    commands = {
        "rankgauge": job("analyses.evaluate_users", folder, calls),
        "rankgauge, compare": job("analyses.compare_users", folder, calls),
    }
    limit = Claim("rankgauge, compare", "slower", 1.5, "rankgauge")
    if calls == 1:
        limit = Claim("rankgauge, compare", "beyond", 3, "rankgauge")
    title = f"{users:,} users × 2 systems × 5 measures as frames: evaluate, and compare; best of {calls} in a process"
    return Workload(f"W7, {users:,} users", title, commands, (limit,), inside=True)


def analyses(size: Size, data: Path) -> Workload:
    users, folder = size.users[0], data / "files-{}x{}x{}".format(*size.files)
    made(folder, job("make_files", folder, *size.files))
    judgments, runs = folder / "judgments.qrels", sorted((folder / "runs").glob("*.run"))
    one, many = "rankgauge, report on one system", f"rankgauge, report on {users:,} users"
    commands = {
        "rankgauge": job("analyses.evaluate", judgments, *runs),
        "rankgauge, optimize": job("analyses.optimize", judgments, *runs),
        one: job("analyses.report", judgments, runs[0]),
        many: job("analyses.report_users", users_of(users, data)),
    }
    for over in ("discount", "gain", "both"):
        for how in ("constrained", "unconstrained"):
            commands[f"rankgauge, {how} {over}, 4 grades"] = job("analyses.optimize_grades", over, how)
    claims = (Claim(one, "seconds", 2), Claim(many, "seconds", 8))
    title = "Reports and searches: {} run files of {} queries × {:,}, nDCG@10 (the first row is evaluate)".format(
        *size.files
    )
    return Workload("W8", title, commands, claims, ("rankgauge, unconstrained both, 4 grades",))


def small(size: Size) -> Workload:
    """What many small calls cost."""
    commands = {
        "rankgauge, 100 tiny runs, nDCG@10": job("tiny_rankgauge", 100, "nDCG@10"),
        "rankgauge, 100 tiny runs, four measures": job("tiny_rankgauge", 100, "nDCG@10 AP P@5 RR"),
        "rankgauge, whole-number ids": job("analyses.whole_numbers", size.users[0]),
    }
    title = f"100 runs of 50 queries × 20 as dicts; {size.users[0]:,} users × 10 items, whole-number ids, five measures"
    return Workload("W9", title, commands, (), inside=True)


def opening() -> Workload:
    """What a user waits for first."""
    commands = {
        "rankgauge, --help": job("command", "--help"),
        "rankgauge, compare --help": job("command", "compare", "--help"),
        "rankgauge, page of three systems": job("analyses.page"),
    }
    return Workload("W10", "Help, and a page of three systems, whole process", commands, (), times=2)


def users_of(users: int, data: Path) -> Path:
    folder = data / f"users-{users}"
    made(folder, job("frames.make", folder, users))
    return folder


RECOMMENDING = {"rectools": "old-ranks", "recommenders": "old"}
"""Libraries for recommendations, and the form that they take."""
PEERS = {"pytrec_eval": "pytrec_eval", "ir_measures": "ir_measures", "ranx": "ranx"}
LAYOUTS = {
    "rankgauge, tabs": "tabs.run",
    "rankgauge, ragged blanks": "ragged.run",
    "rankgauge, lines shuffled": "shuffled.run",
    "rankgauge, .gz": "packed.run.gz",
    "rankgauge, .zst": "packed.run.zst",
}


def all_of(size: Size, data: Path) -> list[tuple[str, Callable[[], Workload]]]:
    """Made one after the other, so that data are there only when needed."""
    return [
        ("W1", start),
        ("W2", lambda: dicts(size, reused=False)),
        ("W2", lambda: dicts(size, reused=True)),
        ("W3", lambda: file(size, data)),
        ("W4", lambda: files(size, data)),
        ("W5", lambda: matrix(size, ties=False)),
        ("W5", lambda: matrix(size, ties=True)),
        ("W6", lambda: frames(size.users[0], data, RECOMMENDING)),
        ("W6", lambda: frames(size.users[1], data, {})),
        ("W7", lambda: comparing(size.users[0], data, calls=3)),
        ("W7", lambda: comparing(size.users[1], data, calls=1)),
        ("W8", lambda: analyses(size, data)),
        ("W9", lambda: small(size)),
        ("W10", opening),
    ]


def _peers(modules: dict[str, str], what: str, *arguments: object) -> dict[str, Sequence[str]]:
    """Those that are installed."""
    return {name: job(f"{what}_{name}", *arguments) for name, module in modules.items() if find_spec(module)}


def _trec_eval(what: str, *arguments: object) -> dict[str, Sequence[str]]:
    """The program in C, where TREC_EVAL says where it is."""
    binary = os.environ.get("TREC_EVAL")
    return {"trec_eval": job(f"{what}_trec_eval", binary, *arguments)} if binary else {}


def made(folder: Path, command: Sequence[str]) -> None:
    """Data are made once; a mark says that they are complete."""
    mark = folder / ".complete"
    if not mark.exists():
        run(command)
        mark.touch()
