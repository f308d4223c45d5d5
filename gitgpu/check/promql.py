"""PromQL, read as far as rules need it: the series that a query names, and what stands around all of it."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)|(?P<text>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)"""
    r"""|(?P<word>[a-zA-Z_:][a-zA-Z0-9_:.]*)|(?P<number>[0-9][a-zA-Z0-9_.]*)|(?P<sign>=~|!~|!=|==|<=|>=|.)""",
    re.ASCII | re.DOTALL,
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
LISTS = ("by", "without", "on", "ignoring", "group_left", "group_right")
OTHER = ("and", "or", "unless", "atan2", "offset", "bool", "inf", "nan")
ONE = ("sum", "avg", "min", "max", "count", "group", "stddev", "stdvar", "quantile")
SEVERAL = ("topk", "bottomk", "count_values", "limitk", "limit_ratio")
TO_ONE = (*ONE, "scalar", "absent", "absent_over_time", "vector", "time")


class Token(NamedTuple):
    """A word, a text in quotes, a number or a sign."""

    kind: str
    text: str


class Series(NamedTuple):
    """A selector: the metric's name, "" for none, and the labels that it asks about."""

    metric: str
    labels: tuple[str, ...]


@cache
def tokens(query: str) -> tuple[Token, ...]:
    """What a query is made of."""
    found = TOKEN.finditer(query)
    return tuple(Token(one.lastgroup or "", one.group()) for one in found if one.lastgroup != "space")


def unreadable(query: str) -> str:
    """What makes a query unreadable for sure; "" for nothing."""
    open_: list[str] = []
    for token in tokens(query):
        if token.kind == "sign" and token.text in CLOSING:
            open_.append(token.text)
        elif token.kind == "sign" and token.text in CLOSING.values():
            if not open_ or CLOSING[open_.pop()] != token.text:
                return f"there is a {token.text} that closes nothing"
        elif token.kind == "sign" and token.text in ('"', "'", "`"):
            return f"a text begins with {token.text} and does not end"
    return f"a {open_[-1]} is not closed" if open_ else ""


@cache
def series(query: str) -> tuple[Series, ...]:
    """The selectors of a query, in order."""
    return tuple(_series(tokens(query)))


def aggregated(query: str) -> bool:
    """Is there anything in the query that makes one value of several?"""
    found = tokens(query)
    return any(one.kind == "word" and one.text.lower() in TO_ONE and _called(found, at) for at, one in enumerate(found))


def outermost(query: str) -> tuple[str, tuple[str, ...]]:
    """The aggregation that the whole query is, and by which labels; "" where it is none, or more than that."""
    found = _bare(tokens(query))
    if len(found) < 3 or found[0].text.lower() not in (*ONE, *SEVERAL):
        return "", ()
    at, labels = _grouping(found, 1)
    if at >= len(found) or found[at].text != "(":
        return "", ()
    end = _end(found, at)
    after, more = _grouping(found, end + 1)
    return (found[0].text.lower(), labels or more) if after == len(found) else ("", ())


def _series(found: Sequence[Token]) -> Iterator[Series]:
    at = 0
    while at < len(found):
        token = found[at]
        if token.text == "[" or (token.kind == "word" and token.text.lower() in LISTS and _opens(found, at + 1, "(")):
            at = _end(found, at if token.text == "[" else at + 1)
        elif token.text == "{":
            yield _selector("", found[at + 1 : _end(found, at)])
            at = _end(found, at)
        elif token.kind == "word" and not _called(found, at) and token.text.lower() not in OTHER:
            braces = _opens(found, at + 1, "{")
            yield _selector(token.text, found[at + 2 : _end(found, at + 1)] if braces else ())
            at = _end(found, at + 1) if braces else at
        at += 1


def _selector(metric: str, inside: Sequence[Token]) -> Series:
    labels = []
    for at, token in enumerate(inside[:-2]):
        if inside[at + 1].text in ("=", "!=", "=~", "!~") and token.kind in ("word", "text"):
            labels.append(token.text.strip("\"'`"))
            if labels[-1] == "__name__" and inside[at + 1].text == "=":
                metric = inside[at + 2].text.strip("\"'`")
    return Series(metric, tuple(labels))


def _called(found: Sequence[Token], at: int) -> bool:
    """Is the word a function or an aggregation, which has its arguments or its labels next?"""
    following = found[at + 1].text.lower() if at + 1 < len(found) else ""
    return following == "(" or (following in ("by", "without") and _opens(found, at + 2, "("))


def _grouping(found: Sequence[Token], at: int) -> tuple[int, tuple[str, ...]]:
    """Past `by (...)` or `without (...)`, when it stands there, and the labels of `by`; one for `without`."""
    if at >= len(found) or found[at].text.lower() not in ("by", "without") or not _opens(found, at + 1, "("):
        return at, ()
    end = _end(found, at + 1)
    labels = tuple(one.text for one in found[at + 2 : end] if one.kind in ("word", "text"))
    return end + 1, labels if found[at].text.lower() == "by" else ("others",)


def _bare(found: tuple[Token, ...]) -> tuple[Token, ...]:
    """Without parentheses around all of it."""
    while len(found) > 1 and found[0].text == "(" and _end(found, 0) == len(found) - 1:
        found = found[1:-1]
    return found


def _opens(found: Sequence[Token], at: int, bracket: str) -> bool:
    return at < len(found) and found[at].text == bracket


def _end(found: Sequence[Token], at: int) -> int:
    """Where the bracket that opens here is closed; the last place when it never is."""
    depth = 0
    for place in range(at, len(found)):
        if found[place].kind == "sign":
            depth += (found[place].text in CLOSING) - (found[place].text in CLOSING.values())
        if depth == 0:
            return place
    return len(found) - 1
