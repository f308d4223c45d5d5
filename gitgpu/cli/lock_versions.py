"""What the lock of a build says of the clusters whose files are looked at."""

import os
from collections.abc import Iterable, Mapping

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.read import is_file, read_text
from gitgpu.load.text import Text
from gitgpu.source import Span
from gitgpu.write.lock import NAME, Lock, parse


def versions(files: Iterable[str]) -> tuple[frozenset[tuple[str, str]], tuple[Diagnostic, ...]]:
    """Each file that a build has written, with the Kubernetes version of its cluster; and the locks that tell none."""
    locks: dict[str, Lock | Diagnostic | None] = {}
    found = set()
    for file in files:
        whole = os.path.abspath(file).replace(os.sep, "/")
        for root in _above(whole):
            if root not in locks:
                locks[root] = _lock(f"{root}/{NAME}")
            kept = locks[root]
            if isinstance(kept, Lock):
                inside = whole.removeprefix(f"{root}/")
                version = kept.kubernetes.get(inside.partition("/")[0])
                found |= {(file, version)} if version and inside in kept.files else set()
            if kept:
                break
    return frozenset(found), tuple(kept for kept in locks.values() if isinstance(kept, Diagnostic))


def _above(path: str) -> Iterable[str]:
    """The directories that a file is in, nearest first."""
    while path.rpartition("/")[0]:
        path = path.rpartition("/")[0]
        yield path


def kubernetes(root: str) -> tuple[Mapping[str, str], tuple[Diagnostic, ...]]:
    """The versions of Kubernetes by cluster for which the overlays in a directory were built, as far as is known.

    A lock that cannot be read is told of: without it an upgrade is not seen.
    """
    kept = lock(root)
    return (kept.kubernetes, ()) if isinstance(kept, Lock) else ({}, (kept,) if kept else ())


def lock(root: str) -> Lock | Diagnostic | None:
    """The lock of an output directory; None without one."""
    return _lock(f"{root}/{NAME}")


def _lock(path: str) -> Lock | Diagnostic | None:
    text = read_text(path) if is_file(path) else None
    found = parse(text.content, path) if isinstance(text, Text) else text
    if not isinstance(found, Diagnostic):
        return found
    return found._replace(code="OUT003", severity=Severity.WARNING, span=Span(os.path.relpath(path), 0, 0))
