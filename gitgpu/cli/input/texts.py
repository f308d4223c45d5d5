"""The texts of files and of standard input, as the command line names them."""

import sys
from collections.abc import Callable, Collection, Sequence
from os.path import normpath
from typing import TypeAlias

import click

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.paths import normal_path
from gitgpu.load.read import STANDARD_INPUT, Decoding, decode, leads_nowhere, read_bytes, read_paths
from gitgpu.load.text import Text

PIPED = "stdin"  # the name of standard input in findings
Read: TypeAlias = Callable[[Sequence[str]], tuple[list[Text], list[Diagnostic]]]


def read_named(
    named: Sequence[str], *, fix: bool = False, read: Read = read_paths, decoding: Decoding = decode
) -> tuple[list[Text], list[Diagnostic]]:
    """The texts of files and directories. `-` is standard input, which cannot be written back."""
    if fix and STANDARD_INPUT in named:
        raise click.UsageError("--fix cannot write to standard input; use --diff to show the fixes")
    texts, faults = read([name for name in named if name != STANDARD_INPUT])
    if STANDARD_INPUT in named:
        # After `<&-`, standard input is closed, and sys.stdin is None.
        piped = decoding(PIPED, sys.stdin.buffer.read() if hasattr(sys.stdin, "buffer") else b"", None)
        (texts if isinstance(piped, Text) else faults).append(piped)  # type: ignore[arg-type]
    return texts, faults


def read_searched(named: Sequence[str], *, fix: bool = False) -> tuple[list[Text], list[Diagnostic]]:
    """The texts of files and directories of any repository: a broken link in a directory is only a note."""
    return with_notes(named, *read_named(named, fix=fix))


def by_name(texts: Sequence[Text], named: Sequence[str]) -> frozenset[str]:
    """The names of the texts that were passed by their own path, not in a directory."""
    names = set(map(normal_path, named))
    if STANDARD_INPUT in named:
        names.add(PIPED)
    return frozenset(text.name for text in texts if text.name in names)


def with_notes(
    named: Sequence[str], texts: list[Text], faults: Sequence[Diagnostic]
) -> tuple[list[Text], list[Diagnostic]]:
    """The texts, and what is wrong with files that were found while a repository was searched.

    A broken link in a directory becomes a note, as does a directory without manifests among others. Files that are not
    text and cannot be manifests are skipped.
    """
    paths = {normpath(name) for name in named}
    noted = (_as_note(fault, paths) for fault in faults)
    return texts, [fault for fault in noted if fault.code != "INP002" or _may_be_manifest(fault.span.file, paths)]


def _as_note(fault: Diagnostic, named: Collection[str]) -> Diagnostic:
    if fault.code == "INP004" and len(named) > 1:
        return fault._replace(code="LNT003", severity=Severity.INFO)
    if fault.span.file in named or fault.code != "INP001" or not leads_nowhere(fault.span.file):
        return fault
    remedy = "remove the link, or check out its target"
    return Diagnostic("LNT013", Severity.INFO, "broken symbolic link: not checked", remedy, fault.span)


def _may_be_manifest(file: str, named: Collection[str]) -> bool:
    """Whether the user named the file, or it has the key that every manifest has."""
    return normpath(file) in named or file == PIPED or b"apiVersion" in read_bytes(file).replace(b"\0", b"")
