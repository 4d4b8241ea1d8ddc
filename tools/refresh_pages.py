"""Rewrite the outputs on the pages with what the commands and examples print now.

usage: python tools/refresh_pages.py README.md docs/coming-from.md
Review the diff before you commit it: the tests compare the pages with the same outputs.
"""

from __future__ import annotations

import doctest
import io
import os
import re
import subprocess
import sys
import tempfile
from contextlib import chdir, redirect_stdout
from pathlib import Path


def refreshed_console(block: str, folder: str) -> str:
    """Every '$ ' command with its current output."""
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "NO_COLOR": "1",
        "COLUMNS": "80",
    }
    lines = []
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, rest = part.partition("\n")
        shown = command
        while command.endswith("\\"):
            more, _, rest = rest.partition("\n")
            command, shown = command[:-1] + more, f"{shown}\n{more}"
        lines.append(f"$ {shown}")
        if not command.startswith("make "):
            result = subprocess.run(
                ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, check=False
            )
            output = (result.stdout + result.stderr).rstrip("\n")
            lines += [output] if output else []
    return "\n".join(lines) + "\n"


def refreshed_python(block: str, namespace: dict[str, object]) -> str:
    """Every example with its current output; the final blank line ends the last one for doctest."""
    lines = []
    for example in doctest.DocTestParser().get_examples(block):
        source = example.source.rstrip("\n").split("\n")
        lines += [("... " if at else ">>> ") + line for at, line in enumerate(source)]
        out = io.StringIO()
        if example.exc_msg is not None:
            lines += example.want.rstrip("\n").split("\n")
            continue
        with redirect_stdout(out):
            exec(compile(example.source, "page", "single"), namespace)  # noqa: S102 - the project's own pages
        lines += out.getvalue().rstrip("\n").replace("\n\n", "\n<BLANKLINE>\n").split("\n") if out.getvalue() else []
    return "\n".join(lines) + "\n\n"


def main() -> None:
    for page in [Path(name).resolve() for name in sys.argv[1:]]:
        namespace: dict[str, object] = {}
        with tempfile.TemporaryDirectory() as folder, chdir(folder):

            def replaced(match: re.Match[str], folder: str = folder, namespace: dict[str, object] = namespace) -> str:
                language, block = match.groups()
                if language == "console" and block.startswith("$ "):
                    return f"```console\n{refreshed_console(block, folder)}```"
                if language == "python" and ">>>" in block:
                    return f"```python\n{refreshed_python(block, namespace)}```"
                if language == "python":
                    exec(compile(block, "page", "exec"), namespace)  # noqa: S102 - the project's own pages
                return match.group()

            text = re.sub(r"^```(\w+)\n(.*?)^```", replaced, page.read_text(), flags=re.DOTALL | re.MULTILINE)
        page.write_text(text)


if __name__ == "__main__":
    main()
