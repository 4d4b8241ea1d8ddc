"""axe-core in a page: what it finds wrong for people who use a keyboard or a screen reader."""

from __future__ import annotations

import os
from pathlib import Path

from conftest import missing

AXE = Path(os.environ.get("RANKGAUGE_AXE", Path(__file__).parents[2] / ".axe/node_modules/axe-core/axe.min.js"))


def violations(tab) -> list[list]:
    """Each rule that is broken, with the elements that break it."""
    if not AXE.exists():
        missing("axe-core is not installed: `make system` installs it")
    tab.run(AXE.read_text() + "; true")
    return tab.run("axe.run().then(r => r.violations.map(v => [v.id, v.nodes.map(n => n.html.slice(0, 200))]))")
