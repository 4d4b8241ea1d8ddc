"""Look at the built site as a reader does: nothing is loaded from elsewhere, and no page complains.

usage: python tools/check_site.py [FOLDER FOR SCREENSHOTS]

Reads every page of site/ for resources of other hosts. Where Chromium is installed, opens pages from a server on
loopback, on a desktop and on a phone, and fails if one asks another host or logs an error.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
SITE = ROOT / "site"
PAGES = (
    "",
    "tutorials/",
    "tutorials/search/",
    "reference/functions/",
    "reference/commands/",
    "measures/",
    "example-report/",
)
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
LOADED = re.compile(r"""<(?:script|img|link|iframe|source)\b[^>]*\b(?:src|href)=["']?(https?:)?//[^"'>\s]+""")

PROMPTED = """[...document.querySelectorAll("pre > code")].filter(code => {
    code.setAttribute("data-md-copying", "")
    const copied = code.innerText
    code.removeAttribute("data-md-copying")
    return /^(>>>|\\$) /m.test(copied)
}).length"""
"""Blocks whose copy button would take the prompts too; the attribute is what the theme sets while it copies."""

sys.path.insert(0, str(ROOT / "tests"))
from browser.chromium import Tab, browser, found, served  # noqa: E402 - the browser of the tests


def main() -> None:
    pages = sorted(SITE.rglob("*.html"))
    outside = [f"{page.relative_to(SITE)}: {match[0]}" for page in pages for match in LOADED.finditer(page.read_text())]
    pictures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    problems = outside + (visited(pictures) if found() else [])
    size = sum(file.stat().st_size for file in SITE.rglob("*") if file.is_file())
    print(
        f"{len(pages)} pages, {size / 1e6:.1f} MB"
        + ("" if found() else "; Chromium is not installed, no page was opened")
    )
    sys.exit("\n".join(problems) or 0)


def visited(pictures: Path | None) -> list[str]:
    """What went wrong on the pages that were opened."""
    problems = []
    with browser(str(found())) as address, served(SITE, "default-src * 'unsafe-inline' data: blob:") as home:
        tab = Tab(address)
        for name, size in SIZES.items():
            tab.size(*size)
            for page in PAGES:
                tab.open(f"{home}/{page}")
                wide = tab.run("document.documentElement.scrollWidth - window.innerWidth")
                problems += [f"{page} on a {name}: {wide} pixels too wide"] if wide > 0 else []
                copied = tab.run(PROMPTED)
                problems += [f"{page}: {copied} code blocks are copied with their prompts"] if copied else []
                problems += [f"{page}: {text}" for text in tab.complaints()]
                problems += [
                    f"{page} asks {url}"
                    for url in tab.requests()
                    if not url.startswith((home, "data:", "blob:", "about:"))
                ]
                if pictures is not None:
                    pictures.mkdir(parents=True, exist_ok=True)
                    tab.ask("Page.bringToFront")
                    tab.picture(pictures / f"{page.strip('/').replace('/', '-') or 'home'}-{name}.png")
        tab.close()
    return problems


if __name__ == "__main__":
    main()
