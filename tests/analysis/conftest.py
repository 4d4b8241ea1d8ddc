import os
from pathlib import Path

import pytest


@pytest.fixture
def gtheory() -> Path:
    """Topic × system matrices with the numbers of the R package gt4ireval; not part of the repository."""
    root = os.environ.get("RANKGAUGE_DATA")
    folder = Path(root) / "gtheory" if root else None
    if folder is not None and (folder / "expected.csv").is_file():
        return folder
    message = "RANKGAUGE_DATA does not name a folder with gtheory/expected.csv"
    return pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
