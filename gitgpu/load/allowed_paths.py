"""Where a run may read: below what was named, and in the Git work trees around that.

A repository is read before somebody has looked at it, in CI above all. What its files name, and what its symbolic links
point to, is opened only inside these directories. A path that the command line names is opened wherever it leads.
"""

import os
from collections.abc import Collection, Iterable

GIT = ".git"  # never read: the configuration of a clone may hold a token


def real_path(path: str) -> str:
    """A path with its links resolved; as it is where no disk can have it, such as one with a NUL."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


def work_tree(path: str) -> str:
    """The root of the Git work tree around a file or directory, links resolved; "" without one."""
    directory = real_path(path)
    while os.path.dirname(directory) != directory:  # the root of the disk is no repository, whatever lies in it
        if os.path.lexists(os.path.join(directory, GIT)):
            return directory
        directory = os.path.dirname(directory)
    return ""


def allowed_roots(directories: Iterable[str]) -> frozenset[str]:
    """Where a run may read that was given these directories: they, and the Git work trees around them."""
    named = {os.path.realpath(directory) for directory in directories}
    return frozenset(named | {tree for directory in named if (tree := work_tree(directory))})


def outside_reason(path: str, allowed: Collection[str]) -> str:
    """Why a path must not be opened, in words that follow its name; "" where it may. Opens nothing.

    `allowed` are directories as `grounds` gives them.
    """
    try:
        found, written = os.path.realpath(path), os.path.abspath(path)
    except ValueError:  # a NUL or half a character: no disk has such a name, and whoever opens it will say so
        return ""
    root = max((root for root in allowed if _is_below(found, root)), key=len, default="")
    if not root:
        inside = any(_is_below(written, root) for root in allowed)
        return "points outside through a symbolic link" if inside else "is outside the directory and its Git work tree"
    parts = os.path.relpath(found, root).casefold().split(os.sep)  # a disk of Windows or macOS ignores the case
    return "is in the .git directory" if GIT in parts else ""


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)
