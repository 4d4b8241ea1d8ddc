"""Every command on the example collection: help, text as on a terminal of 80 columns, and every other form."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

from net import said
from net.called import command
from net.drawn import Draw
from net.said import Case
from rankgauge import examples

NAMES = (
    "evaluate score explain reconcile exposure compare robust judges holes stability agreement discriminate report explore "
    "measures optimize compromise relevance check sample example simulate"
).split()
FORMS = ("table", "json", "csv", "md", "latex")
SYSTEMS = ("lambdamart", "xendcg", "ridge", "feature-91")
FOUR, TWO = ("J " + " ".join(f"runs/{name}.trec" for name in names) for names in (SYSTEMS, SYSTEMS[1:3]))
SOME = "--only some.txt"
# J is the judgments, FOUR and TWO are they with as many runs, SOME is sixty queries. Each is asked in every form.
EVERY_FORM = """
evaluate FOUR -m nDCG@10,AP,RR
evaluate TWO SOME --per-query
score nDCG@10,rankDCG --file table.csv --truth grade --predicted ridge --predicted xendcg --group query
score rankDCG truth.txt predicted.txt --chance
explain nDCG(gain=exp)@20
explain nDCG@10 --judgments J --run runs/ridge.trec --query q004
explain nDCG@5 --judgments J --run runs/ridge.trec --query q004 --versus ties=mean
explain nDCG@10 --judgments J --run runs/ridge.trec --versus RR@10
reconcile 0.5 --judgments J --run runs/ridge.trec -m nDCG@10
exposure runs/ridge.trec runs/xendcg.trec --history J --cutoff 5
compare FOUR SOME
compare FOUR SOME --all-pairs --test t --correction holm -m nDCG@10,AP
compare TWO SOME --by part --queries queries.csv --test t
compare --no-judgments runs/ridge.trec runs/xendcg.trec --cutoff 5
compare TWO SOME --per-query
robust TWO SOME -m nDCG@5 --samples 40
judges J --judge llm=llm.qrels
judges FOUR --judge llm.qrels SOME
holes FOUR SOME -m nDCG@5
stability FOUR -m nDCG@10,AP
agreement FOUR -m nDCG@10,AP,RR
discriminate FOUR SOME -m nDCG@10,AP --samples 100
optimize FOUR SOME -m nDCG@5 --folds 2 --repeats 1
compromise a=J,few b=llm.qrels,few -m nDCG@5
relevance popular.csv
check J runs/ridge.trec
sample J --queries 5
measures
"""
# Asked as on a terminal only.
ONCE = """
evaluate FOUR --like trec_eval-9 -m official
evaluate FOUR --like lightgbm --median --decimals 2
evaluate TWO --ties worst --unjudged drop --missing drop --undefined drop --depth 5 --rel 2 -m nDCG@10,P@5,ERR
evaluate TWO --unjudged bounds SOME
evaluate TWO --policy pool=returned,extra=zero SOME --quiet
evaluate TWO --interval t --confidence 0.9
evaluate TWO --interval bootstrap SOME
evaluate TWO --queries queries.csv --by part
evaluate TWO --queries queries.csv --weights documents
evaluate TWO --complete --names tag
evaluate TWO --format trec -m map,ndcg_cut_10 --per-query SOME
evaluate TWO --memory 100MB --means-only
evaluate TWO --save saved.parquet --quiet
evaluate table.csv:grade table.csv:ridge mine=table.csv:xendcg
evaluate J ridge=runs/ridge.trec --columns query=qid
evaluate J runs/ridge.trec runs/ridge.trec
evaluate J runs/none.trec
evaluate J
evaluate
evaluat J
evaluate J runs/ridge.trec -m nDCGG@10
evaluate J runs/ridge.trec -m nDCG(gain=expo)@10
evaluate J runs/ridge.trec --depth 0
evaluate J runs/ridge.trec --ties any
evaluate J runs/ridge.trec --like trec_evil-9
evaluate J runs/ridge.trec --weights part
evaluate J runs/ridge.trec --only q999
evaluate J runs/ridge.trec -o J
evaluate J runs/ridge.trec -o nowhere/out.txt
evaluate J runs/ridge.trec --format xml
evaluate J runs/ridge.trec --buckets 3
evaluate J runs/ridge.trec -m @measures.txt
score rankDCG truth.txt predicted.txt --like sklearn
score tau_b truth.txt predicted.txt
score nDCG truth.txt predicted.txt --group part
score nDCG@10 --file table.csv --truth grade --predicted nothing
explain AP --like sklearn
explain ERR --ties mean
explain AP --judgments J --run runs/ridge.trec --query q999
explain AP --judgments J --run runs/ridge.trec --query q004 --depth 3 --rel 2
reconcile 0.5 --judgments J --run runs/ridge.trec -m nDCG@10 --second nDCG@5=0.9
reconcile half --judgments J --run runs/ridge.trec
exposure runs/ridge.trec --items items.csv --features topic
compare FOUR SOME --baseline ridge --fail-if "nDCG@10 < baseline - 0.01" --fail-if "nDCG@10 < 0.9"
compare FOUR SOME --fail-if "nDCG@10 > baseline + 50%"
compare FOUR SOME --fail-if nonsense
compare TWO SOME --format junit --fail-if "nDCG@10 < baseline"
compare TWO SOME --format comment --fail-if "nDCG@10 < baseline"
compare TWO SOME --fail-if "nDCG@10 < baseline" --undecided warn --quiet
compare TWO SOME --sequential ledger.json --fail-if "nDCG@10 < baseline"
compare FOUR SOME --notes --compact --caption "All of them" --format latex
compare FOUR SOME --compact --format md
compare FOUR SOME --bayes --equivalence 0.02
compare FOUR SOME --robust --test bootstrap --samples 300
compare FOUR SOME --test tukey --all-pairs --interval-for pair
compare FOUR SOME --correction bh --correction-within measure -m nDCG@10,RR --interval bootstrap
compare --scores scores.csv --baseline best
compare --scores matrix.txt
compare --scores matrix.txt J
compare --collection a J runs/ridge.trec runs/xendcg.trec --collection b llm.qrels runs/ridge.trec runs/xendcg.trec
compare people.qrels runs/ridge.trec runs/xendcg.trec --judge llm.qrels
compare J runs/ridge.trec
compare TWO --seed -1
robust TWO SOME --over discount -m nDCG@5 --budget 20 --samples 20
robust TWO SOME -m AP
judges J --judge llm.qrels --rel 2 --common
holes TWO SOME --next 5 -m nDCG@5
holes TWO SOME --all-pairs --ideal open --max-grade 4 -m nDCG@5
stability --scores scores.csv --reach 0.8,0.9 --queries-at 50 --interval arteaga --systems others
stability FOUR --drop 0.25 SOME
agreement --scores scores.csv
discriminate FOUR SOME --top 3 --alpha 0.1 --samples 50
optimize FOUR SOME --over gain --folds 0 -m nDCG@5
optimize FOUR SOME --objective power --folds 0 -m nDCG@3
optimize FOUR SOME --unconstrained --reach 0.8 --folds 0 -m nDCG@3
relevance popular.csv --preset authors --quartiles hinges --whisker-reach 2
relevance popular.csv --knots knots.json
check J runs/ridge.trec runs/none.trec llm.qrels
check runs/ridge.trec J
sample J --queries 0
sample llm.qrels --queries 3 --seed 9
explain nDCG@10 --like lightgbm
--version
--nonsense
"""
# What is written into files, with the files.
WRITTEN = {
    "evaluate TWO SOME --format csv -o out.csv": ["out.csv"],
    "evaluate TWO SOME --save saved.csv --quiet": ["saved.csv"],
    "compare TWO SOME --also json=out.json --also md=out.md --also junit=gate.xml --fail-if 'nDCG@10 < baseline'": ["out.json", "out.md", "gate.xml"],
    "compare TWO SOME --sequential book.json --fail-if 'nDCG@10 < baseline'": ["book.json"],
    "optimize FOUR SOME -m nDCG@3 --folds 0 -o optimum.json --format json": ["optimum.json"],
    "sample J --queries 3 --format csv -o sampled.csv": ["sampled.csv"],
    "simulate --systems 3 --queries 4 --documents 10 --output made": ["made/judgments.qrels", "made/queries.csv"],
    "report TWO SOME --queries queries.csv -o page.html": ["page.html"],
    "report FOUR SOME -m nDCG@10,AP -o page.html --title Ours": ["page.html"],
    "report TWO SOME -o page.html --by part --queries queries.csv --equivalence 0.03": ["page.html"],
    "report people.qrels runs/ridge.trec runs/xendcg.trec --judge llm.qrels -o page.html": ["page.html"],
    "report FOUR --like lightgbm --baseline ridge --documents items.csv -o page.html": ["page.html"],
    "explore TWO SOME -o explorer.html --lists 2": ["explorer.html"],
    "explore FOUR -m DCG(gain=exp)@5 --queries queries.csv --weights documents -o explorer.html": ["explorer.html"],
    **{
        f"{line} --quiet --plot chart.json": ["chart.json"]
        for line in (
            "explain nDCG@10",
            "explain nDCG@10 --judgments J --run runs/ridge.trec --query q004",
            "stability FOUR -m nDCG@10,AP",
            "agreement FOUR -m nDCG@10,AP",
            "discriminate FOUR SOME --samples 100",
            "robust TWO SOME -m nDCG@5 --samples 40",
            "optimize FOUR SOME -m nDCG@5 --folds 0",
            "relevance popular.csv",
        )
    },
}  # fmt: skip


def _prepared() -> None:
    """The example, and files of other kinds, in this folder."""
    if Path("some.txt").exists():
        return
    loaded = examples.load()
    loaded.save(".")
    draw, lines = Draw("llm"), Path("judgments.qrels").read_text().splitlines()
    machine = [line[:-1] + str(max(0, int(line[-1]) + draw.choice([-1, 0, 0, 0, 0, 1]))) for line in lines]
    Path("llm.qrels").write_text("\n".join(machine) + "\n")
    chosen = [f"q{at:03}" for at in range(2, 120, 2)]
    Path("people.qrels").write_text("".join(f"{line}\n" for line in lines if line.split()[0] in chosen))
    Path("some.txt").write_text("\n".join(chosen) + "\n")
    Path("few").mkdir()
    for name in SYSTEMS[:3]:
        Path(f"few/{name}.trec").write_bytes(Path(f"runs/{name}.trec").read_bytes())
    Path("truth.txt").write_text("3\n1\n2\n0\n2\n1\n")
    Path("predicted.txt").write_text("0.5\n0.25\n0.5\n0.125\n2\n1\n")
    Path("measures.txt").write_text("# ours\nnDCG(gain=exp)@10 AP\nRR\n")
    Path("knots.json").write_text('{"preset": "knots", "knots": [[0, 0], [10, 0.5], [40, 1]]}\n')
    rows = [f"q{q},d{d},{draw.below(500) / 10}" for q in range(4) for d in range(9)]
    Path("popular.csv").write_text("query,document,score\n" + "\n".join(rows) + "\n")
    documents = sorted({line.split()[2] for line in lines})
    Path("items.csv").write_text("item,topic\n" + "".join(f"{d},{'abc'[at % 3]}\n" for at, d in enumerate(documents)))
    scores = [[draw.below(1000) / 1000 for _ in range(3)] for _ in range(12)]
    Path("matrix.txt").write_text(
        "query a b c\n" + "".join(f"q{q} {' '.join(map(str, row))}\n" for q, row in enumerate(scores))
    )
    long = [f"{'abc'[s]},q{q},{scores[q][s]},{scores[q][s] ** 2:.4f}" for s in range(3) for q in range(12)]
    Path("scores.csv").write_text("system,query,nDCG@10,AP\n" + "\n".join(long) + "\n")


_TIMES = re.compile(
    r"\b\d+(\.\d+)? ?m?s\b|\d{4}-\d\d-\d\d([T ][\d:.]+Z?)?|version \d+\.\d+\.\d+\S*|rankgauge \d+\.\d+\.\d+"
)


def _words(line: str) -> list[str]:
    for short, long in (("FOUR", FOUR), ("TWO", TWO), ("SOME", SOME)):
        line = line.replace(short, long)
    return [re.sub(r"^(\w+=)?J\b", r"\1judgments.qrels", word) for word in shlex.split(line)]


def _ran(line: str, form: str = "", *, terminal: bool = True, written: list[str] | None = None) -> Any:
    _prepared()
    before = {path.name for path in Path().iterdir()}
    found = command([*_words(line), *(["--format", form] if form else [])], terminal=terminal)
    out = [_TIMES.sub("…", text) for text in found.get("out", [])]
    if form == "json" and found["code"] in {0, 1, 3}:
        found["out"] = said.shortened(json.loads("\n".join(out)))
    elif out:
        found["out"] = _some(out)
    for name in written or []:
        text = Path(name).read_text()
        if name.endswith(".json") and text.startswith("{"):
            for at, digest in enumerate(dict.fromkeys(re.findall(r"data-[0-9a-f]{32}", text))):
                text = text.replace(digest, f"data-{at}")
            tree = json.loads(_TIMES.sub("…", text))
            found[name] = said.shortened({key: tree[key] for key in tree if key not in {"$schema", "config"}})
            continue
        lines = _visible(text) if name.endswith(".html") else text.split("\n")
        found[name] = _some([_TIMES.sub("…", one) for one in lines])
    for path in list(Path().iterdir()):
        if path.name not in before:
            path.unlink() if path.is_file() else _removed(path)
    return found


def _removed(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder)


def _some(lines: list[str]) -> list[str]:
    """All lines of what people read; of long files the first and the last."""
    return lines if len(lines) <= 400 else [*lines[:200], f"… {len(lines)} lines", *lines[-100:]]


class _Text(HTMLParser):
    """What a page shows, without scripts and styles."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden += tag in {"script", "style"}

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in {"script", "style"}

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and not self._hidden:
            self.lines.append(text)


