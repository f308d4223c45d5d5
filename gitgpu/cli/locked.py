"""What the lock of a build says of the clusters whose files are looked at."""

import os
from collections.abc import Iterable

from gitgpu.load.read import is_file, read_text
from gitgpu.load.text import Text
from gitgpu.write.lock import NAME, Lock, parse


def versions(files: Iterable[str]) -> dict[str, str]:
    """The Kubernetes version of the cluster of each file, for those that a build has written; by name of file."""
    locks: dict[str, Lock | None] = {}
    found: dict[str, str] = {}
    for file in files:
        whole = os.path.abspath(file).replace(os.sep, "/")
        for root in _above(whole):
            if root not in locks:
                locks[root] = _lock(f"{root}/{NAME}")
            lock = locks[root]
            if lock:
                inside = whole.removeprefix(f"{root}/")
                version = lock.kubernetes.get(inside.partition("/")[0])
                found |= {file: version} if version and inside in lock.files else {}
                break
    return found


def _above(path: str) -> Iterable[str]:
    """The directories that a file is in, nearest first."""
    while path.rpartition("/")[0]:
        path = path.rpartition("/")[0]
        yield path


def _lock(path: str) -> Lock | None:
    text = read_text(path) if is_file(path) else None
    lock = parse(text.content, path) if isinstance(text, Text) else None
    return lock if isinstance(lock, Lock) else None
