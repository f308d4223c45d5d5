"""PromQL as text: its words and signs, and what the parser of `promql-parser` has to be spared."""

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
_DEEPEST = 200  # the parser recurses: some 400 brackets in one another overflow a stack of 512 KiB and end the process
# A range or an offset of more seconds than a Duration of Rust holds.
_ENDLESS = re.compile(r"(?:\[[-+\s]*(?:[\w.]*:)?|\boffset\b)[-+\s]*(?:inf\b|nan\b|[\d.]+e|[\w.]{14})", re.IGNORECASE)


class Token(NamedTuple):
    """A piece of a query: its kind (raw, string, word, sign), itself, and where it begins."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


def tokens(query: str) -> tuple[Token, ...]:
    """What a query is made of, without space and comments."""
    pieces = (Token(piece.lastgroup or "", piece[0], piece.start()) for piece in _TOKEN.finditer(query))
    return tuple(token for token in pieces if token.kind != "space")


class Parsed(NamedTuple):
    """The tree of a query (an `Expr`), None without one, and the error of the parser, "" for none."""

    tree: Any
    error: str = ""


def parsed(query: str) -> Parsed:
    """What the parser makes of a query; no tree and no error if it is not safe to parse."""
    return Parsed(None) if is_unsafe(query) else parsed_safe(for_parser(query))


def parsed_safe(query: str) -> Parsed:
    """The same for a query that is safe to parse, and is as the parser takes it (`for_parser`)."""
    from promql_parser import parse  # noqa: PLC0415  a library in Rust

    try:
        return Parsed(parse(query))
    except ValueError as fault:
        return Parsed(None, str(fault).strip())
    except BaseException as fault:
        if type(fault).__name__ not in ("OverflowError", "PanicException"):  # it has no module to import it from
            raise
        return Parsed(None)


def is_unsafe(query: str) -> bool:
    """Could it end the process: nested deeper than the parser can follow, or with a duration that Rust has none for?"""
    pieces = tokens(query)
    nesting = sum(piece.text.lower() in _NESTING for piece in pieces)
    return nesting > _DEEPEST or bool(_ENDLESS.search(outline(pieces)))


def outline(pieces: tuple[Token, ...]) -> str:
    """The query with a space between its tokens, and without what its strings hold."""
    return " ".join(map(_plain_text, pieces))


def _plain_text(piece: Token) -> str:
    return '""' if piece.kind in ("string", "raw") else piece.text


def for_parser(query: str) -> str:
    r"""The query as the parser reads it like Prometheus: `\d` is two letters, as "\\d", and 1_000 a number."""
    return _TOKEN.sub(_plain, query) if "`" in query or "_" in query else query


def _plain(piece: re.Match[str]) -> str:
    text = piece[0]
    if piece.lastgroup == "raw":
        inner = text[1:-1].replace("\\", "\\\\").replace('"', '\\"')
        return '"' + inner.replace("\n", "\\n").replace("\r", "\\r") + '"'
    return text.replace("_", "") if piece.lastgroup == "word" and text.lstrip(".")[:1].isdecimal() else text
