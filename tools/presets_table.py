"""Write the table of tools into docs/whose-ndcg.md from the presets: python tools/presets_table.py"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rankgauge.evaluation.presets import PRESETS, Preset
from rankgauge.measures.grammar import parse

PAGE = Path(__file__).parents[1] / "docs" / "whose-ndcg.md"
BEGIN, END = "<!-- presets -->", "<!-- end of presets -->"


def rows() -> Iterator[str]:
    yield "| `like=` | what it does | settings of nDCG |"
    yield "|---|---|---|"
    for name, preset in PRESETS.items():
        caveat = f" *Not promised: {preset.caveat}.*" if preset.caveat else ""
        yield f"| `{name}` | {preset.words}.{caveat} | {_settings(preset)} |"


def _settings(preset: Preset) -> str:
    """The decisions that depart from ours, for nDCG where the tool has it."""
    if preset.only and "nDCG" not in preset.only:
        return "(no nDCG)"
    policy = preset.policy_of(parse("nDCG"))
    usual = {"ties": "document", "undefined": "zero", "missing": "zero", "rel": 1, "repeated": "count"}
    decisions = policy.to_dict()
    options = {name: value for name, value in preset.own.get("nDCG", {}).items() if name not in decisions} | decisions
    told = [f"{key}={value}" for key, value in options.items() if value not in {None, usual.get(key)}]
    return ", ".join(f"`{text}`" for text in told) or "ours"


def page() -> str:
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    return f"{before}{BEGIN}\n" + "\n".join(rows()) + f"\n{END}{after}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
