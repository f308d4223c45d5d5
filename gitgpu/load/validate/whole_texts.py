"""Patterns that must match a whole text, as in targets of Kustomize patches and in matchers of PromQL."""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

from gitgpu.load.validate.linear_regex import has_re2, longest, refusal
from gitgpu.load.validate.patterns import compile_pattern


class WholePattern(NamedTuple):
    """The longest text to search (None for any length), and the search function, or None for an invalid pattern."""

    longest: int | None
    search: Callable[[str], Any] | None

    @property
    def is_valid(self) -> bool:
        """Whether it is a regular expression."""
        return self.search is not None

    def matches(self, text: str) -> bool:
        """Whether it matches the whole text. If Python's engine may take too long, it does not match a long text."""
        return (
            (self.longest is None or len(text) <= self.longest) and self.search is not None and bool(self.search(text))
        )


@cache
def whole(pattern: str) -> WholePattern:
    """The pattern, anchored at both ends."""
    anchored = f"^(?:{pattern})$"
    try:
        compiled = compile_pattern(anchored)
    except ValueError:  # no text matches such a pattern
        return WholePattern(None, None)
    is_linear = has_re2() and not refusal(anchored)
    return WholePattern(None if is_linear else longest(anchored), compiled.search)
