"""Reading an output directory: its files and folders, and their content."""

import math
import os
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from gitgpu.load.generated import HEAD, claimed_paths, has_conflict
from gitgpu.write.atomic_file import TEMPORARY
from gitgpu.write.scope import Scope

EVERYTHING = Scope(frozenset(), frozenset())
MAX_LISTED = 1000  # files to list of a directory that no build has written: one is enough to refuse it


class Tree(NamedTuple):
    """What is below the output directory.

    `leftovers` are temporaries of a killed run; `odd` is neither a plain file nor a folder (a symbolic link, a device).
    """

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    leftovers: tuple[str, ...] = ()
    odd: tuple[str, ...] = ()


class DiskFile(NamedTuple):
    """A file of the directory: the sha256 of its content, and of its content with the line ends that Git stores.

    `claimed` are the paths in its header. `has_conflict` says that it contains the markers of a merge conflict.
    """

    sha256: str
    checked_in: str
    claimed: frozenset[str]
    has_conflict: bool


def walk(root: str, scope: Scope, *, known: bool) -> Tree:
    """Everything below the root that is in scope. Links are not followed, and a missing root is empty.

    Of a directory that is not `known` to be the output of a build, only a part is read.
    """
    if not os.path.lexists(root):
        return Tree()
    if os.path.islink(root) or not os.path.isdir(root):
        return Tree(odd=("",))
    return walk_below(root, ("",), scope, math.inf if known else MAX_LISTED)


def walk_below(root: str, prefixes: Sequence[str], scope: Scope = EVERYTHING, enough: float = math.inf) -> Tree:
    """Like `walk`, but below some folders, whose paths end with a slash; "" is the root."""
    files, folders, leftovers, odd = list[str](), list[str](), list[str](), list[str]()
    waiting = list(reversed(prefixes))
    while waiting and len(files) < enough:
        prefix = waiting.pop()
        for entry in _entries(f"{root}/{prefix}"):
            path = prefix + entry.name
            if not prefix and not scope.holds(path):
                continue
            if entry.is_dir(follow_symlinks=False):
                folders.append(path)
                waiting.append(f"{path}/")
            elif not entry.is_file(follow_symlinks=False):
                odd.append(path)
            else:
                (leftovers if entry.name == TEMPORARY else files).append(path)
    return Tree(frozenset(files), frozenset(folders), tuple(sorted(leftovers)), tuple(odd))


def hashes(root: str, paths: Iterable[str]) -> dict[str, str]:
    """The sha256 of each of these files. Raises OSError."""
    return {path: digest(read_file(root, path)) for path in paths}


def look_at(root: str, path: str) -> DiskFile:
    """What a build has to know about a file. Raises OSError."""
    content = read_file(root, path)
    claimed = claimed_paths(content[:HEAD])
    return DiskFile(digest(content), digest(as_checked_in(content)), claimed, has_conflict(content))


def as_checked_in(content: bytes) -> bytes:
    """The content with the line ends that Git stores; it may have checked the file out with CRLF."""
    return content.replace(b"\r\n", b"\n")


def digest(*parts: bytes) -> str:
    """The sha256 of one or several parts."""
    from hashlib import sha256  # noqa: PLC0415  loads OpenSSL; a check in a new checkout hashes nothing

    hasher = sha256()
    for part in parts:
        hasher.update(part)
    return hasher.hexdigest()


def read_file(root: str, path: str) -> bytes:
    """The content of a file below the root. Raises OSError."""
    with open(f"{root}/{path}", "rb", buffering=0) as file:
        return file.read()


def _entries(folder: str) -> list[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name, reverse=True)  # the last folder is the next


def by_top_folder(paths: Iterable[str]) -> list[list[str]]:
    """Sorted paths, grouped by the folder of their cluster."""
    return [list(group) for _, group in groupby(paths, key=lambda path: path.partition("/")[0])]
