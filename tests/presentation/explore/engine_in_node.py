"""The engine of the page, run by Node: the same files, without a browser."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

import rankgauge
from rankgauge.presentation.explore.page import ENGINE
from rankgauge.presentation.report.page import asset

OPEN = """
const fs = require("fs");
const input = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const doubles = (path) => { const b = fs.readFileSync(path); return new Float64Array(b.buffer.slice(b.byteOffset, b.byteOffset + b.length)); };
const opened = async () => Engine.decode(await Engine.inflate(input.data));
const finite = (_, value) => (typeof value === "number" && !Number.isFinite(value) ? String(value) : value);
(async () => console.log(JSON.stringify(await (async () => { BODY })(), finite)))();
"""


def data_of(page: Path) -> str:
    """What the page computes with, as it carries it."""
    found = re.search(r'<script type="text/plain" id="data">([^<]*)</script>', page.read_text())
    assert found
    return found[1]


def in_node(folder: Path, body: str, **given):
    """What `body`, the inside of an async function that sees `input` and the engine, returns. A test that calls it asks for the fixture `node`."""
    script, data = folder / "script.cjs", folder / "input.json"
    script.write_text("".join(asset("explore", name) for name in ENGINE) + OPEN.replace("BODY", body))
    data.write_text(json.dumps(given))
    done = subprocess.run(["node", str(script), str(data)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.fail(done.stderr)
    return json.loads(done.stdout)


def awkward(seed: int = 5, systems: int = 6, queries: int = 30):
    """Judgments and runs with everything that is rare: ties, negative grades, gaps, queries without relevance."""
    import numpy as np

    draw = np.random.default_rng(seed)
    grades = [-2, -1, 0, 0, 1, 1, 2, 3]
    judged = {
        f"q{q}": {
            f"d{d}": int(draw.choice(grades[:4] if q % 11 == 10 else grades)) for d in range(int(draw.integers(3, 60)))
        }
        for q in range(queries)
    }
    runs = {
        f"s{s}": {
            f"q{q}": {
                f"d{d}": float(np.round(draw.normal(), draw.integers(0, 3)))
                for d in draw.permutation(150)[: int(draw.integers(1, 150))]
            }
            for q in range(queries)
            if draw.random() > 0.1 * (s == 2)
        }
        for s in range(systems)
    }
    return judged, runs


def simulated(systems: int = 8, queries: int = 60):
    collection = rankgauge.simulate(systems=systems, queries=queries, seed=7)
    return collection.judgments(), collection.runs()
