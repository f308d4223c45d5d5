"""The exact YAML text of one object, such that every parser returns the original value.

A string has no quotes only if a small, safe grammar allows it: it starts like a word, a path, a flag or a quantity,
and is not a number, date, boolean or null in YAML 1.1, YAML 1.2 or sigs.k8s.io/yaml. The grammar is stricter than
necessary (`1.2.3` is quoted too), because quotes do no harm and a wrong type does.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from math import isfinite
from typing import Any, TypeAlias

_Put: TypeAlias = Callable[[str], None]

# Characters that parsers reject or that are invisible: controls, unusual spaces, joiners, bidi marks, BOM. Tab and LF
# are in `_BREAKS`.
_HIDDEN = (
    r"\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f"
    r"\ud800-\udfff\ufeff\ufff0-\uffff"
)
_BREAKS = r"\t\n"
_SHORT_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

_BARE = re.compile(
    r"(?![eE]?[0-9][0-9_.,:eE+TtZz -]*\Z|0_*[xXoObB])"  # a number, a time or a date in any dialect
    r"(?:[A-Za-z_/$(0-9]|\.\.?/|--?[A-Za-z])"
    r"(?:[!-9;-~]|:(?=[!-~])| +(?=[!-~])(?!\#))*\Z"  # neither ": " nor " #", and no blank at the end
)
# YAML 1.1 reads these as booleans or null, in lower or upper case. In quotes, they are strings for every parser.
_WORDS = frozenset(("y", "n", "yes", "no", "on", "off", "true", "false", "null"))

# Not safe in a block scalar: parsers differ on leading tabs, and editors remove trailing blanks.
_NO_BLOCK = re.compile("[ \t](?:\n|\\Z)|(?:\\A|\n) *\t|\\A\n+\\Z")
# Only these spellings mean the same in YAML 1.1 and 1.2.
_CONSTANTS = {None: "null", True: "true", False: "false"}
_MAX_KEY_LENGTH = 1000  # parsers look for the ":" within 1,024 characters


def render(body: Mapping[str, Any], header: str = "") -> str:
    """The YAML document of one object, below its header as comment lines. Key order is the caller's.

    Raises TypeError for a type that YAML does not have, and ValueError for a value that it cannot express (nan, a lone
    surrogate).
    """
    parts = [header_text(header)]
    if body:
        _mapping(parts.append, body, "", "\n")
    else:
        parts.append("{}")
    parts.append("\n")
    return "".join(parts)


def header_text(header: str) -> str:
    """The header of an object as comment lines."""
    if header and _is_plain(header):  # one line, as nearly all headers are
        return f"# {header}".rstrip() + "\n"
    return "".join(f"# {_shown(line)}".rstrip() + "\n" for line in header.splitlines())


def comment_text(text: str) -> str:
    """The text as a comment in any language: on one line, with invisible characters escaped."""
    # A newline would end the comment, and the text after it would be run or applied.
    return _shown(text, _BREAKS)


def line_text(text: str) -> str:
    """A string on one line, without quotes if that is safe. Line breaks are escaped."""
    return _line(text)


def _mapping(put: _Put, body: Mapping[Any, Any], lead: str, pad: str) -> None:
    """`lead` is written before the first entry, and `pad` (a newline and the indentation) before each other one."""
    for key, value in body.items():
        head = lead + _key(key)
        lead = pad
        if type(value) is str and "\n" not in value:
            put(f"{head} {_line(value)}")
        elif isinstance(value, (list, tuple)) and value:
            put(head)
            _sequence(put, value, pad, pad)
        elif isinstance(value, (dict, Mapping)) and value:
            put(head)
            _mapping(put, value, pad + "  ", pad + "  ")
        else:
            put(f"{head} {_leaf(value, pad)}")


def _sequence(put: _Put, items: list[Any] | tuple[Any, ...], lead: str, pad: str) -> None:
    for item in items:
        head = f"{lead}- "
        lead = pad
        if type(item) is str and "\n" not in item:
            put(head + _line(item))
        elif isinstance(item, (list, tuple)) and item:
            _sequence(put, item, head, pad + "  ")
        elif isinstance(item, (dict, Mapping)) and item:
            _mapping(put, item, head, pad + "  ")
        else:
            put(head + _leaf(item, pad))


@lru_cache(maxsize=1 << 12)
def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"a YAML key must be a string, not a {type(key).__name__}")
    text = _line(key)
    if len(text) > _MAX_KEY_LENGTH:
        raise ValueError(f"a YAML key of {len(text)} characters is longer than readers accept")
    return text + ":"


def _leaf(value: object, pad: str) -> str:
    if isinstance(value, str):
        return _block(value, pad) if "\n" in value and _fits_block(value) else _line(value)
    if value is None or isinstance(value, bool):
        return _CONSTANTS[value]
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, (Mapping, list, tuple)):
        return "{}" if isinstance(value, Mapping) else "[]"
    raise TypeError(f"YAML cannot express a {type(value).__name__}")


def _float(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} is not a number that Kubernetes can store")
    mantissa, e, exponent = float.__repr__(value).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"  # YAML 1.1 reads 1e+16 as a string


def _block(text: str, pad: str) -> str:
    # Parsers infer the indentation from the first line, which is wrong if the text begins with a blank or a newline.
    indent = "2" if text[0] in " \n" else ""
    ending = "-"  # strip: the text does not end with a line break
    if text[-1] == "\n":
        ending = "+" if text[-2] == "\n" else ""  # keep all line breaks, or the usual single one
    lines = text.removesuffix("\n").split("\n")
    return f"|{indent}{ending}" + "".join(f"{pad}  {line}" if line else "\n" for line in lines)


@lru_cache(maxsize=1 << 14)
def _line(text: str) -> str:
    """A string on one line, without quotes if that is safe."""
    if _BARE.match(text) and text.lower() not in _WORDS:
        return str(text)
    text.encode()  # raises for a lone surrogate, which UTF-8 cannot encode
    quoted = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{_shown(quoted, _BREAKS)}"'


def _fits_block(text: str) -> bool:
    if _NO_BLOCK.search(text):
        return False
    return _is_plain(text.replace("\n", "").replace("\t", "")) or not _hidden("").search(text)


def _shown(text: str, more: str = "") -> str:
    """The text with escapes for invisible characters, and for those in `more`."""
    return text if _is_plain(text) else _hidden(more).sub(_escape, text)


def _is_plain(text: str) -> bool:
    """Whether it is visible ASCII. Nearly all texts are, and two methods of `str` are faster than a pattern."""
    return text.isascii() and text.isprintable()


@cache
def _hidden(more: str) -> re.Pattern[str]:
    """Compiled on first use: most runs do not need it, and such a large set of characters takes long to compile."""
    return re.compile(f"[{more}{_HIDDEN}]")


def _escape(match: re.Match[str]) -> str:
    char = match[0]
    return _SHORT_ESCAPES.get(char) or (f"\\x{ord(char):02x}" if char < "\u0100" else f"\\u{ord(char):04x}")
