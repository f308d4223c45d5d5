"""Where a run may read: below the named paths, and in the Git work trees around them.

CI reads repositories before a person has reviewed them. Paths in their files, and targets of symbolic links, are opened
only inside these directories. A path on the command line is opened wherever it leads.
"""

import os
from collections.abc import Collection, Iterable

GIT = ".git"  # never read: the configuration of a clone may contain a token


def real_path(path: str) -> str:
    """A path with its links resolved; unchanged if it cannot exist, such as a path with a NUL."""
    try:
        return os.path.realpath(path)
    except ValueError:
        return path


def work_tree(path: str) -> str:
    """The root of the Git work tree around a file or directory, links resolved; "" without one."""
    directory = real_path(path)
    while os.path.dirname(directory) != directory:  # the root of the disk is never a repository
        if os.path.lexists(os.path.join(directory, GIT)):
            return directory
        directory = os.path.dirname(directory)
    return ""


def allowed_roots(directories: Iterable[str]) -> frozenset[str]:
    """The directories that a run may read if it was given these: them, and the Git work trees around them."""
    named = {os.path.realpath(directory) for directory in directories}
    work_trees = {work_tree(directory) for directory in named}
    return frozenset(named | work_trees) - {""}


def outside_reason(path: str, allowed: Collection[str]) -> str:
    """Why a path must not be opened, as a predicate about the path; "" if it may be opened. Opens nothing.

    `allowed` are directories from `allowed_roots`.
    """
    try:
        real, written = os.path.realpath(path), os.path.abspath(path)
    except ValueError:  # a NUL or a lone surrogate: no file has such a name, so opening it reports a fault
        return ""
    root = max((root for root in allowed if _is_below(real, root)), key=len, default="")
    if not root:
        inside = any(_is_below(written, root) for root in allowed)
        return "points outside through a symbolic link" if inside else "is outside the directory and its Git work tree"
    parts = os.path.relpath(real, root).casefold().split(os.sep)  # Windows and macOS ignore the case
    return "is in the .git directory" if GIT in parts else ""


def _is_below(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip(os.sep) + os.sep)
