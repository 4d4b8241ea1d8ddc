"""Help that can be scanned: commands in groups, options in sections, examples at the foot."""

from __future__ import annotations

import contextlib
import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any

import click

from rankgauge.errors import OptionError, UsageError
from rankgauge.signature import MOST, Bounds, Kind, parameter, refusal

GROUPS = {
    "Evaluate": ("evaluate", "score", "explain", "reconcile", "exposure"),
    "Compare and trust": (
        *("compare", "robust", "judges", "holes", "stability", "agreement", "discriminate"),
        *("report", "explore"),
    ),
    "Design a measure": ("measures", "optimize", "compromise", "relevance"),
    "Data": ("check", "sample", "example", "simulate"),
}
SECTIONS = ("Input", "Policy", "Statistics", "Output")
ENDINGS = {"json": "json", "csv": "csv", "md": "md", "tex": "latex", "xml": "junit"}
_WIDEST = 76
NEGATIVE = re.compile(r"-(\d+\.?\d*|\.\d+)%?")
FILE = click.Path(dir_okay=False)
Decorator = Callable[[Any], Any]


if TYPE_CHECKING:
    _Type = click.ParamType[Any]
else:
    _Type = click.ParamType


class _Refusing(_Type):
    """A type of click that refuses in the words of Python, as signatures do."""

    kind: Kind

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            flag = "option" if param is None else flag_of(param)
            with contextlib.suppress(ValueError):  # a number beyond the range, rather than its text
                value = value if self.kind.choices else self.kind.base(value)
            raise UsageError(refusal((self.kind,), value).replace("{option}", flag, 1)) from None


class _Choice(_Refusing, click.Choice[str]):
    pass


class _Float(_Refusing, click.types.FloatParamType):
    kind = Kind(float)


class _FloatRange(_Refusing, click.FloatRange):
    pass


class _IntRange(_Refusing, click.IntRange):
    pass


def typed(kind: Kind) -> click.ParamType[Any]:
    """What click knows of a kind: for help and completion, and to refuse early."""
    made: _Refusing
    if kind.choices:
        made = _Choice(kind.choices)
    else:
        low, high, without = kind.bounds[:3]
        ends: dict[str, Any] = {
            "min": None if low == -math.inf else low,
            "max": None if high in {math.inf, MOST} else high,
            "min_open": low in without,
            "max_open": high in without,
        }
        made = _IntRange(**ends) if kind.base is int else _FloatRange(**ends)
    made.kind = kind
    return made


def of(function: Callable[..., Any], name: str) -> click.ParamType[Any]:
    """The type of an option of a public function, as its signature has it."""
    known = parameter(function, name)
    if known is None:
        raise TypeError(f"{function.__name__} has no parameter {name}")
    return typed(next(kind for kind in known.kinds if kind.base is not NoneType))


def at_least(least: int, most: float = math.inf) -> click.ParamType[Any]:
    return typed(Kind(int, bounds=Bounds(least, most)))


def flag_of(parameter: click.Parameter) -> str:
    """How the shell spells it: --all-pairs."""
    return max(parameter.opts, key=len)


