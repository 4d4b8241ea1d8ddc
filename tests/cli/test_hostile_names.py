"""Names that would move the cursor, turn text round or break a row reach no terminal, whatever the command prints."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
import unicodedata
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from rich.cells import cell_len

from rankgauge import Scores, compare
from rankgauge.analysis.compare.gate import Rule
from rankgauge.cli.main import main
from rankgauge.presentation.junit import junit_text
from rankgauge.tables.notes import visible

SYSTEMS = ("evil\x1b[2J", "turned\u202eround\u200f", "wide 漢字\uff1d", "next\x9b31m\u0085", "tab\tand\nline")
QUERIES = ("q\x1b]0;title\x07", "q\u202e2", "漢字クエリ", "q\x9b2J\x7f", "q\t\n5", "q6")
DOCUMENTS = ("d\x1b[31m", "d\u2066x", "文書", "d\x08\x0b", "d\r\n")
FORMS = ("table", "md", "latex", "json", "csv")
DATA = ("judged.json", "runs.csv")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hostile")
    judged = {
        query: {document: (at + turn) % 3 for at, document in enumerate(DOCUMENTS)}
        for turn, query in enumerate(QUERIES)
    }
    (folder / "judged.json").write_text(json.dumps(judged))
    names = io.StringIO()
    rows = csv.writer(names)
    rows.writerow(["system", "query", "document", "score"])
    for turn, system in enumerate(SYSTEMS):
        for number, query in enumerate(QUERIES[: 6 - turn % 2]):
            for at, document in enumerate(DOCUMENTS):
                rows.writerow([system, query, document, (at * (turn + 2) + number) % 4])
    (folder / "runs.csv").write_text(names.getvalue(), newline="")
    for number in range(2):
        lists = {query: list(DOCUMENTS[number:]) for query in QUERIES}
        (folder / f"{number}.json").write_text(json.dumps(lists))
    about = io.StringIO()
    rows = csv.writer(about)
    rows.writerow(["query", "text", "kind"])
    rows.writerows([query, f"text {query}", f"kind\x1b[{number % 2}"] for number, query in enumerate(QUERIES))
    (folder / "queries.csv").write_text(about.getvalue(), newline="")
    groups = io.StringIO()
    rows = csv.writer(groups)
    rows.writerow(["user", "truth", "predicted"])
    rows.writerows([query, at, (at * 2) % 3] for query in QUERIES for at in range(3))
    (folder / "table.csv").write_text(groups.getvalue(), newline="")
    bare = "".join(f"{name} 0 d{at} {at}\n" for name in ("q\x1b[2J", "q\u202e") for at in range(3))
    (folder / "bare.qrels").write_text(bare)
    run = "".join(f"{name} Q0 d{at} {at} {3 - at} tag\x1b[2J\n" for name in ("q\x1b[2J", "q\u202e") for at in range(3))
    (folder / "bare.trec").write_text(run)
    return folder


def said(arguments, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    with pytest.raises(SystemExit) as stopped:
        main(list(arguments))
    return stopped.value.code, *capsys.readouterr()


def controls(text, *allowed):
    """Characters that a terminal would obey."""
    return {character for character in text if unicodedata.category(character) in {"Cc", "Cf", "Zl", "Zp"}} - {
        "\n",
        *allowed,
    }


COMMANDS = {
    "evaluate": ("evaluate", *DATA),
    "evaluate each": ("evaluate", *DATA, "--per-query", "-m", "nDCG@3 AP"),
    "evaluate intervals": ("evaluate", *DATA, "--interval", "bootstrap"),
    "score": (
        "score",
        "nDCG",
        "--file",
        "table.csv",
        "--truth",
        "truth",
        "--predicted",
        "predicted",
        "--group",
        "user",
    ),
    "explain": ("explain", "nDCG@3", "--judgments", DATA[0], "--run", f"runs.csv:{SYSTEMS[0]}", "--query", QUERIES[0]),
    "contrast": (
        *("explain", "AP", "--judgments", DATA[0], "--run", f"runs.csv:{SYSTEMS[0]}", "--query", QUERIES[1]),
        *("--versus", "1.json"),
    ),
    "compare": ("compare", *DATA, "--baseline", SYSTEMS[1]),
    "compare pairs": ("compare", *DATA, "--all-pairs", "-m", "nDCG@3 AP"),
    "compare by": ("compare", *DATA, "--queries", "queries.csv", "--by", "kind", "--samples", "50"),
    "compare each": ("compare", *DATA, "--queries", "queries.csv", "--per-query", "--samples", "50"),
    "compare gate": ("compare", *DATA, "--fail-if", "nDCG@10 < baseline"),
    "churn": ("compare", "--no-judgments", f"{SYSTEMS[0]}=0.json", f"{SYSTEMS[1]}=1.json", "--queries", "queries.csv"),
    "stability": ("stability", *DATA),
    "agreement": ("agreement", *DATA, "-m", "nDCG@3 AP"),
    "discriminate": ("discriminate", *DATA, "--samples", "50"),
    "exposure": ("exposure", *DATA[1:], "--history", DATA[0]),
    "optimize": ("optimize", *DATA, "-m", "nDCG@3", "--folds", "2", "--repeats", "1"),
    "relevance": ("relevance", DATA[0]),
    "check": ("check", *DATA),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", COMMANDS)
def test_no_name_reaches_the_terminal_as_it_is(name, form, folder, monkeypatch, capsys):
    code, out, err = said((*COMMANDS[name], "--format", form), folder, monkeypatch, capsys)
    assert code in ({0, 1, 3} if name == "compare gate" else {0}), err
    assert controls(err) == set()
    if form == "csv":
        rows = list(csv.reader(io.StringIO(out, newline="")))
        assert len({len(row) for row in rows}) == 1
        return
    assert controls(out) == set()
    if form == "json":
        json.loads(out)


def test_json_and_csv_keep_the_names(folder, monkeypatch, capsys):
    _, out, _ = said(("evaluate", *DATA, "--format", "json"), folder, monkeypatch, capsys)
    assert tuple(json.loads(out)["systems"]) == SYSTEMS
    _, out, _ = said(("evaluate", *DATA, "--format", "csv"), folder, monkeypatch, capsys)
    assert {row["system"] for row in csv.DictReader(io.StringIO(out, newline=""))} == set(SYSTEMS)


def test_other_forms_are_clean_too(folder, monkeypatch, capsys):
    arguments = ("evaluate", "bare.qrels", "bare.trec", "--format", "trec", "-m", "official", "--per-query")
    code, out, _ = said(arguments, folder, monkeypatch, capsys)
    assert (code, controls(out, "\t")) == (0, set())
    assert {line.count("\t") for line in out.splitlines()} == {2}
    gated = ("compare", *DATA, "--fail-if", "nDCG@10 < baseline", "--format", "junit")
    _, out, _ = said(gated, folder, monkeypatch, capsys)
    assert controls(out) == set()
    ET.fromstring(out)  # noqa: S314 - our own


XML = (
    "]]>",
    "<![CDATA[",
    "&amp;&#0;",
    "<!--",
    "-->",
    "\x00\x08\x0b",
    "\ud800",
    "\ufffe\uffff",
    "\U0001ffff",
    "'\"<>",
    "\x85",
)


@pytest.mark.parametrize("name", XML)
def test_junit_is_xml_whatever_the_names_are(name):
    draw = np.random.default_rng(5).random((2, 30))
    scores = Scores.from_matrix(
        draw, ["base", f"s{name}"], [f"q{at}{name}" for at in range(30)], [f"m{name}"[:9]], rows="systems"
    )
    found = compare(scores)
    gate = found.gate(Rule(f"rule {name}", str(scores.measures[0]), above=False, from_baseline=True, number=0.0))
    text = junit_text(gate, found.summary + name)
    root = ET.fromstring(text.encode())  # noqa: S314 - our own
    case = root.find(".//testcase")
    assert case is not None
    assert case.attrib == {"classname": visible(gate.rules[0].rule), "name": visible(f"s{name}")}
    assert controls(text) == set()


def test_the_report_and_simulate_say_clean_words(folder, monkeypatch, capsys, tmp_path):
    for arguments in (
        ("report", *DATA, "--queries", "queries.csv", "-o", "page\x1b[2J.html", "--title", SYSTEMS[0]),
        ("simulate", "--systems", "2", "--queries", "2", "-o", str(tmp_path / "made\x1b[2J")),
    ):
        code, out, err = said(arguments, folder, monkeypatch, capsys)
        assert code == 0, err
        assert controls(out + err) == set()


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "no\x1b[2J.qrels", "runs.csv"),
        ("evaluate", "judged.json", "no\x1b[2J"),
        ("evaluate", *DATA, "--only", "none\x1b[2J"),
        ("evaluate", *DATA, "-m", "nDCG\x1b[2J"),
        ("evaluate", *DATA, "--no\x1b[2J"),
        ("evil\x1b[2J",),
        ("evaluate", *DATA, "--ties", "evil\x1b[2J"),
        ("compare", *DATA, "--baseline", "evil\x1b[1J"),
        ("compare", *DATA, "--fail-if", "evil\x1b[2J"),
        ("explain", "AP", "--judgments", DATA[0], "--run", "runs.csv", "--query", "q6"),
        ("explain", "AP", "--judgments", DATA[0], "--run", f"runs.csv:{SYSTEMS[0]}", "--query", "none\x1b[2J"),
        ("check", "bare\x1b[2J.trec", "judged.json"),
        ("evaluate", *DATA, "-o", "no\x1b[2J/out"),
    ],
)
def test_errors_are_clean(arguments, folder, monkeypatch, capsys):
    code, out, err = said(arguments, folder, monkeypatch, capsys)
    assert code == 2
    assert controls(out + err) == set()
    assert "Traceback" not in err


def test_wide_names_keep_the_columns_of_a_comparison_straight(tmp_path, monkeypatch, capsys):
    names = ["plain", "漢字漢字", "e\u0301te\u0301"]
    rows = [f"{name},q{query},{(at + 1) * query % 5 / 10}" for at, name in enumerate(names) for query in range(1, 7)]
    (tmp_path / "scores.csv").write_text("\n".join(["system,query,nDCG@10", *rows]) + "\n")
    code, out, _ = said(("compare", "--scores", "scores.csv"), tmp_path, monkeypatch, capsys)
    assert code == 0
    lines = out.splitlines()
    heading = next(at for at, line in enumerate(lines) if line.startswith("system"))
    table = lines[heading : heading + 1 + len(names)]
    ends = {cell_len(line[: line.index("0.")]) for line in table[1:]}
    assert len(ends) == 1


@pytest.mark.parametrize("command", ["evaluate", "compare"])
def test_a_csv_on_the_screen_moves_no_cursor_and_in_a_pipe_is_exact(tmp_path, capsys, monkeypatch, command):
    """Seen red: the title of the window changed."""
    (tmp_path / "a.qrels").write_text("q\x1b]0;x 0 a 1\nq2 0 a 1\n")
    for name in ("b", "c"):
        (tmp_path / f"{name}.run").write_text(f"q\x1b]0;x Q0 a 1 2 t\nq2 Q0 {name} 1 2 t\n")
    call = [
        command,
        *(str(tmp_path / name) for name in ("a.qrels", "b.run", "c.run")),
        "--per-query",
        "--format",
        "csv",
    ]
    with contextlib.suppress(SystemExit):
        main(call)
    piped = capsys.readouterr().out
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with contextlib.suppress(SystemExit):
        main(call)
    assert "q\x1b]0;x," in piped
    assert capsys.readouterr().out == piped.replace("\x1b", "\N{REPLACEMENT CHARACTER}")
