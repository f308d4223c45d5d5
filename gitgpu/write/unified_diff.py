"""The difference of two texts, as `patch` takes it."""

import re
from difflib import unified_diff


def diff(name: str, before: str, after: str) -> str:
    """A unified diff that `patch -p0` takes; an empty text is a file that is not there."""
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in name)
    names = (shown if before else "/dev/null", shown if after else "/dev/null")
    lines = unified_diff(_lines(before), _lines(after), *names)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


def _lines(text: str) -> list[str]:
    """The lines as `patch` counts them, with their ends: no other character than the newline ends one."""
    return re.findall("[^\n]*\n|[^\n]+", text)