class Option(click.Option):
    """An option that knows the section of the help it belongs to; a `greedy` one takes all words up to the next option."""

    def __init__(self, *names: Any, section: str, once: bool = False, greedy: bool = False, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section, self.once, self.greedy = section, once, greedy


class Command(click.Command):
    """A command whose help lists its options by section, then its examples."""

    def __init__(self, *, examples: tuple[str, ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if args and NEGATIVE.fullmatch(args[0]):  # an argument, though it looks like an option
            args = [*args[1:], "--", args[0]]
        args, gathered = self._gathered(args)
        self._refuse_repeats(ctx, args)
        left = super().parse_args(ctx, args)
        ctx.params |= gathered
        self._form_by_ending(ctx)
        if ctx.params.get("form") == "json" and ctx.params.get("decimals") is not None:
            raise UsageError("--decimals has no effect here because JSON has full precision")
        _refuse_overwriting(ctx.params)
        return left

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; what Python refuses by the name of a parameter is refused by that of the option."""
        try:
            return super().invoke(ctx)
        except OptionError as problem:
            flags = {str(one.name): flag_of(one) for one in self.params if isinstance(one, click.Option)}
            raise OptionError(flags.get(problem.name, problem.name), problem.words) from None

    def _gathered(self, args: list[str]) -> tuple[list[str], dict[str, list[tuple[str, ...]]]]:
        """The words of greedy options apart from the others; click knows no option with as many values as there are."""
        greedy = {name: one for one in self.params if getattr(one, "greedy", False) for name in one.opts}
        rest: list[str] = []
        found: dict[str, list[tuple[str, ...]]] = {}
        at = 0
        while at < len(args):
            name, _, first = args[at].partition("=")
            at += 1
            if name not in greedy:
                rest.append(args[at - 1])
                continue
            words = [first] if first else []
            while at < len(args) and (args[at] == "-" or not args[at].startswith("-")):
                words.append(args[at])
                at += 1
            found.setdefault(str(greedy[name].name), []).append(tuple(words))
        return rest, found

    def _refuse_repeats(self, ctx: click.Context, args: list[str]) -> None:
        """Where one might think of a list, a second value is refused; click would silently take the last."""
        for option, times in Counter(self.make_parser(ctx).parse_args(list(args))[2]).items():
            if times > 1 and getattr(option, "once", False):
                raise UsageError(f"{flag_of(option)} is given more than once; give it once")

    def _form_by_ending(self, ctx: click.Context) -> None:
        """Without --format, an output file called .json is JSON."""
        forms = next(
            (one.type.choices for one in self.params if one.name == "form" and isinstance(one.type, click.Choice)), ()
        )
        ending = str(ctx.params.get("output") or "").rpartition(".")[2].lower()
        if forms and ending in {"html", "htm"}:
            page = ctx.params["output"]
            beside = f", or beside the table with: --also html={page}" if "also" in ctx.params else ""
            raise UsageError(
                f"{self.name} writes no page with -o\nWrite one with: rankgauge report … -o {page}{beside}"
            )
        if forms and ending in {"tsv", "parquet", "xlsx", "jsonl"}:
            known = ", ".join(f".{one}" for one, form in ENDINGS.items() if form in forms)
            raise UsageError(f"{self.name} writes no .{ending}; name a file that ends with {known} or .txt")
        form = ENDINGS.get(ending)
        if form in forms and ctx.get_parameter_source("form") is click.core.ParameterSource.DEFAULT:
            ctx.params["form"] = form

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for one in self.get_params(ctx):
            record = one.get_help_record(ctx) if isinstance(one, click.Option) else None
            if record is not None:
                rows[getattr(one, "section", SECTIONS[-1])].append(record)
        for section, records in rows.items():
            if records:
                with formatter.section(section):
                    formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"  {_folded(example)}\n")


def _folded(example: str) -> str:
    """A long command on two lines, as a shell reads it; broken before an option."""
    if len(example) <= _WIDEST:
        return example
    at = example.rindex(" -", 0, _WIDEST)
    return f"{example[:at]} \\\n     {example[at:]}"


def _refuse_overwriting(chosen: dict[str, Any]) -> None:
    """An output that is one of the inputs: judgments would be gone after one slip of the hand."""
    read = [word for name, given in chosen.items() if name not in _WRITTEN for word in _words(given)]
    for path in (word for name in _WRITTEN for word in _words(chosen.get(name))):
        for word in read:
            if any(_are_same(path, one) for one in (word, word.partition("=")[2], word.rpartition(":")[0])):
                raise UsageError(
                    f"{path} is one of the inputs, and would be overwritten\nGive the output another name."
                )


_WRITTEN = ("output", "save", "plot", "also")
"""Options that name files to write."""


def _words(given: Any) -> Iterator[str]:
    if isinstance(given, str):
        yield given
    elif isinstance(given, (list, tuple)):
        for one in given:
            yield from _words(one)


def _are_same(first: str, second: str) -> bool:
    try:
        return Path(first).is_file() and Path(second).is_file() and Path(first).samefile(second)
    except (OSError, ValueError):
        return False


def command(*examples: str) -> Callable[[Callable[..., Any]], Command]:
    """A command of rankgauge; `examples` are run by a test, in a folder written by `simulate`."""
    return click.command(cls=Command, examples=examples)


def _option(section: str, spelled: str, words: str, kind: Any = str, *, into: str = "", **settings: Any) -> Decorator:
    """click.option, in a section of the help and spelled as there: "-o --output FILE"; a default is shown.

    `kind` is bool for a flag, a tuple of words to choose from, or a type; a number is called N or X rather than INTEGER
    RANGE. `into` is the name of the value where it is not the option's.
    """
    names = [word for word in spelled.split() if word.startswith("-")]
    metavar = " ".join(spelled.split()[len(names) :])
    if kind is float or isinstance(kind, click.IntRange | click.FloatRange):
        metavar = metavar or ("N" if isinstance(kind, click.IntRange) else "X")
    if kind is bool:
        settings["is_flag"] = True
    else:
        settings["type"] = typed(Kind(str, kind)) if isinstance(kind, tuple) else _Float() if kind is float else kind
    if settings.get("default") and not settings.get("multiple"):
        settings["show_default"] = True
    settings |= {"cls": Option, "section": section, "help": words, "metavar": metavar or None}
    return click.option(*names, *([into] if into else []), **settings)


input_option, policy_option, statistics_option, output_option = (partial(_option, section) for section in SECTIONS)


def together(*decorators: Decorator) -> Decorator:
    """Several arguments and options as one decorator, in the order of reading."""

    def decorated(function: Any) -> Any:
        for decorate in reversed(decorators):
            function = decorate(function)
        return function

    return decorated
