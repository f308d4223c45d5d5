"""Queries as rules read them."""

import pytest

from gitgpu.conform.promql import Matcher, comparison, operands, selectors, shape, tokens

SELECTORS = {
    "a metric alone": ("up", ["up"]),
    "with labels": ('sum(rate(a{b="c", d=~"e|f"}[5m]))', ["a"]),
    "grouping labels are none": ("sum by (pod, node) (a) / on (pod) group_left (team) b", ["a", "b"]),
    "grouping after the brackets": ("sum(a) without (pod)", ["a"]),
    "by name": ('{__name__="a", pod!=""}', ["a"]),
    "offset and subquery": ("max_over_time(a[1h:5m] offset 1d) unless b", ["a", "b"]),
    "comments and strings": ('a{x="by (b)"} # c\n', ["a"]),
    "words of the language": ("a > bool 1 and inf", ["a"]),
    "numbers with units": ("a * 1e3 + 0x10 > 5", ["a"]),
    "nothing": ("", []),
    "no end": ('sum(a{b="c"', ["a"]),
}


@pytest.mark.parametrize(("text", "expected"), SELECTORS.values(), ids=SELECTORS)
def test_which_metrics_a_query_asks_for(text: str, expected: list[str]) -> None:
    assert [one.metric for one in selectors(tokens(text))] == expected


@pytest.mark.parametrize(
    ("operator", "value", "wants"),
    [
        ("=", "a", True),
        ("=", "", False),
        ("=~", "a.*", True),
        ("=~", ".*", False),
        ("!=", "", True),
        ("!=", "a", False),
    ],
)
def test_which_matchers_need_the_label(operator: str, value: str, wants: bool) -> None:
    (one,) = selectors(tokens(f'm{{l{operator}"{value}"}}'))
    assert one.matchers == (Matcher("l", operator, value),)
    assert one.matchers[0].wants_label is wants


def test_the_shape_of_a_query() -> None:
    summed, after, other = (shape(tokens(text)) for text in ("((sum by (a, b) (c)))", "max(c) by (a)", "sum(a) + 1"))
    assert summed
    assert (summed.name, summed.by, summed.without) == ("sum", ("a", "b"), False)
    assert after
    assert (after.name, after.by) == ("max", ("a",))
    assert other is None
    assert shape(tokens("a")) is None


def test_what_a_query_combines() -> None:
    assert len(operands(tokens("(100 * sum(a - b) / c)")) or ()) == 3
    assert operands(tokens("a and b")) is None


def test_what_is_held_against_a_number() -> None:
    found = comparison(tokens("(avg by (Hostname) (a) >= 2.5)"))
    assert found
    assert found[1] == 2.5
    assert comparison(tokens("a > b")) is None
    assert comparison(tokens("1 < a")) is None
    assert comparison(tokens("a * 2 > 1")) is None
