"""Records are what the standard decorator makes, whatever a class asks for."""

from __future__ import annotations

import copy
import dataclasses
import pickle
import re
from dataclasses import FrozenInstanceError
from functools import cached_property
from pathlib import Path

import pytest

from rankgauge import frozen


@frozen.dataclass(frozen=True)
class Base:
    """With all kinds of fields."""

    name: str
    count: int = 0
    parts: tuple[int, ...] = ()
    memory: dict[str, int] = frozen.field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def double(self) -> int:
        return 2 * self.count


@frozen.dataclass(frozen=True)
class Derived(Base):
    """With one more."""

    extra: str = "x"

    def __post_init__(self) -> None:
        object.__setattr__(self, "extra", self.extra.upper())


@frozen.dataclass(frozen=True, eq=False, repr=False)
class Bare:
    """Compared by identity."""

    name: str

    def __repr__(self) -> str:
        return "bare"


def standard(cls, **how):
    """The same class by the standard decorator."""
    space = {name: value for name, value in vars(Base).items() if name in {"__annotations__", "__doc__", "double"}}
    space |= {"__qualname__": cls.__qualname__, "__module__": __name__, "count": 0, "parts": ()}
    return dataclasses.dataclass(frozen=True, **how)(
        type(cls.__name__, (), space | {"memory": dataclasses.field(default_factory=dict, repr=False, compare=False)})
    )


@pytest.mark.parametrize("values", [("a",), ("a", 3), ("b", 1, (1, 2)), ("a", 3, (), {"seen": 1})])
def test_text_equality_and_hash_are_the_standard_ones(values):
    ours, theirs = Base(*values), standard(Base)(*values)
    assert repr(ours) == repr(theirs)
    assert hash(ours) == hash(theirs)
    assert ours == Base(*values)
    assert (ours == Base("a", 3)) == (theirs == standard(Base)("a", 3)) or values[:2] == ("a", 3)
    assert ours != theirs
    assert ours != values


def test_what_is_not_compared_makes_no_difference():
    assert Base("a", memory={"x": 1}) == Base("a", memory={"x": 2})
    assert hash(Base("a", memory={"x": 1})) == hash(Base("a"))


def test_fields_are_set_once():
    record = Base("a", 3)
    assert record.double == 6
    for name in ("name", "count", "double", "other"):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(record, name, 1)
    with pytest.raises(FrozenInstanceError, match="name"):
        del record.name
    assert record == Base("a", 3)


def test_records_are_replaced_copied_and_pickled():
    record = Derived("a", 3, extra="y")
    assert record.extra == "Y"
    assert frozen.replace(record, count=4) == dataclasses.replace(record, count=4) == Derived("a", 4, extra="y")
    assert copy.copy(record) == pickle.loads(pickle.dumps(record)) == record  # noqa: S301
    assert [at.name for at in dataclasses.fields(record)] == ["name", "count", "parts", "memory", "extra"]
    assert dataclasses.asdict(Base("a")) == {"name": "a", "count": 0, "parts": (), "memory": {}}


def test_a_derived_record_is_no_base():
    assert Derived("a") != Base("a")
    assert repr(Derived("a")) == "Derived(name='a', count=0, parts=(), extra='X')"


def test_identity_and_own_methods_stay():
    one = Bare("a")
    assert repr(one) == "bare"
    assert one == one  # noqa: PLR0124
    assert one != Bare("a")
    assert len({one, Bare("a")}) == 2


def rare() -> type:
    """A class that was never used."""

    @frozen.dataclass(frozen=True)
    class Rare(Base):
        last: list[int] = frozen.field(default_factory=list)

    return Rare


def test_objects_are_the_same_before_and_after_init_is_compiled():
    cls = rare()
    made = [cls("a", 1, memory={"x": 1}) for _ in range(100)]
    assert {str(vars(one)) for one in made} == {
        "{'name': 'a', 'count': 1, 'parts': (), 'memory': {'x': 1}, 'last': []}"
    }
    assert len({id(one.last) for one in made}) == 100
    assert isinstance(vars(cls)["__init__"], type(rare))
    assert isinstance(vars(rare())["__init__"], frozen._Init)


@pytest.mark.parametrize(
    ("given", "named", "words"),
    [
        ((), {}, "missing 1 required positional argument: 'name'"),
        (("a",), {"name": "b"}, "multiple values for argument 'name'"),
        (("a",), {"size": 1}, "unexpected keyword argument 'size'"),
        (("a", 1, (), {}, [], 6), {}, "takes from 2 to 6 positional arguments but 7 were given"),
    ],
)
@pytest.mark.parametrize("uses", [0, 100])
def test_wrong_arguments_are_refused_in_the_words_of_python(given, named, words, uses):
    cls = rare()
    for _ in range(uses):
        cls("a")
    with pytest.raises(TypeError, match=words):
        cls(*given, **named)


def test_who_takes_dataclass_from_here_takes_its_helpers_from_here_too():
    for path in (Path(frozen.__file__).parent).rglob("*.py"):
        text = path.read_text()
        if "from rankgauge.frozen import" in text and path.name != "frozen.py":
            assert re.search(r"^from dataclasses import .*\bfield\b", text, re.MULTILINE) is None, path


def test_of_two_threads_that_meet_a_class_for_the_first_time_the_slower_sees_what_the_faster_made():
    @frozen.dataclass(frozen=True)
    class Fresh:
        name: str
        memory: dict[str, int] = frozen.field(default_factory=dict, repr=False, compare=False)

    for name in ("_known_fields", "_compared", "__dataclass_fields__", "__match_args__"):
        late = vars(Fresh)[name]  # the slower has found it, and is about to ask
        made = getattr(Fresh, name)
        assert late.__get__(None, Fresh) is made
    assert Fresh("a").memory == {}


def test_what_describes_a_field_is_no_attribute_of_the_class():
    assert not hasattr(Base, "memory")
    assert Base.count == 0
    assert Derived.parts == ()
