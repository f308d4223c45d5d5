"""One line on a terminal while a command works for more than a second: what it does, how far it is, for how long."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import click

from gitgpu.cli.global_options import is_quiet
from gitgpu.cli.output.terminal import columns
from gitgpu.counting import Count
from gitgpu.report.terminal import ELLIPSIS, fit

_ERASE = "\r\x1b[K"
_LINE = "gitgpu.progress"  # in the context of click, so that other output can erase the line


class Line:
    """What the line says: its `text`. Called with the numbers of items that are done and that there are."""

    def __init__(self, what: str, noun: str = "") -> None:
        self.what, self.noun, self.text, self.is_shown = what, noun, what, False

    def show(self, seconds: float) -> None:
        """Writes the line, in place of the one before. A line that the terminal wraps could not be erased."""
        text, width = f"{self.text}: {seconds:.0f} s", columns(sys.stderr)
        sys.stderr.write(_ERASE + (fit(text, width - 1) if width > len(ELLIPSIS) else text))
        sys.stderr.flush()
        self.is_shown = True

    def erase(self) -> None:
        """Removes the line from the terminal."""
        if self.is_shown:
            self.is_shown = False
            sys.stderr.write(_ERASE)
            sys.stderr.flush()

    def __call__(self, done: int, total: int) -> None:
        """The count of the line's own words."""
        self.of(self.what, self.noun)(done, total)

    def of(self, what: str, noun: str) -> Count:
        """The count of a part of the work, in its own words."""
        return partial(self._count, what, noun)

    def _count(self, what: str, noun: str, done: int, total: int) -> None:
        counts = f"{what} {done:,} of {total:,} {noun}{'' if total == 1 else 's'}"
        self.text = counts if done < total else self.what  # what follows is another part of the work


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

    before = signal.signal(signal.SIGALRM, lambda _number, _frame: line.show(monotonic() - started))
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    if context := click.get_current_context(silent=True):
        context.meta[_LINE] = line
    try:
        yield line
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        line.erase()


def make_room() -> None:
    """Erases the line, if there is one, before something else is written. It is shown again after a second at most."""
    context = click.get_current_context(silent=True)
    line = context.meta.get(_LINE) if context else None
    if isinstance(line, Line):
        line.erase()


def _is_wanted() -> bool:
    """Whether a person watches: not in CI, not through a pipe, not with --quiet."""
    is_terminal = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    return is_terminal and not is_quiet() and not os.environ.get("CI") and sys.platform != "win32"
