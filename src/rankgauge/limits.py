"""What the system allows this process (`ulimit`): engines that reserve addresses in advance do not survive little."""

from __future__ import annotations

from rankgauge.errors import UsageError

_MEMORY, _ADDRESSES = 500, 2_000
"""Megabytes: with less, Polars waits for threads that never start, or ends the process."""


def limit_on(name: str) -> int | None:
    """Megabytes of addresses ("AS") or of memory that is written to ("DATA"); None where there is no limit."""
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return None
    found: int = resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[0]
    return None if found in {resource.RLIM_INFINITY, -1} else found // 10**6


def need_room() -> None:
    """Refuse before anything is loaded that would end the process."""
    found = limit_on("DATA")
    if found is not None and found < _MEMORY:
        raise UsageError(
            f"this command needs {_MEMORY} MB of memory, and this process may use {found:,} MB (ulimit -d)"
        )
    need_addresses(_ADDRESSES, "this command")


def need_addresses(megabytes: int, what: str, hint: str = "") -> None:
    found = limit_on("AS")
    if found is not None and found < megabytes:
        raise UsageError(
            f"{what} needs {megabytes // 1000} GB of addresses, most of which are never filled, "
            f"and this process may use {found:,} MB (ulimit -v)\n"
            f"Limit the memory itself instead, with ulimit -d or a container.{hint}"
        )
