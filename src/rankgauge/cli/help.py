"""Help that can be scanned: commands in groups, options in sections, examples at the foot."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from rankgauge.errors import UsageError

GROUPS = {
    "Evaluate": ("evaluate", "score", "explain"),
    "Compare and trust": ("compare", "stability", "agreement", "discriminate", "report", "explore"),
    "Design a measure": ("measures", "optimize", "relevance"),
    "Data": ("check", "simulate"),
}
SECTIONS = ("Input", "Policy", "Statistics", "Output")
_WIDEST = 76
Decorator = Callable[[Any], Any]


class Option(click.Option):
    """An option that knows the section of the help it belongs to."""

    def __init__(self, *names: Any, section: str, **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.section = section


class Command(click.Command):
    """A command whose help lists its options by section, then its examples."""

    def __init__(self, *, examples: tuple[str, ...], **settings: Any) -> None:
        super().__init__(**settings)
        self.examples = examples

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        left = super().parse_args(ctx, args)
        if ctx.params.get("form") == "json" and ctx.params.get("decimals") is not None:
            raise UsageError("--decimals has no effect here because JSON has full precision")
        return left

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows: dict[str, list[tuple[str, str]]] = {section: [] for section in SECTIONS}
        for parameter in self.get_params(ctx):
            record = parameter.get_help_record(ctx) if isinstance(parameter, click.Option) else None
            if record is not None:
                rows[getattr(parameter, "section", SECTIONS[-1])].append(record)
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


def command(*examples: str) -> Callable[[Callable[..., Any]], Command]:
    """A command of rankgauge; `examples` are run by a test, in a folder written by `simulate`."""
    return click.command(cls=Command, examples=examples)


def option(section: str, *names: str, **settings: Any) -> Decorator:
    """click.option, in a section of the help; a number is called N or X rather than INTEGER RANGE."""
    kind = settings.get("type")
    if isinstance(kind, click.IntRange) or kind is float or isinstance(kind, click.FloatRange):
        settings.setdefault("metavar", "N" if isinstance(kind, click.IntRange) else "X")
    return click.option(*names, cls=Option, section=section, **settings)


def together(*decorators: Decorator) -> Decorator:
    """Several arguments and options as one decorator, in the order of reading."""

    def decorated(function: Any) -> Any:
        for decorate in reversed(decorators):
            function = decorate(function)
        return function

    return decorated
