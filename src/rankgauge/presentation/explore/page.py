"""One self-contained HTML file: data, engine and page, under a content policy that allows nothing else."""

from __future__ import annotations

import base64
import hashlib
from importlib import resources

import rankgauge
from rankgauge.presentation.explore.static import Opening
from rankgauge.presentation.explore.weights import DEPTH
from rankgauge.presentation.report.page import load_jinja2

ENGINE = ("exact.js", "engine.js", "trust.js", "breaking.js")
"""What computes; tests run it in Node, and large collections in a worker."""
PAGE = ("dom.js", "state.js", "controls.js", "board.js", "pair.js", "page.js")
"""What draws."""
START = 'if (typeof DecompressionStream !== "undefined") document.documentElement.classList.add("starting");'
"""Before anything is shown: a browser that can do more does not lay out the static page first."""


def page_bytes(title: str, opening: Opening, data: str) -> bytes:
    """The file; the same input gives the same bytes."""
    jinja2 = load_jinja2()
    engine, script, css = "".join(map(asset, ENGINE)), "".join(map(asset, PAGE)), asset("page.css")
    template = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined).from_string(asset("page.html.j2"))
    text = template.render(
        title=title,
        version=rankgauge.__version__,
        policy=content_policy([START, engine, script], css),
        sentence=opening.sentence,
        robust=opening.robust,
        measure=opening.measure,
        board=jinja2.Markup(opening.board),
        depth=DEPTH,
        css=jinja2.Markup(css),
        start=jinja2.Markup(START),
        data=jinja2.Markup(data),
        engine=jinja2.Markup(engine),
        script=jinja2.Markup(script),
    )
    return str(text).encode()


def content_policy(scripts: list[str], css: str) -> str:
    """Nothing may be loaded or sent; only these scripts and this style run, and a worker made of them."""
    allowed = " ".join(map(_hashed, scripts))
    rules = ("default-src 'none'", f"script-src {allowed}", f"style-src {_hashed(css)}", "worker-src blob:")
    return "; ".join((*rules, "base-uri 'none'", "form-action 'none'"))


def _hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def asset(name: str) -> str:
    return (resources.files("rankgauge.presentation.explore") / "assets" / name).read_text(encoding="utf-8")
