"""Text on a terminal: which characters are safe to show, how many columns they take, and colours."""

import re
import unicodedata

ELLIPSIS = "..."
_COMMAND = re.compile(r"#(?=#(?:vso)?\[)", re.IGNORECASE)  # anywhere in a line
_FIRST = re.compile(r"^(\s*)::")  # the start of a command to GitHub's runner
# An ANSI sequence for colours, which takes no columns.
_COLOUR = re.compile("(\x1b\\[[0-9;]*m)")


def printable(text: str) -> str:
    """The text with tabs as four spaces and every invisible character escaped."""
    # An escape sequence could act on the terminal, and a right-to-left mark could reorder the line.
    return text if text.isprintable() else "".join(map(_shown, text))


def encodable(text: str) -> str:
    """The text with half surrogate pairs escaped as in JSON. JSON input can contain them, but UTF-8 cannot."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def fold(text: str) -> str:
    """Several lines as one paragraph. Later lines start with `|`, so that none looks like a separate entry."""
    return "\n    | ".join(printable(line) for line in text.strip("\n").splitlines())


def safe(text: str, *, colour: bool = False) -> str:
    """Lines that cannot control a terminal or a pipeline that reads them; most texts do not change.

    With `colour`, gitgpu's own colours are kept. Tabs, spaces of any width and the carriage return at a line end are
    always kept: a diff without other special characters can still be applied.
    """
    if _is_plain(text):
        return text
    return "\n".join(_line(line, colour=colour) for line in text.split("\n"))


def inert(text: str) -> str:
    """The text without commands that Azure's agent (`##vso[`) or GitHub's runner (`##[`) would execute."""
    return _COMMAND.sub("# ", text)


def width(text: str) -> int:
    """How many columns a terminal gives the text: East Asian wide characters take two, combining marks none."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def fit(text: str, room: int) -> str:
    """The text, or the start of it with `...`, in at most `room` columns."""
    if width(text) <= room:
        return text
    used, kept = len(ELLIPSIS), 0
    while used + _columns(text[kept]) <= room:
        used, kept = used + _columns(text[kept]), kept + 1
    return text[:kept] + ELLIPSIS


def fit_lines(text: str, room: int, more: int = 4) -> str:
    """The text with lines longer than `room` columns broken between words; 0 breaks none.

    Continuation lines are indented by `more` spaces. Colours take no columns.
    """
    if not room:
        return text
    lines = text.split("\n")
    for index, line in enumerate(lines):
        if width(line) > room:
            lines[index] = _broken(line, room, more)
    return "\n".join(lines)


def _broken(line: str, room: int, more: int) -> str:
    indent = " " * (len(line) - len(line.lstrip(" ")) + more)
    done, current, taken = "", "", 0
    for word in re.findall(" *[^ ]+", line):
        columns = width(_COLOUR.sub("", word))
        if current and taken + columns > room and _saves(taken, columns, len(indent), room):
            done += f"{current}\n"
            current = indent + word.lstrip(" ")
            taken = width(_COLOUR.sub("", current))
        else:
            current, taken = current + word, taken + columns
    return done + current


def _saves(taken: int, columns: int, indent: int, room: int) -> bool:
    """Whether a new line for a word takes no more lines of the terminal. It would for a long URL after `source:`."""
    return columns <= room or 1 + -(-(indent + columns - 1) // room) <= -(-(taken + columns) // room)


def paint(text: str, code: str, *, colour: bool) -> str:
    """The text between ANSI codes, or unchanged without colour."""
    return f"\x1b[{code}m{text}\x1b[0m" if colour and text else text


def _is_plain(text: str) -> bool:
    return "##" not in text and "::" not in text and text.replace("\n", "").isprintable()


def _line(line: str, *, colour: bool) -> str:
    end = "\r" if line.endswith("\r") else ""
    parts = _COLOUR.split(line.removesuffix("\r")) if colour else [line.removesuffix("\r")]
    parts[::2] = map(_with_escapes, parts[::2])  # `split` keeps the separators: the colours are at the odd positions
    return _FIRST.sub(r"\1: :", inert("".join(parts)), count=1) + end


def _with_escapes(text: str) -> str:
    return text if text.isprintable() else "".join(map(_letter, text))


def _letter(letter: str) -> str:
    return letter if letter == "\t" or unicodedata.category(letter) == "Zs" else _shown(letter)


def _shown(character: str) -> str:
    if character == "\t":
        return "    "
    return character if character.isprintable() else character.encode("unicode_escape").decode("ascii")


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
