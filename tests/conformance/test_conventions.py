"""Every convention that the suite names, on every case, to nine digits."""

from __future__ import annotations

import pytest

from conformance.settings import collection, read, setting
from rankgauge import evaluate
from rankgauge.errors import PolicyError


@pytest.mark.parametrize("case", read("cases"), ids=lambda case: case["id"])
def test_a_convention_has_its_value(case):
    judged, run = collection(case)
    named = read("decisions")["named_conventions"]
    for name, values in case["conventions"].items():
        for convention, value in values.items():
            measure, policy = setting(named[convention], name, case["k"])
            if value == "nan" and policy.undefined == "error":  # we refuse what would make every mean undefined
                with pytest.raises(PolicyError):
                    evaluate(judged, run, measure, policy=policy)
                continue
            (found,) = evaluate(judged, run, measure, policy=policy).mean()["run"].values()
            assert found == pytest.approx(float(value), abs=1e-9, rel=0, nan_ok=True), (
                name,
                convention,
                measure,
                policy,
            )
