"""Texts that somebody named, standard input among them."""

import sys
from collections.abc import Sequence

import click

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.read import STANDARD_INPUT, decode, read_paths
from gitgpu.load.text import Text

PIPED = "stdin"  # the name of standard input in findings


def read_named(named: Sequence[str], *, fix: bool = False) -> tuple[list[Text], list[Diagnostic]]:
    """The texts of files and directories, and of standard input for a `-`, which cannot be written back."""
    if fix and STANDARD_INPUT in named:
        raise click.UsageError("--fix cannot write to standard input; --diff shows what it would do")
    texts, faults = read_paths(name for name in named if name != STANDARD_INPUT)
    if STANDARD_INPUT in named:
        piped = decode(PIPED, sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else b"")
        (texts if isinstance(piped, Text) else faults).append(piped)  # type: ignore[arg-type]
    return texts, faults
