"""One line on a terminal while a command works for more than a second: what it does, how far it is, for how long."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from gitgpu.cli.global_options import is_quiet
from gitgpu.counting import Count, uncounted

_ERASE = "\r\x1b[K"


@contextmanager
def progress(what: str, noun: str = "") -> Iterator[Count]:
    """Shows `what`, such as "building", on stderr after a second, updates it each second, and erases it at the end.

    The value that it yields gets numbers, shown as "building 312 of 1,000 clusters" if the noun is "cluster".

    It is a signal of the system's timer that writes: a thread must not exist when workers are forked, and workers do
    not inherit a timer. Windows has no such signal, so there is no progress there.
    """
    if not _is_wanted():
        yield uncounted
        return
    # Imported here: most runs are shorter than a second, or have no terminal.
    import signal  # noqa: PLC0415
    from time import monotonic  # noqa: PLC0415

    started = monotonic()
    numbers: list[str] = []

    def count(done: int, total: int) -> None:
        numbers[:] = [f" {done:,} of {total:,} {noun}{'' if total == 1 else 's'}"]

    def show(_number: int, _frame: object) -> None:
        sys.stderr.write(f"{_ERASE}{what}{''.join(numbers)}: {monotonic() - started:.0f} s")
        sys.stderr.flush()

    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield count
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if monotonic() - started >= 1:
            sys.stderr.write(_ERASE)
            sys.stderr.flush()


def _is_wanted() -> bool:
    """Whether a person watches: not in CI, not through a pipe, not with --quiet."""
    is_terminal = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and not is_quiet() and not os.environ.get("CI") and sys.platform != "win32"