def _visible(page: str) -> list[str]:
    read = _Text()
    read.feed(page)
    return read.lines


def helped() -> Iterator[Case]:
    """The help of every command, at two widths of which one is that of a pipe."""
    yield Case("--help", lambda: command("--help", terminal=True))
    yield Case("nothing", lambda: command("", terminal=True))
    for name in NAMES:
        yield Case(f"{name} --help", lambda name=name: command(f"{name} --help", terminal=True))
        yield Case(f"{name} alone", lambda name=name: command(name, terminal=True))


def ran() -> Iterator[Case]:
    """What commands print."""
    for line in EVERY_FORM.strip().split("\n"):
        for form in FORMS:
            yield Case(f"{line} as {form}", lambda line=line, form=form: _ran(line, form, terminal=form == "table"))
    for line in ONCE.strip().split("\n"):
        yield Case(line, lambda line=line: _ran(line))
    for line in ("compare FOUR SOME", "stability FOUR", "evaluate FOUR"):
        yield Case(f"{line} into a pipe", lambda line=line: _ran(line, terminal=False))
    yield Case("from a pipe", lambda: _piped("evaluate judgments.qrels -"))
    yield Case("from two pipes", lambda: _piped("evaluate - -"))
    for line, files in WRITTEN.items():
        yield Case(line, lambda line=line, files=files: _ran(line, written=files))


def _piped(line: str) -> Any:
    _prepared()
    return command(line, terminal=True, stdin=Path("runs/ridge.trec").read_bytes())
