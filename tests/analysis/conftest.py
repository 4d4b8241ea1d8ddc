import json

import pytest


@pytest.fixture
def gtheory(collections):
    """Topic × system matrices with the numbers of the R package gt4ireval."""
    return collections / "gtheory"


@pytest.fixture
def rankdcg_cases(collections):
    """Seventeen lists through the program of the rankDCG authors."""
    return json.loads((collections / "rankdcg" / "reference_outputs.json").read_text())
