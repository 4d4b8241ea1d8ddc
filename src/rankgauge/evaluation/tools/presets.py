"""Names for whole policies: what another tool does, in one word."""

from __future__ import annotations

from rankgauge.errors import UsageError, did_you_mean
from rankgauge.evaluation.tools.learning import LEARNING
from rankgauge.evaluation.tools.platforms import PLATFORMS
from rankgauge.evaluation.tools.preset import Preset
from rankgauge.evaluation.tools.recommendation import RECOMMENDATION
from rankgauge.evaluation.tools.retrieval import RETRIEVAL

PRESETS: dict[str, Preset] = RETRIEVAL | LEARNING | RECOMMENDATION | PLATFORMS


def preset(name: str) -> Preset:
    if name not in PRESETS:
        raise UsageError(f"unknown preset {name!r}; " + did_you_mean(name, PRESETS))
    return PRESETS[name]
