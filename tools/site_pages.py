"""Hooks of MkDocs: pages that lie elsewhere in the repository, and those that are made from the program itself.

The README becomes the home page, the pages of papers and the changelog join it, and the reference is made from the real
`--help`, the public names and real JSON. Links follow: what a page of the repository links to is part of the site.
"""

from __future__ import annotations

import json
import os.path
import posixpath
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from mkdocs.structure.files import File, Files

import rankgauge
from rankgauge import results
from rankgauge.cli.help import GROUPS
from rankgauge.cli.main import cli

ROOT = Path(__file__).parents[1]


def paper_pages() -> dict[str, str]:
    """Every page of results → its place on the site."""
    found = sorted((ROOT / "papers").glob("*/results/*.md"))
    return {
        page.relative_to(ROOT).as_posix(): f"papers/{page.parts[-3]}"
        + ("" if page.stem == "README" else f"-{page.stem}")
        + ".md"
        for page in found
    }


MOVED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "CODE_OF_CONDUCT.md": "conduct.md",
    "SECURITY.md": "security.md",
    "conformance/README.md": "conformance.md",
    "src/rankgauge/examples/NOTICE.md": "example-data.md",
    **paper_pages(),
}
"""Pages of the repository outside docs/ → their place on the site."""
ORIGIN = {site: repository for repository, site in MOVED.items()}
LINK = re.compile(r"(\]\()([^)\s#:]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"(^```.*?^```$)", re.DOTALL | re.MULTILINE)
SESSION = re.compile(r"^(```)python(\n>>> )", re.MULTILINE)
"""A block with prompts: as `pycon`, the site tells what is typed from what is printed, and copies only the former."""
HIDDEN = {"index.md": ["navigation"], "example-report.md": ["toc"]}
"""Columns beside a page that would take its width."""
REPORTED = ("ridge", "lambdamart", "boosted-trees", "random-forest")


def on_files(files: Files, config: Any) -> Files:
    """Add the pages and files that are not in docs/."""
    texts = {site: (ROOT / path).read_text(encoding="utf-8") for path, site in MOVED.items()}
    made = {
        "papers/index.md": papers_page(),
        "reference/commands.md": commands_page(),
        "reference/functions.md": functions_page(),
        "reference/classes.md": names_page("Data and scores", _classes()),
        "reference/modules.md": names_page("Modules", MODULES),
        "reference/results.md": results_page(),
        "reference/json.md": json_page(),
    }
    for uri, text in {**texts, **made}.items():
        files.append(File.generated(config, uri, content=text))
    files.append(File.generated(config, "example-report.html", content=report_page()))
    pages = {file.src_uri: file.content_string for file in files if file.src_uri.endswith(".md")}
    for target in sorted({path for uri, text in pages.items() for path in linked(text, uri)}):
        if place(target).startswith("files/"):
            files.append(File.generated(config, place(target), abs_src_path=str(ROOT / target)))
    return files


def on_page_markdown(markdown: str, *, page: Any, **_: Any) -> str:
    page.meta.setdefault("hide", HIDDEN.get(page.file.src_uri, []))
    return relinked(SESSION.sub(r"\1pycon\2", markdown), page.file.src_uri)


def place(path: str) -> str:
    """Where the site has a file of the repository."""
    if path in MOVED:
        return MOVED[path]
    return path.removeprefix("docs/") if path.startswith("docs/") else f"files/{path}"


def linked(markdown: str, uri: str) -> Iterator[str]:
    """Files of the repository that a page links to."""
    for part in FENCE.split(markdown)[::2]:
        for _, target, _ in LINK.findall(part):
            path = _resolved(target, uri)
            if (ROOT / path).is_file():
                yield path


def relinked(markdown: str, uri: str) -> str:
    """Links as they must be on the site; code is left alone."""

    def changed(match: re.Match[str]) -> str:
        path = _resolved(match[2], uri)
        if not (ROOT / path).is_file():
            return match[0]
        return f"{match[1]}{posixpath.relpath(place(path), posixpath.dirname(uri) or '.')}{match[3]}"

    parts = FENCE.split(markdown)
    return "".join(part if at % 2 else LINK.sub(changed, part) for at, part in enumerate(parts))


def _resolved(target: str, uri: str) -> str:
    origin = ORIGIN.get(uri, f"docs/{uri}")
    return posixpath.normpath(posixpath.join(posixpath.dirname(origin), target))


def commands_page() -> str:
    parts = [
        "# Commands",
        "What each command prints with `--help`. A guide with examples: [From the shell](../commands.md).",
    ]
    for title, names in GROUPS.items():
        parts.append(f"## {title}")
        for name in names:
            shown = CliRunner().invoke(cli, [name, "--help"], prog_name="rankgauge", terminal_width=80).output
            parts.append(f"### {name}\n\n```text\n{shown.rstrip()}\n```")
    return "\n\n".join(parts) + "\n"


def functions_page() -> str:
    """The public functions, in the groups of the command line, then those that read."""
    functions = {name for name in rankgauge.__all__ if name.islower() and callable(getattr(rankgauge, name))}
    groups = {title: [name for name in names if name in functions] for title, names in GROUPS.items()}
    groups["Read"] = sorted(functions - {name for names in groups.values() for name in names})
    parts = [
        "# Functions",
        "Every command is one of these functions, with the same names and results.",
        (
            "`judgments` and `runs` are paths, dicts, lists, Polars, pandas, Arrow or Spark tables, or "
            "[`Judgments` and `Run`](classes.md); [Files](../files.md) lists the formats and column names. `scores` are "
            "[`Scores`](classes.md), an array, a data frame or a saved file."
        ),
    ]
    for title, names in groups.items():
        parts.append(f"## {title}")
        parts += [_documented(f"rankgauge.{name}") for name in names]
    return "\n\n".join(parts) + "\n"


MODULES = tuple(f"rankgauge.{name}" for name in ("measures", "plot", "integrations", "examples", "errors"))


def _classes() -> tuple[str, ...]:
    return tuple(f"rankgauge.{name}" for name in rankgauge.__all__ if name[0].isupper())


def names_page(title: str, names: tuple[str, ...]) -> str:
    return "\n\n".join([f"# {title}", *(f"## {name}\n\n{_documented(name)}" for name in names)]) + "\n"


def results_page() -> str:
    opening = "What the functions return. All have `to_dict()`, the JSON of the command; most print as a table."
    return (
        "\n\n".join(["# Results", opening, *(_documented(f"rankgauge.results.{name}") for name in results.__all__)])
        + "\n"
    )


def _documented(name: str) -> str:
    return f"::: {name}"


def papers_page() -> str:
    lines = [
        "# Papers, recomputed",
        "",
        "Claims, tables and figures of the papers behind the measures, computed again by `make papers`.",
        "",
    ]
    for path, place in paper_pages().items():
        title = (ROOT / path).read_text(encoding="utf-8").partition("\n")[0]
        lines.append(f"- [{title.removeprefix('# ')}]({place.removeprefix('papers/')})")
    return "\n".join(lines) + "\n"


def json_page() -> str:
    """One real answer per command, shortened: the first of many, the rest left out."""
    parts = [
        "# JSON",
        (
            "What `--format json` prints, on the [example collection](../tutorials/index.md). Of lists and of entries per system, query or measure "
            "the first is shown. Numbers have full precision; an undefined one is `null`. In Python: `result.to_dict()`."
        ),
    ]
    with tempfile.TemporaryDirectory() as folder:
        rankgauge.examples.load().save(folder)
        judged, runs = f"{folder}/judgments.qrels", [f"{folder}/runs/{name}.trec" for name in REPORTED[:3]]
        table = ["--file", f"{folder}/table.csv", "--truth", "grade", "--predicted", "ridge", "--group", "query"]
        calls = {
            "evaluate": [judged, *runs, "--per-query"],
            "compare": [judged, *runs, "--fail-if", "nDCG@10 < baseline - 0.05"],
            "robust": [judged, runs[0], f"{folder}/runs/feature-91.trec", "--samples", "20"],
            "stability": [judged, *runs],
            "agreement": [judged, *runs, "-m", "nDCG@10 AP"],
            "discriminate": [judged, *runs, "--samples", "200"],
            "score": ["rankDCG", *table],
            "explain": ["nDCG@10", "--judgments", judged, "--run", runs[0], "--query", "q002"],
            "holes": [judged, *runs],
            "exposure": [*runs, "--history", judged],
            "check": [judged, runs[0]],
        }
        for name, words in calls.items():
            done = CliRunner().invoke(cli, [name, *words, "--format", "json", "--no-progress"])
            if done.exit_code not in {0, 1, 3}:
                raise click.ClickException(f"rankgauge {name}: {done.output}")
            shown = json.dumps(shortened(json.loads(done.stdout)), indent=2, ensure_ascii=False)
            parts.append(f"## {name}\n\n```json\n{shown.replace(folder, 'example')}\n```")
    return "\n\n".join(parts) + "\n"


def shortened(data: Any, *, keyed: bool = False) -> Any:
    """The first entry of lists, and of objects whose keys are systems, queries or measures."""
    if isinstance(data, list):
        return [shortened(one) for one in data[:1]]
    if isinstance(data, dict):
        named = {"mean", "median", "low", "high", "per_query", "measures", "ties", "queries"}
        items = list(data.items())[:1] if keyed else data.items()
        nested = keyed and all(isinstance(value, dict) for value in data.values())
        return {
            key: shortened(value, keyed=(key in named and isinstance(value, dict)) or nested) for key, value in items
        }
    return data


def report_page() -> str:
    example = rankgauge.examples.load()
    runs = {name: example.runs[name] for name in REPORTED}
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "report.html")  # noqa: PTH118 - a name for a moment
        rankgauge.report(page, example.judgments, runs, "nDCG@10", baseline="lambdamart", queries=example.queries)
        return Path(page).read_text(encoding="utf-8")
