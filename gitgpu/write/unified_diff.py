"""The difference of two texts, as `patch` takes it."""

import re
from difflib import unified_diff


def diff(name: str, before: str, after: str) -> str:
    """A unified diff that `patch -p0` takes; an empty text is a file that is not there."""
    shown = "".join(map(_printable, name))
    old_name = shown if before else "/dev/null"
    new_name = shown if after else "/dev/null"
    return "".join(map(_ended, unified_diff(_lines(before), _lines(after), old_name, new_name)))


def _printable(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, with their ends: no other character than the newline ends one."""
    return re.findall("[^\n]*\n|[^\n]+", text)
