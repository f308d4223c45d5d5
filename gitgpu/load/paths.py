"""File names from the command line, in one spelling."""

import os


def normal_path(path: str) -> str:
    """The path without `.`, `..` and repeated slashes."""
    plain = os.path.normpath(path)
    # normpath keeps two leading slashes, because POSIX allows a special meaning. They have none on Linux and macOS, and
    # walking up from such a path would never reach "/".
    return plain[1:] if plain.startswith("//") else plain
