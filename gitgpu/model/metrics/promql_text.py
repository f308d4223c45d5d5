"""PromQL as text: its tokens, and texts that `promql-parser` cannot parse safely."""

import re
from typing import Any, NamedTuple

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<raw>`[^`]*`)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')
    |(?P<word>[\w:.]+)
    |(?P<sign>=~|!~|!=|==|<=|>=|</|>/|.)""",
    re.DOTALL | re.VERBOSE,
)
_NESTING = ("(", "[", "+", "-", "*", "/", "%", "^", "==", "!=", "<", ">", "<=", ">=", "and", "or", "unless", "atan2")
_MAX_NESTING = 200  # the parser recurses: about 400 nested brackets overflow a stack of 512 KiB and end the process
# A range or an offset with more seconds than Rust's Duration can hold.
_ENDLESS = re.compile(r"(?:\[[-+\s]*(?:[\w.]*:)?|\boffset\b)[-+\s]*(?:inf\b|nan\b|[\d.]+e|[\w.]{14})", re.IGNORECASE)


class Token(NamedTuple):
    """A token of a query: its kind (raw, string, word, sign), its text, and where it begins."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def tokens(query: str) -> tuple[Token, ...]:
    """The tokens of a query, without space and comments."""
    pieces = (Token(piece.lastgroup or "", piece[0], piece.start()) for piece in _TOKEN.finditer(query))
    return tuple(token for token in pieces if token.kind != "space")


class Parsed(NamedTuple):
    """The tree of a query (an `Expr`) or None, and the error of the parser or ""."""

    tree: Any
    error: str = ""


def parse_query(query: str) -> Parsed:
    """Parses a query. The result has no tree and no error if the query is not safe to parse."""
    return Parsed(None) if is_unsafe(query) else parse_safe_query(for_parser(query))


def parse_safe_query(query: str) -> Parsed:
    """Parses a query that is safe to parse, and that `for_parser` has converted."""
    from promql_parser import parse  # noqa: PLC0415  a library in Rust

    try:
        return Parsed(parse(query))
    except ValueError as fault:
        return Parsed(None, str(fault).strip())
    except BaseException as fault:
        if type(fault).__name__ not in ("OverflowError", "PanicException"):  # cannot be imported: it has no module
            raise
        return Parsed(None)


def is_unsafe(query: str) -> bool:
    """Whether parsing could end the process: the query is nested too deeply, or a duration is too long for Rust."""
    pieces = tokens(query)
    nesting = sum(piece.text.lower() in _NESTING for piece in pieces)
    return nesting > _MAX_NESTING or bool(_ENDLESS.search(outline(pieces)))


def outline(pieces: tuple[Token, ...]) -> str:
    """The query with a space between its tokens, and with empty strings."""
    return " ".join(map(_plain_text, pieces))


def _plain_text(piece: Token) -> str:
    return '""' if piece.kind in ("string", "raw") else piece.text


def for_parser(query: str) -> str:
    r"""Converts a query so that the parser reads it like Prometheus: text in backticks, and numbers such as 1_000."""
    return _TOKEN.sub(_plain, query) if "`" in query or "_" in query else query


def _plain(piece: re.Match[str]) -> str:
    text = piece[0]
    if piece.lastgroup == "raw":
        inner = text[1:-1].replace("\\", "\\\\").replace('"', '\\"')
        return '"' + inner.replace("\n", "\\n").replace("\r", "\\r") + '"'
    return text.replace("_", "") if piece.lastgroup == "word" and text.lstrip(".")[:1].isdecimal() else text
