"""The mutants themselves: what is changed, what is left alone, and that the list of explained ones is up to date."""

from __future__ import annotations

import ast
from collections import Counter

from mutants.children import Found
from mutants.mutations import mutants
from mutants.run import all_mutants, explained, explanations, sampled, table, targets

SOURCE = '''
"""A docstring with 1 number."""
LIMIT = 3

def capped(value: int | None, most: int = 2) -> int:
    """Another 1."""
    if value is None or not most:
        return 0
    if value < 0:
        raise ValueError(f"{value + 1} is below {0}")
    return min(value, most) + LIMIT
'''


def changed(source: str) -> list[str]:
    return [mutant.name for mutant in mutants("sample.py", source)]


def test_every_kind_of_change_once_and_texts_left_alone():
    assert changed(SOURCE) == [
        "module: LIMIT = 3 -> LIMIT = 4",
        "capped: value: int | None, most: int=2 -> value: int | None, most: int=3",
        "capped: if value is None or not most -> if False",
        "capped: value is None or not most -> value is None and (not most)",
        "capped: value is None or not most -> value is not None or not most",
        "capped: value is None or not most -> value is None or most",
        "capped: return 0 -> return 1",
        "capped: if value < 0 -> if value <= 0",
        "capped: if value < 0 -> if value >= 0",
        "capped: if value < 0 -> if value < 1",
        "capped: min(value, most) + LIMIT -> max(value, most) + LIMIT",
        "capped: min(value, most) + LIMIT -> min(value, most) - LIMIT",
    ]


def test_each_mutant_is_the_module_with_that_one_change():
    original = ast.unparse(ast.parse(SOURCE)).splitlines()
    for mutant in mutants("sample.py", SOURCE):
        lines = ast.unparse(mutant.tree(SOURCE)).splitlines()
        assert len(lines) == len(original)
        assert sum(one != other for one, other in zip(lines, original, strict=True)) == 1, mutant.name


def test_the_strict_of_zip_is_left_alone():
    assert changed("def f(a, b):\n    return zip(a, b, strict=True)\n") == []
    assert changed("def f(a):\n    return sorted(a, reverse=True)\n") != []


def test_a_name_survives_a_shift_of_lines():
    assert changed("\n\n# a remark\n" + SOURCE) == changed(SOURCE)


def test_equal_changes_in_one_function_are_numbered():
    assert [name[-3:] for name in changed("def f(a):\n    a += 1\n    a += 1\n")[3:]] == [" #2"] * 3


def test_a_sample_is_the_same_for_a_seed_and_takes_its_share_of_every_module():
    found = mutants("a.py", SOURCE) + mutants("b.py", SOURCE)
    chosen = sampled(found, 3, seed=1, fewest=1)
    assert chosen == sampled(found, 3, seed=1, fewest=1) != sampled(found, 3, seed=2, fewest=1)
    assert [sum(mutant.module == name for mutant in chosen) for name in ("a.py", "b.py")] == [4, 4]


def test_a_sample_is_part_of_a_larger_one():
    both = mutants("a.py", SOURCE) + mutants("b.py", SOURCE)
    assert {one.id for one in sampled(both, 4, 1, fewest=1)} < {one.id for one in sampled(both, 3, 1, fewest=1)}
    assert sampled(both, 1, seed=1) == both


def test_of_a_small_part_a_sample_takes_more():
    found = [one for name in ("x/a.py", "x/b.py", "y/a.py") for one in mutants(name, SOURCE)]
    chosen = sampled(found, 6, seed=1, fewest=6)
    assert Counter(one.module for one in chosen) == {"x/a.py": 3, "x/b.py": 3, "y/a.py": 6}
    assert len(sampled(found, 6, seed=1, fewest=13)) == 12 + 24


def test_the_score_counts_what_is_neither_killed_nor_explained():
    found = mutants("kernels/a.py", "def f(a):\n    return a + 1 < 2\n")
    outcomes = dict.fromkeys((mutant.id for mutant in found), Found("killed")) | {
        found[0].id: Found("survived"),
        found[1].id: Found("survived"),
    }
    row = table(found, outcomes, {found[0].id: "why"}).splitlines()[2]
    assert row == "| kernels | 5 | 3 | 1 | 1 | 75.0% |"


def test_explanations_name_mutants_that_exist_and_give_reasons():
    reasons = explanations()
    known = {mutant.id for mutant in all_mutants(targets())}
    places = {f"{name.rpartition(' -> ')[0]} -> *" for name in known}
    assert sorted(reasons.keys() - known - places) == []
    assert all(len(reason) > 20 for reason in reasons.values())


def test_a_place_is_explained_as_a_whole_or_one_change_at_a_time():
    one, *others = mutants("a.py", "def f(a):\n    return a < 100\n")
    assert explained(one, {one.id: "why"})
    assert not any(explained(other, {one.id: "why"}) for other in others)
    assert all(explained(mutant, {"a.py: f: return a < 100 -> *": "why"}) for mutant in (one, *others))
