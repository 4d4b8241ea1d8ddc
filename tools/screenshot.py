"""Take the screenshot of the report in the README, on the example collection with a headless Chromium.

Run with `python tools/screenshot.py`; writes docs/images/report.png. `make system` installs Chromium.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TARGET = Path(__file__).parents[1] / "docs" / "images" / "report.png"
WIDTH, HEIGHT = 1200, 722
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--virtual-time-budget=8000",
    f"--window-size={WIDTH},{HEIGHT}",
)


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("Chromium is not installed: `make system` installs Debian's")
    rankgauge = [sys.executable, "-m", "rankgauge"]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        demo = Path(folder) / "demo"
        subprocess.run([*rankgauge, "example", "--output", demo], check=True)
        page, runs = demo / "report.html", sorted((demo / "runs").iterdir())
        options = ["--queries", demo / "queries.csv", "--baseline", "lambdamart", "--no-progress"]
        subprocess.run([*rankgauge, "report", demo / "judgments.qrels", *runs, *options, "-o", page], check=True)
        profile = f"--user-data-dir={Path(folder) / 'profile'}"
        subprocess.run([chromium, *FLAGS, profile, f"--screenshot={TARGET}", page.as_uri()], check=True)
    print(TARGET)


if __name__ == "__main__":
    main()
