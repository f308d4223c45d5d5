"""PromQL, as far as a rule must read it: which series a query asks for, and whether it sums them up."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_TOKEN = re.compile(
    r"""(?P<space>\s+|\#[^\n]*)
    |(?P<string>"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`)
    |(?P<number>(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)(?![\w.])|\d+[\w.]*)
    |(?P<name>[a-zA-Z_:][a-zA-Z0-9_:]*)
    |(?P<sign>=~|!~|!=|==|<=|>=|[-+*/%^<>=(){}\[\],@.])
    |(?P<other>.)""",
    re.VERBOSE | re.DOTALL,
)
_GROUPINGS = {"by", "without", "on", "ignoring", "group_left", "group_right"}
_SIDES = {"by", "without"}
_WORDS = {"and", "or", "unless", "bool", "offset", "atan2", "inf", "nan", "start", "end", *_GROUPINGS}
_COMPARISONS = {"==", "!=", "<", ">", "<=", ">="}
_ARITHMETIC = {"+", "-", "*", "/", "%", "^", "==", "!=", "<", ">", "<=", ">="}
AGGREGATIONS = {"avg", "count", "group", "max", "min", "quantile", "stddev", "stdvar", "sum"}
KEEPING = {
    *("abs", "avg_over_time", "ceil", "clamp", "clamp_max", "clamp_min", "delta", "deriv", "floor", "idelta"),
    *("increase", "irate", "last_over_time", "max_over_time", "min_over_time", "rate", "round", "sum_over_time"),
}  # functions that give one value for every series


class Token(NamedTuple):
    """A piece of the text: its kind (string, number, name, sign, other) and itself."""

    kind: str
    text: str


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
    """A metric and what is asked of its labels."""

    metric: str
    matchers: tuple[Matcher, ...]


class Shape(NamedTuple):
    """What a whole expression is: an aggregation or function (`name`) of `inner`, kept apart by the labels of `by`."""

    name: str
    by: tuple[str, ...]
    without: bool
    inner: tuple[Token, ...]


def tokens(text: str) -> tuple[Token, ...]:
    """The text in pieces, without space and comments."""
    found = ((match.lastgroup or "other", match[0]) for match in _TOKEN.finditer(text))
    return tuple(Token(kind, piece) for kind, piece in found if kind != "space")


def selectors(given: Sequence[Token]) -> Iterator[Selector]:
    """Every selector of a query, in order."""
    at = 0
    while at < len(given):
        kind, text = given[at]
        follows = given[at + 1].text if at + 1 < len(given) else ""
        if text in _GROUPINGS and follows == "(":
            at = _close(given, at + 1)
        elif text == "[":
            at = _close(given, at)
        elif text == "{":
            end = _close(given, at)
            yield _selector("", given[at + 1 : end])
            at = end
        elif kind == "name" and follows == "{":
            end = _close(given, at + 1)
            yield _selector(text, given[at + 2 : end])
            at = end
        elif kind == "name" and follows != "(" and follows not in _SIDES and text.lower() not in _WORDS:
            yield Selector(text, ())
        at += 1


def shape(given: tuple[Token, ...]) -> Shape | None:
    """What the whole expression is, when it is one aggregation or one function; None for everything else."""
    inside = bare(given)
    if not inside or inside[0].kind != "name":
        return None
    by, without, at = _grouping(inside, 1)
    if at >= len(inside) or inside[at].text != "(":
        return None
    end = _close(inside, at)
    after, after_without, last = _grouping(inside, end + 1)
    return (
        Shape(inside[0].text, by or after, without or after_without, inside[at + 1 : end])
        if last == len(inside)
        else None
    )


def operands(given: tuple[Token, ...]) -> list[tuple[Token, ...]] | None:
    """What an arithmetic expression combines; one part when it combines nothing, None with set operators."""
    inside, parts, depth, start = bare(given), [], 0, 0
    for at, (kind, text) in enumerate(inside):
        depth += (text in "([{") - (text in ")]}") if kind == "sign" else 0
        if depth == 0 and kind == "name" and text in ("and", "or", "unless"):
            return None
        if depth == 0 and kind == "sign" and text in _ARITHMETIC:
            parts.append(inside[start:at])
            start = at + 1
    return [part for part in (*parts, inside[start:]) if part]


def comparison(given: tuple[Token, ...]) -> tuple[tuple[Token, ...], float] | None:
    """What an expression holds against a number, and the number; None when that is not all it does."""
    inside = bare(given)
    at = next((at for at, one in enumerate(inside) if one.kind == "sign" and one.text in _COMPARISONS), -1)
    left, right = inside[:at], inside[at + 1 :]
    if at < 0 or len(right) != 1 or right[0].kind != "number" or len(operands(left) or ()) != 1:
        return None
    try:
        return left, float(right[0].text)
    except ValueError:
        return None


def bare(given: tuple[Token, ...]) -> tuple[Token, ...]:
    """The same without brackets around the whole."""
    while len(given) > 1 and given[0].text == "(" and _close(given, 0) == len(given) - 1:
        given = given[1:-1]
    return given


def _grouping(given: Sequence[Token], at: int) -> tuple[tuple[str, ...], bool, int]:
    if at + 1 >= len(given) or given[at].text not in _SIDES or given[at + 1].text != "(":
        return (), False, at
    end = _close(given, at + 1)
    names = tuple(one.text for one in given[at + 2 : end] if one.kind == "name")
    without = given[at].text == "without"
    return (() if without else names), without, end + 1


def _close(given: Sequence[Token], at: int) -> int:
    depth = 0
    for end in range(at, len(given)):
        kind, text = given[end]
        depth += (text in "([{") - (text in ")]}") if kind == "sign" else 0
        if depth == 0:
            return end
    return len(given)


def _selector(metric: str, inside: Sequence[Token]) -> Selector:
    found = []
    for label, operator, value in zip(inside, inside[1:], inside[2:], strict=False):
        if operator.text in ("=", "!=", "=~", "!~") and value.kind == "string":
            found.append(Matcher(label.text.strip("\"'"), operator.text, value.text[1:-1]))
    named = next((one.value for one in found if one.label == "__name__" and one.operator == "="), "")
    return Selector(metric or named, tuple(one for one in found if one.label != "__name__"))
