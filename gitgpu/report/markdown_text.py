"""Text inside of Markdown."""

import re

from gitgpu.report.terminal import printable

_ACTIVE = re.compile(r"([\\`*_\[\]|~#&$])")  # what Markdown and GitHub interpret
_MENTION = re.compile(r"(?<!\w)@(?=\w)")  # GitHub notifies the user, even if the sign is escaped


def cell(text: str) -> str:
    """A text inside of a table or a line, without active Markdown or HTML."""
    return "<br>".join(_line(printable(line)) for line in text.splitlines())


def _line(text: str) -> str:
    plain = _ACTIVE.sub(r"\\\1", text).replace("<", "&lt;").replace(">", "&gt;")
    return _MENTION.sub("@<!-- -->", plain)
