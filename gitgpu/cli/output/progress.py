"""One line on a terminal while a command works for more than a second: what it does, how far it is, for how long."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from gitgpu.cli.global_options import is_quiet
from gitgpu.counting import Count

_ERASE = "\r\x1b[K"


class Line:
    """What the line says: its `text`. Called with the numbers of items that are done and that there are."""

    def __init__(self, what: str, noun: str) -> None:
        self.what, self.noun, self.text = what, noun, what

    def __call__(self, done: int, total: int) -> None:
        """The count of the line's own words."""
        self.of(self.what, self.noun)(done, total)

    def of(self, what: str, noun: str) -> Count:
        """The count of a part of the work, in its own words."""
        return partial(self._count, what, noun)

    def _count(self, what: str, noun: str, done: int, total: int) -> None:
        self.text = f"{what} {done:,} of {total:,} {noun}{'' if total == 1 else 's'}"


@contextmanager
def progress(what: str, noun: str = "") -> Iterator[Line]:
    """Shows `what`, such as "building", on stderr after a second, updates it each second, and erases it at the end.

    The line that it yields gets numbers, shown as "building 312 of 1,000 clusters" if the noun is "cluster".

    It is a signal of the system's timer that writes: a thread must not exist when workers are forked, and workers do
    not inherit a timer. Windows has no such signal, so there is no progress there.
    """
    line = Line(what, noun)
    if not _is_wanted():
        yield line
        return
    # Imported here: most runs are shorter than a second, or have no terminal.
    import signal  # noqa: PLC0415
    from time import monotonic  # noqa: PLC0415

    started = monotonic()

    def show(_number: int, _frame: object) -> None:
        sys.stderr.write(f"{_ERASE}{line.text}: {monotonic() - started:.0f} s")
        sys.stderr.flush()

    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    try:
        yield line
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
