from __future__ import annotations

import rankgauge


def test_the_public_list_and_the_homes_of_its_names_agree():
    assert sorted(rankgauge._HOMES) == sorted(rankgauge.__all__)


def test_every_public_name_has_a_docstring():
    for name in rankgauge.__all__:
        assert getattr(rankgauge, name).__doc__, name


def test_dir_lists_the_public_names():
    assert set(rankgauge.__all__) <= set(dir(rankgauge))
