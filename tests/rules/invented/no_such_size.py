"""A rule for tests of formats, with words that some of them have to escape."""

from collections.abc import Iterator
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.rule import AnyRule, Rule


def _check(_: Any) -> Iterator[Any]:
    return iter(())


RULE: AnyRule = Rule(
    code="SKU004",
    name="no-such-size",
    severity=Severity.ERROR,
    summary="a size, that: Azure does not have",
    help="Azure has [other](sizes).",
    sources=("https://example.com/sizes",),
    check=_check,
)
