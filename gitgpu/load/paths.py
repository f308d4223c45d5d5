"""Names of files as they were passed, in one spelling."""

import os


def normal_path(path: str) -> str:
    """The path without `.`, `..` and repeated slashes.

    `os.path.normpath` keeps two slashes at the start, where POSIX allows them a meaning of their own. They have none on
    Linux and macOS, and a walk upwards from such a path would never come to "/".
    """
    plain = os.path.normpath(path)
    return plain[1:] if plain.startswith("//") else plain
