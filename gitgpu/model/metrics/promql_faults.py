"""Why Prometheus rejects a query, and at which place."""

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import NamedTuple
from warnings import catch_warnings

from gitgpu.model.metrics.promql_text import Token, for_parser, outline, parse_query, parse_safe_query, tokens

_MAX_TOKENS = 200  # tokens of a query whose fault is located: each step of the search parses it about 100 times
_CLOSING = {"(": ")", "[": "]", "{": "}"}
# The beginning of a query has no fault if one of these, and closing brackets, make it a valid query.
_OPERANDS = ("", "x", "(x)", "[5m]", "x[5m]", '"s"', "1", "5m", "5m]", ":5m]", '="s"', 'l="s"', "(l)(x)", "(x[5m])")
_ARGUMENTS = (
    "",
    ",x",
    ",1",
    ",1,1",
    ",x[5m]",
    ',"s"',
    ',"s","s"',
    ',"s","s","s"',
    ',"s","s","s","s"',
    "[5m]",
    "(x)",
    "+x",
)
# Prometheus accepts these, some behind a feature flag, but the parser does not: arithmetic with durations; the
# operators and modifiers as of 3.9; selectors in info(...), which may be empty; a label with the name `or`.
_NEWER = re.compile(
    r"""\[[^]"]*[-+*/%^(]  |  \boffset\s*[-+]?\s*(?:[-+(]|\w+\s*\()  |  \[\s\.  |  \bor\s[!=]
    |  </  |  >/  |  \b(?:anchored|smoothed|fill\w*)\b  |  \binfo\s*\(""",
    re.VERBOSE | re.IGNORECASE,
)
# Errors of the parser about what Prometheus accepts: group labels with a colon, 01e3, a duration of 0 as a number.
_STRICTER = re.compile(r":\S* is not valid label|ParseFloatError|duration must be greater")
_TYPES = {"matrix": "range vector", "vector": "instant vector"}
_REMEDIES = {
    r"inside brackets: '\$'": "use a duration such as [5m]: $ variables work only in Grafana dashboards",
    r"'\$'": "use the value instead of the variable: $ variables work only in Grafana dashboards",
    r"got range vector": "put the range into a function, such as rate(...) or avg_over_time(...)",
    r"expected type range vector": "give the function a range, such as [5m]",
    r"unexpected '=' in label matching": 'use one = in the braces, as in service="app"; == compares values',
    r"in label matching, expected string": 'put the value of the label in quotes, as in service="app"',
    r"bad number or duration|missing unit": "write the duration as a number and ms, s, m, h, d, w or y, such as 5m",
    r"unknown escape": r'write each backslash twice, as in "\\d", or put the text between backticks',
    r"must use BOOL": "add bool after the operator, as in 1 > bool 2",
    r"unclosed|unterminated|end of input inside|unexpected right": "close all brackets and quotes",
}
_OTHERWISE = "correct the query there, and try it in Prometheus before you commit it"


class Refusal(NamedTuple):
    """Why a query is rejected, with the place in it, and what to write."""

    reason: str
    remedy: str


@cache
def refusal(query: str) -> Refusal | None:
    """Why Prometheus rejects a query; None if it accepts it, or may accept it."""
    pieces = tokens(query)
    fault = _fault(query)
    if not fault or _STRICTER.search(fault) or _NEWER.search(outline(pieces)) or _is_other_regex(fault):
        return None
    remedy = next((text for pattern, text in _REMEDIES.items() if re.search(pattern, fault)), _OTHERWISE)
    return Refusal(_placed(fault, query, pieces), remedy)


def _fault(query: str) -> str:
    """The parser's error about a query, with Prometheus' names of types, or ""."""
    return re.sub(r"(?<=type |.got )(matrix|vector)\b", lambda match: _TYPES[match[0]], parse_query(query).error)


def _is_other_regex(fault: str) -> bool:
    """Whether the fault is a regular expression that Prometheus' engine may accept, although Rust's does not."""
    pattern = fault.partition("illegal regex for ")[2]
    if not pattern:
        return False
    try:
        with catch_warnings(action="ignore"):
            re.compile(pattern)
    except re.error:
        return bool(re.search(r"\\[QEC]|\(\?|\[\[:|\\[pPz]", pattern))
    return True


def _placed(fault: str, query: str, pieces: tuple[Token, ...]) -> str:
    unplaced = fault == "invalid promql query"
    if len(pieces) > _MAX_TOKENS or not pieces:
        return "it is not PromQL" if unplaced else fault
    first, last = 0, len(pieces)  # the first `first` tokens have no fault, but the first `last` do
    if _may_go_on(query, pieces):
        return "it ends unexpectedly" if unplaced else fault
    while last - first > 1:
        middle = (first + last) // 2
        first, last = (middle, last) if _may_go_on(query, pieces[:middle]) else (first, middle)
    reason = f"unexpected {pieces[first].text}" if unplaced else fault
    return f"{reason} ({_place(query, pieces[first])})"


def _may_go_on(query: str, pieces: tuple[Token, ...]) -> bool:
    """Whether there is a valid query that begins with these tokens."""
    open_: list[str] = []
    for piece in pieces:
        if piece.text in _CLOSING:
            open_.append(piece.text)
        elif open_ and piece.text == _CLOSING[open_[-1]]:
            open_.pop()
    closing = "".join(_CLOSING[name] for name in reversed(open_))
    start = for_parser(query[: pieces[-1].end])
    return any(parse_safe_query(f"{start} {end}").tree for end in _ends(closing))


def _ends(closing: str) -> Iterator[str]:
    """What may follow the beginning of a query: an operand, arguments in or after the innermost bracket, brackets."""
    inner, outer = closing[:1], closing[1:]
    brackets = (("", closing), (inner, outer)) if closing else (("", ""),)
    for (before, after), arguments, operand in product(brackets, _ARGUMENTS, _OPERANDS):
        yield f"{operand}{before}{arguments}{after}"


def _place(query: str, piece: Token) -> str:
    line, column = query.count("\n", 0, piece.start) + 1, piece.start - query.rfind("\n", 0, piece.start)
    at = f"column {column} of the query" if "\n" not in query.strip() else f"line {line}, column {column} of the query"
    return at if piece.text.startswith("'") else f"{at}, at '{piece.text[:20]}'"
