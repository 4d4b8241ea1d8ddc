"""CPU seconds and bytes of the report: 1, 2, 8 and 79 systems, and 5,000 queries.

usage: python bench/report_cost.py [FOLDER of pages] (needs RANKGAUGE_DATA for the real runs)
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = [sys.executable, "-m", "rankgauge"]


def cost(command: list[str]) -> float:
    """CPU seconds of a child, user and system."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*COMMAND, *command, "--no-progress"], check=True, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def pages(folder: Path) -> dict[str, list[str]]:
    """Name → arguments of `report`."""
    data = Path(os.environ["RANKGAUGE_DATA"]) / "trec-covid-round3"
    judged, runs = str(data / "qrels.txt.gz"), sorted(map(str, (data / "runs").iterdir()))
    many = folder / "many"
    if not many.exists():
        simulated = ["simulate", "--systems", "3", "--queries", "5000", "--output", str(many)]
        subprocess.run([*COMMAND, *simulated], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return {
        "1 system": [judged, runs[12]],
        "2 systems": [judged, runs[12], runs[40]],
        "8 systems": [judged, *runs[4::10][:8], "-m", "nDCG@10 AP"],
        "79 systems": [judged, *runs],
        "5,000 queries": [str(many / "judgments.qrels"), *sorted(map(str, (many / "runs").iterdir()))],
    }


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, arguments in pages(folder).items():
        page = folder / f"{name.split()[0].replace(',', '')}.html"
        spent = min(cost(["report", *arguments, "-o", str(page)]) for _ in range(2))
        print(f"{name:14} {spent:5.1f} s CPU {page.stat().st_size / 1e3:7.0f} kB", flush=True)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as made:
            main(Path(made))
