"""What the lock of a build says of the clusters whose files are looked at."""

import os
from collections.abc import Iterable, Mapping

from gitgpu.load.read import is_file, read_text
from gitgpu.load.text import Text
from gitgpu.write.lock import NAME, Lock, parse


def versions(files: Iterable[str]) -> frozenset[tuple[str, str]]:
    """Each file that a build has written, with the Kubernetes version of its cluster."""
    locks: dict[str, Lock | None] = {}
    found = set()
    for file in files:
        whole = os.path.abspath(file).replace(os.sep, "/")
        for root in _above(whole):
            if root not in locks:
                locks[root] = _lock(f"{root}/{NAME}")
            lock = locks[root]
            if lock:
                inside = whole.removeprefix(f"{root}/")
                version = lock.kubernetes.get(inside.partition("/")[0])
                found |= {(file, version)} if version and inside in lock.files else set()
                break
    return frozenset(found)


def _above(path: str) -> Iterable[str]:
    """The directories that a file is in, nearest first."""
    while path.rpartition("/")[0]:
        path = path.rpartition("/")[0]
        yield path


def kubernetes(root: str) -> Mapping[str, str]:
    """The versions of Kubernetes by cluster for which the overlays in a directory were built, as far as is known."""
    lock = _lock(f"{root}/{NAME}")
    return lock.kubernetes if lock else {}


def _lock(path: str) -> Lock | None:
    text = read_text(path) if is_file(path) else None
    lock = parse(text.content, path) if isinstance(text, Text) else None
    return lock if isinstance(lock, Lock) else None
