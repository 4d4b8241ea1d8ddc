"""The worked example of golden/sakai.toml as arrays."""

import tomllib
from pathlib import Path

import numpy as np

GOLDEN = tomllib.loads((Path(__file__).parent / "golden" / "sakai.toml").read_text(encoding="utf-8"))
A, B, C = (np.array(GOLDEN[name]) for name in "abc")
