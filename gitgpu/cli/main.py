"""The entry point. It answers `--help` and `--version` without the rest of the program."""

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from io import TextIOWrapper
from typing import TextIO

from gitgpu.cli.overview import overview


def run() -> None:
    """The console script."""
    # A run creates little garbage, and nothing that must be cleaned up at the end. Without the garbage collector, and
    # with os._exit instead of the shutdown of the interpreter, it is faster by a quarter.
    gc.disable()
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115  None after `>&-`; lives as long as the run
    sys.stderr = sys.stderr or sys.stdout
    for stream in (sys.stdout, sys.stderr):
        _set_encoding(stream)
    try:
        code = main(sys.argv[1:])
        with suppress(OSError):
            sys.stdout.flush()
            sys.stderr.flush()
    except KeyboardInterrupt:  # while the program is imported or ends; a command handles its own interrupts
        code = 130
        with suppress(OSError):
            sys.stderr.write("interrupted\n")
    os._exit(code)


def _set_encoding(stream: TextIO) -> None:
    """UTF-8, unless a terminal has another encoding: then characters that it lacks are shown as codes."""
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding=stream.encoding if stream.isatty() else "utf-8", errors="backslashreplace")


def main(arguments: Sequence[str]) -> int:
    """Runs the program and returns its exit code."""
    with suppress(OSError):  # the reader of the pipe has ended: click gets the same error, and the program reports it
        if text := overview(arguments):
            sys.stdout.write(text)
            sys.stdout.flush()
            return 0
    from gitgpu.cli.program import execute  # noqa: PLC0415  imports click

    return execute(arguments)
