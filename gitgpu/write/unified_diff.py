"""The difference between two texts, in the format of `patch`."""

import re


def diff(name: str, before: str, after: str) -> str:
    """A unified diff for `patch -p0`. An empty text stands for a file that does not exist."""
    from difflib import unified_diff  # noqa: PLC0415  only files that differ need it

    shown = "".join(map(_printable, name))
    old_name = shown if before else "/dev/null"
    new_name = shown if after else "/dev/null"
    return "".join(map(_ended, unified_diff(_lines(before), _lines(after), old_name, new_name)))


def _printable(letter: str) -> str:
    return letter if letter.isprintable() else letter.encode("unicode_escape").decode()


def _ended(line: str) -> str:
    return line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str) -> list[str]:
    """The lines with their ends, as `patch` counts them: only a newline ends a line."""
    return re.findall("[^\n]*\n|[^\n]+", text)
