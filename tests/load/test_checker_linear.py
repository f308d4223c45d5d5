"""Patterns that take exponential time in Python: RE2 runs them; without it, only short texts are matched."""

import sys
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.load.validate.linear_regex import has_re2, linear, longest, refusal
from gitgpu.load.validate.patterns import _by_re2, _ByLength, compile_pattern
from tests.helping.cases import for_each
from tests.load.test_checker import ONLY_RE2, PATTERNS

HARD = (r"^(a+)+$", r"^(a|a|a)+$", r"^(a*)*$", r"^([a-z]+[a-z]+)+$", r"^(a?){30}a{30}$", r"(.*a){20}", r"^(a|aa)+$")
STEADY = (r"^[a-z]$", "^(Always|Never)$", "abc", "^a{3}$", "^[a-z]{1,5}$")


@pytest.fixture
def without_re2(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """RE2 is not installed."""
    cached = (has_re2, compile_pattern, _by_re2)
    monkeypatch.setitem(sys.modules, "re2", None)
    for function in cached:
        function.cache_clear()
    yield
    for function in cached:
        function.cache_clear()


@for_each("pattern", HARD)
def test_a_hard_pattern_is_matched_at_any_length(pattern: str) -> None:
    assert has_re2()
    assert compile_pattern(pattern).search("a" * 100_000 + "!") is None or not pattern.endswith("$")


@for_each("pattern", HARD)
def test_without_re2_a_hard_pattern_is_matched_only_with_short_texts(pattern: str) -> None:
    most = longest(pattern)
    assert most is not None
    assert most <= 12


@for_each("pattern", STEADY)
def test_a_pattern_with_linear_work_is_matched_with_every_text(pattern: str) -> None:
    assert longest(pattern) is None


def test_the_more_loops_the_shorter_the_text() -> None:
    bounds = [longest("a*" * number + "b") or 0 for number in range(1, 7)]
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] > 1000
    assert bounds[-1] < 12


@for_each(
    ("pattern", "most"),
    [
        ("a*", 3162), ("a+", 3162), ("a{2,}", 3162), ("(ab)*", 3162), ("((a)b)*", 3162), ("(a{2})*", 3162),
        (r"\*a*", 3162), ("[]*]a*", 3162), ("[^]a*]a*", 3162), (")a*", 3162),
        ("a*b*", 215), ("a*|b*", 170), ("a*b+c*", 56),
        ("(a|b)*", 12), ("(?:a|b)+", 12), ("(?P<x>a|b)*", 12), ("((a|b)c)*", 12), ("(a?)*", 12), ("(a{2,3})*", 12),
        ("(a?){12}", 12), ("(a?){13}", 0), ("(a|b){2}", 12), ("(a|b)c*", 2236), ("(a|(b|c))d*", 1581),
        ("a?", None), ("a{3}", None), ("a|b", None), ("(a|b|c)?", None), ("(a|b){1}", None), ("[*+?]", None),
        ("a{1,1000}b{1,9999}", None), ("a{1,1000}b{1,10000}", 1), ("a{1,1000}b{1,10001}c*", 1),
    ],
)  # fmt: skip
def test_the_longest_text(pattern: str, most: int | None) -> None:
    """Cases: unbounded loops, nested loops, and patterns with a bounded number of choices."""
    assert longest(pattern) == most


@pytest.mark.usefixtures("without_re2")
@pytest.mark.parametrize(("pattern", "matched", "missed"), PATTERNS)
def test_without_re2_most_patterns_have_the_same_meaning(pattern: str, matched: list[str], missed: list[str]) -> None:
    assert not has_re2()
    search = compile_pattern(pattern).search
    assert [text for text in matched if not search(text)] == []
    assert [text for text in missed if search(text)] == []


@pytest.mark.usefixtures("without_re2")
@pytest.mark.parametrize("pattern", [*(row[0] for row in ONLY_RE2), "(a", "a{99999999999}", "(" * 5000 + ")" * 5000])
def test_without_re2_syntax_that_python_does_not_have_is_an_error(pattern: str) -> None:
    with pytest.raises(ValueError, match=r"^pattern '"):
        compile_pattern(pattern)


@pytest.mark.usefixtures("without_re2")
def test_without_re2_python_searches_texts_of_any_length() -> None:
    assert compile_pattern("a+b").search("a" * 100 + "b")
    assert not compile_pattern("a+b").search("a" * 100)


@for_each(("pattern", "most"), [("a*", 64), ("a*b+c*", 28), ("(a+)+", 6), ("(a?){30}a", 0)])
def test_re2_searches_long_texts(pattern: str, most: int) -> None:
    """RE2 is not loaded for a short text. Python gets half of what it could search in half a second."""
    compiled = compile_pattern(pattern)
    assert isinstance(compiled, _ByLength)
    assert compiled.maximum == most
    by_length = _ByLength("long", compile_pattern("short"), 5)
    texts = ("short", "long", "short.", "long..")
    assert [text for text in texts if by_length.search(text)] == ["short", "long.."]


@for_each("pattern", ["(?=a)", r"(a)\1", "(a", "a**b{2", "(?<!a)b", "+", "[z-a]"])
def test_a_pattern_that_re2_rejects_is_reported_with_the_reason(pattern: str) -> None:
    assert refusal(pattern) or pattern == "a**b{2"


def test_the_reason_is_that_of_re2_and_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    assert refusal("(é") == "missing ): (é"
    assert capfd.readouterr() == ("", "")


@for_each("pattern", [r"\pL+", "[[:alpha:]]", r"\Aa\z", "(?i)a", "(?P<x>a)", ""])
def test_syntax_that_only_re2_supports_is_not_a_fault(pattern: str) -> None:
    assert not refusal(pattern)


@given(st.from_regex(r"\A\^?([ab]|[ab][*+?]|\([ab]+\)[*+?]?|\[ab\]\{1,2\}){1,4}\$?\Z"), st.text("abc", max_size=12))
@settings(max_examples=80)
def test_re2_and_the_translated_pattern_agree(pattern: str, text: str) -> None:
    assert bool(compile_pattern(pattern).search(text)) == bool(linear(pattern).search(text))
