"""Texts that somebody named, standard input among them."""

import sys
from collections.abc import Sequence

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.read import STANDARD_INPUT, decode, read_paths
from gitgpu.load.text import Text

PIPED = "stdin"  # the name of standard input in findings


def read_named(named: Sequence[str]) -> tuple[list[Text], list[Diagnostic]]:
    """The texts of files and directories, and of standard input for a `-`."""
    texts, faults = read_paths(name for name in named if name != STANDARD_INPUT)
    if STANDARD_INPUT in named:
        piped = decode(PIPED, sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else b"")
        (texts if isinstance(piped, Text) else faults).append(piped)  # type: ignore[arg-type]
    return texts, faults
