"""How many numbers of its tool each preset of rankgauge reproduces: python conformance/presets.py

Ends with 1 if one differs. `left out` are numbers that no preset promises: ties drawn by lot, and those that tools.json
lists as not reproduced by decisions, with the reason.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from conformance.compared import compared, left_out
from conformance.settings import read


def main() -> int:
    total: Counter[str] = Counter()
    print(f"{'tool':28}{'preset':28}{'numbers':>8}{'reproduced':>11}{'left out':>9}")
    for tool in read("tools"):
        seen: Counter[str] = Counter()
        same: Counter[str] = Counter()
        for _, preset, _, value, found, within in compared(tool):
            seen[preset] += 1
            same[preset] += abs(found - value) <= within
        out = left_out(tool)
        for preset, numbers in seen.items():
            print(f"{tool:28}{preset:28}{numbers:8,}{same[preset]:11,}{out:9,}")
            total["numbers"] += numbers
            total["reproduced"] += same[preset]
            out = 0
        total["left out"] += left_out(tool)
    print(f"{'all':56}{total['numbers']:8,}{total['reproduced']:11,}{total['left out']:9,}")
    return int(total["reproduced"] < total["numbers"])


if __name__ == "__main__":
    sys.exit(main())
