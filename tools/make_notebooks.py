"""Make examples/*.ipynb from docs/tutorials/*.md, and execute them.

Run with `make notebooks`. A notebook has the texts, examples and commands of its page, and shows each chart where the page
makes it. A test executes all of them and compares their sources with the pages.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

ROOT = Path(__file__).parents[1]
TUTORIALS = sorted(page for page in (ROOT / "docs" / "tutorials").glob("*.md") if page.stem != "index")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
OPENING = """import os, tempfile
os.environ["COLUMNS"] = "80"
os.chdir(tempfile.mkdtemp())  # what the commands below write goes here"""


def notebook_of(page: Path) -> nbformat.NotebookNode:
    """The cells of a page, not executed."""
    parts = FENCE.split(_linked(page.read_text(encoding="utf-8")))
    cells = []
    for at in range(0, len(parts), 3):
        cells += [new_markdown_cell(parts[at].strip())] if parts[at].strip() else []
        if at + 2 < len(parts):
            cells.append(new_code_cell(_source(parts[at + 1], parts[at + 2])))
    cells.insert(1, new_code_cell(OPENING))
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel, "language_info": {"name": "python"}})


def executed(notebook: nbformat.NotebookNode, folder: Path) -> nbformat.NotebookNode:
    # The command of this environment is the one that the cells call.
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute(
        env={**os.environ, "PATH": path}
    )
    for cell in notebook.cells:
        cell["metadata"] = {}  # when each cell ran
        for output in cell.get("outputs", []):
            output.get("data", {}).pop("image/png", None)  # the same picture as the SVG, three times its size
    return notebook


def _source(language: str, block: str) -> str:
    if language in {"console", "bash"}:
        lines = block.replace("pip install", "# pip install") if language == "bash" else "\n".join(_typed(block))
        return f"%%bash\n{lines}".rstrip()
    code = "\n".join(line[4:] for line in block.splitlines() if line.startswith((">>> ", "... ")))
    return f"{code}\nchart" if code.splitlines()[-1].startswith("chart = ") else code


def _typed(block: str) -> list[str]:
    """The commands of a session without what they print."""
    lines, goes_on = [], False
    for line in block.splitlines():
        if line.startswith("$ ") or goes_on:
            lines.append(line.removeprefix("$ "))
            goes_on = line.endswith("\\")
    return lines


def _linked(text: str) -> str:
    """Links from docs/tutorials/ as they are from examples/."""
    text = re.sub(r"\]\(\.\./([\w-]+\.md)", r"](../docs/\1", text)
    return re.sub(r"\]\((\w+)\.md", r"](../docs/tutorials/\1.md", text)


def main() -> None:
    for page in TUTORIALS:
        target = ROOT / "examples" / f"{page.stem}.ipynb"
        nbformat.write(executed(notebook_of(page), target.parent), target)
        print(f"examples/{target.name}: {target.stat().st_size / 1e3:.0f} kB")


if __name__ == "__main__":
    main()
