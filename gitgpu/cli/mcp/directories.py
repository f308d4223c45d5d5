"""The directories that the server may read. Nothing outside them is opened, whatever a request or a file names."""

import os
from collections.abc import Collection

from gitgpu.load.allowed_paths import GIT, outside_reason

_NETWORK = ("\\\\", "//")  # a UNC path: on Windows, resolving it already connects to the host that it names


def is_outside(path: str, directories: Collection[str]) -> bool:
    """Whether a path, links resolved, is in none of the directories, which are real paths, or is in a .git directory.

    A relative path is relative to the current directory.
    """
    return path.startswith(_NETWORK) or bool(outside_reason(path, directories))


def history_is_outside(directory: str) -> bool:
    """Whether Git would read objects that are not in the repository around a directory.

    `.git` is a file in a linked work tree or a submodule, and in an archive that someone sends it can name any
    repository of this machine; alternates do the same.
    """
    while not os.path.lexists(os.path.join(directory, GIT)):
        if directory == os.path.dirname(directory):
            return False  # git says itself that there is no repository
        directory = os.path.dirname(directory)
    repository = os.path.join(directory, GIT)
    is_plain = os.path.isdir(repository) and not os.path.islink(repository)
    return not is_plain or any(os.path.lexists(os.path.join(repository, name)) for name in _ELSEWHERE)


_ELSEWHERE = ("objects/info/alternates", "commondir")
