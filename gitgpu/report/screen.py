"""Text on a terminal: what may be shown as it is, how many columns it takes, and its colour."""

import unicodedata

CUT = "..."


def printable(text: str) -> str:
    """The text with tabs as four blanks and every invisible character spelled out.

    An escape sequence could act on the terminal and a right-to-left mark could reorder the line.
    """
    return text if text.isprintable() else "".join(map(_shown, text))


def width(text: str) -> int:
    """How many columns a terminal gives the text: East Asian wide characters take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fit(text: str, room: int) -> str:
    """The text, or as much of its start as leaves space for `...` within `room` columns."""
    if width(text) <= room:
        return text
    used, kept = len(CUT), 0
    while used + _columns(text[kept]) <= room:
        used, kept = used + _columns(text[kept]), kept + 1
    return text[:kept] + CUT


def paint(text: str, code: str, *, colour: bool) -> str:
    """The text between ANSI codes, or as it is where there is no colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def _shown(character: str) -> str:
    if character == "\t":
        return "    "
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
