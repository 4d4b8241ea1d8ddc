"""The command list. A command's module is loaded when it is asked for, and heavy imports stand inside commands."""

from __future__ import annotations

import importlib
import io
import sys
import traceback
from typing import Any

import click

import rankgauge
import rankgauge.data.read
from rankgauge.cli.help import GROUPS
from rankgauge.cli.limited import guarded
from rankgauge.cli.output import close_output, say
from rankgauge.errors import RankgaugeError, did_you_mean
from rankgauge.limits import need_room

COMMANDS = tuple(name for names in GROUPS.values() for name in names)
_NO_MEMORY = "there is not enough memory for this; take fewer runs at a time, or a smaller --memory"
_SIGNS_OF_NO_MEMORY = ("failed to map segment", "can't start new thread")
"""What a library that cannot be loaded and a thread that cannot be started say."""


class Commands(click.Group):
    """A group that imports a command only when it is used or listed."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"rankgauge.cli.commands.{cmd_name}")
        command: click.Command = getattr(module, cmd_name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args[0] not in COMMANDS:
            raise click.UsageError(f"no such command {args[0]!r}; {did_you_mean(args[0], COMMANDS)}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for title, names in GROUPS.items():
            with formatter.section(title):
                rows = [(name, self.get_command(ctx, name)) for name in names]
                widest = max(map(len, COMMANDS))
                formatter.write_dl(
                    [(f"{name:<{widest}}", one.get_short_help_str(limit=100)) for name, one in rows if one is not None]
                )


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(rankgauge.__version__, prog_name="rankgauge")
def cli() -> None:
    """Evaluate rankings, and find out whether the differences are real."""
    need_room()


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every fault a user can mend ends with one message and exit code 2.

    1 and 3 belong to the gate of `compare`, so that a fault of ours ends with 70, as sysexits.h has it.
    """
    if arguments is None:
        _prepare()
    try:
        status: Any = cli.main(args=arguments, prog_name="rankgauge", standalone_mode=False)
    except click.exceptions.Abort:
        _stop("interrupted", 130)
    except click.ClickException as problem:
        shown = io.StringIO()
        problem.show(shown)
        say(shown.getvalue().rstrip("\n"))
        sys.exit(problem.exit_code)
    except RankgaugeError as problem:
        _stop(str(problem), 2)
    except KeyboardInterrupt:
        _stop("interrupted", 130)
    except OSError as problem:
        close_output()
        where = f"{problem.filename}: " if problem.filename else ""
        _stop(f"{where}{problem.strerror or problem}", 2)
    except MemoryError:
        _stop(_NO_MEMORY, 2)
    except Exception as problem:  # noqa: BLE001 - the last resort
        if any(sign in str(problem) for sign in _SIGNS_OF_NO_MEMORY):
            _stop(_NO_MEMORY, 2)
        traceback.print_exc()
        _stop("this is a fault in rankgauge, not in your data; please report it with the lines above", 70)
    sys.exit(status if isinstance(status, int) else 0)


def _prepare() -> None:
    """A process of our own: its death has a message, and what Polars prints about a damaged file is left out."""
    if died := guarded():
        _stop(died, 2)
    rankgauge.data.read.is_quiet = True


def _stop(message: str, code: int) -> None:
    say(f"rankgauge: {message}")
    sys.exit(code)
