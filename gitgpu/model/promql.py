"""PromQL, as far as a rule must read it: the series that a query asks for, and what stands around all of it."""

import re
from functools import cache
from itertools import accumulate
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)
    |(?P<number>(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)(?![\w.])|\d+[\w.]*)
    |(?P<name>[a-zA-Z_:][a-zA-Z0-9_:.]*)
    |(?P<sign>=~|!~|!=|==|<=|>=|.)""",
    re.ASCII | re.DOTALL | re.VERBOSE,
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_SIDES = ("by", "without")
_LISTS = (*_SIDES, "on", "ignoring", "group_left", "group_right")
_SETS = ("and", "or", "unless")
_WORDS = (*_SETS, "atan2", "offset", "bool", "inf", "nan", "group_left", "group_right")  # no series, without a bracket
_COMPARISONS = ("==", "!=", "<", ">", "<=", ">=")
_ARITHMETIC = ("+", "-", "*", "/", "%", "^", *_COMPARISONS)
AGGREGATIONS = ("avg", "count", "group", "max", "min", "quantile", "stddev", "stdvar", "sum")
SEVERAL = ("topk", "bottomk", "count_values", "limitk", "limit_ratio")
_TO_ONE = (*AGGREGATIONS, "scalar", "absent", "absent_over_time", "vector", "time")


class Token(NamedTuple):
    """A piece of a query: its kind (string, number, name, sign) and itself."""

    kind: str
    text: str

    @property
    def word(self) -> str:
        """A word of the language in small letters, as it does not depend on them; "" for what is no word."""
        return self.text.lower() if self.kind == "name" else ""

    @property
    def depth(self) -> int:
        """How many brackets deeper it leads."""
        return (self.text in _CLOSING) - (self.text in _CLOSING.values()) if self.kind == "sign" else 0


Tokens = tuple[Token, ...]


class Matcher(NamedTuple):
    """What a selector asks of one label."""

    label: str
    operator: str
    value: str

    @property
    def wants_label(self) -> bool:
        """Do series without the label not match?"""
        empty = self.value in ("", ".*") if self.operator == "=~" else self.value == ""
        return empty if self.operator == "!=" else self.operator in ("=", "=~") and not empty


class Selector(NamedTuple):
    """A metric, "" for none, and what is asked of its labels."""

    metric: str
    matchers: tuple[Matcher, ...]


class Shape(NamedTuple):
    """What a whole expression is: an aggregation or function (`name`) of `inner`, kept apart by the labels of `by`."""

    name: str
    by: tuple[str, ...]
    without: bool
    inner: Tokens


@cache
def tokens(query: str) -> Tokens:
    """What a query is made of, without space and comments."""
    found = _TOKEN.finditer(query)
    return tuple(Token(one.lastgroup or "", one[0]) for one in found if one.lastgroup != "space")


def unreadable(query: str) -> str:
    """What makes a query unreadable for sure; "" for nothing."""
    open_: list[str] = []
    for token in tokens(query):
        if token.depth > 0:
            open_.append(token.text)
        elif token.depth < 0 and (not open_ or _CLOSING[open_.pop()] != token.text):
            return f"there is a {token.text} that closes nothing"
        elif token.kind == "sign" and token.text in ('"', "'", "`"):
            return f"a text begins with {token.text} and does not end"
    return f"a {open_[-1]} is not closed" if open_ else ""


@cache
def selectors(given: Tokens) -> tuple[Selector, ...]:
    """Every selector of a query, in order."""
    found, at = [], 0
    while at < len(given):
        one, follows = given[at], _text(given, at + 1)
        if one.text == "[" or (one.word in _LISTS and follows == "("):
            at = _close(given, at if one.text == "[" else at + 1)
        elif one.text == "{" or (one.kind == "name" and follows == "{"):
            start = at if one.text == "{" else at + 1
            at = _close(given, start)
            found.append(_selector(one.text if one.kind == "name" else "", given[start + 1 : at]))
        elif one.kind == "name" and not _called(given, at) and one.word not in _WORDS:
            found.append(Selector(one.text, ()))
        at += 1
    return tuple(found)


def aggregated(given: Tokens) -> bool:
    """Is there anything in the query that makes one value of several?"""
    return any(one.word in _TO_ONE and _called(given, at) for at, one in enumerate(given))


def shape(given: Tokens) -> Shape | None:
    """What the whole expression is, when it is one aggregation or one function; None for everything else."""
    inside = _bare(given)
    if not inside or inside[0].kind != "name":
        return None
    by, without, at = _grouping(inside, 1)
    if _text(inside, at) != "(":
        return None
    end = _close(inside, at)
    after, after_without, last = _grouping(inside, end + 1)
    whole = Shape(inside[0].word, by or after, without or after_without, inside[at + 1 : end])
    return whole if last == len(inside) else None


def operands(given: Tokens) -> list[Tokens] | None:
    """What an arithmetic expression combines; one part when it combines nothing, None with set operators."""
    inside, parts, depth, start = _bare(given), [], 0, 0
    for at, one in enumerate(inside):
        depth += one.depth
        if depth == 0 and one.word in _SETS:
            return None
        if depth == 0 and one.kind == "sign" and one.text in _ARITHMETIC:
            parts.append(inside[start:at])
            start = at + 1
    return [part for part in (*parts, inside[start:]) if part]


def comparison(given: Tokens) -> tuple[Tokens, float] | None:
    """What an expression holds against a number, and the number; None when that is not all it does."""
    inside = _bare(given)
    at = next((at for at, one in enumerate(inside) if one.kind == "sign" and one.text in _COMPARISONS), -1)
    left, right = inside[:at], inside[at + 1 :]
    if at < 0 or len(right) != 1 or right[0].kind != "number" or len(operands(left) or ()) != 1:
        return None
    try:
        return left, float(right[0].text)
    except ValueError:
        return None


def _bare(given: Tokens) -> Tokens:
    """The same without brackets around the whole."""
    while len(given) > 1 and given[0].text == "(" and _close(given, 0) == len(given) - 1:
        given = given[1:-1]
    return given


def _called(given: Tokens, at: int) -> bool:
    """Is the word a function or an aggregation, which has its arguments or its labels next?"""
    follows = _text(given, at + 1)
    return follows == "(" or (follows.lower() in _SIDES and _text(given, at + 2) == "(")


def _grouping(given: Tokens, at: int) -> tuple[tuple[str, ...], bool, int]:
    """The labels of `by (...)` when it stands here, whether it is `without (...)`, and the place past either."""
    side = _text(given, at).lower()
    if side not in _SIDES or _text(given, at + 1) != "(":
        return (), False, at
    end = _close(given, at + 1)
    names = tuple(one.text.strip("\"'`") for one in given[at + 2 : end] if one.kind in ("name", "string"))
    return names if side == "by" else (), side == "without", end + 1


def _selector(metric: str, inside: Tokens) -> Selector:
    found = []
    for label, operator, value in zip(inside, inside[1:], inside[2:], strict=False):
        if operator.text in ("=", "!=", "=~", "!~") and value.kind == "string":
            found.append(Matcher(label.text.strip("\"'`"), operator.text, value.text[1:-1]))
    named = next((one.value for one in found if one.label == "__name__" and one.operator == "="), "")
    return Selector(metric or named, tuple(one for one in found if one.label != "__name__"))


def _text(given: Tokens, at: int) -> str:
    return given[at].text if at < len(given) else ""


def _close(given: Tokens, at: int) -> int:
    """Where the bracket that opens here is closed; past the end when it never is."""
    depths = accumulate(one.depth for one in given[at:])
    return next((end for end, depth in enumerate(depths, at) if depth == 0), len(given))
