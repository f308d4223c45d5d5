"""A rule for tests of pages, with variants and near misses."""

from collections.abc import Iterator
from typing import Any

from gitgpu.diagnostic import Severity
from gitgpu.rule import AnyRule, Rule


def _check(_: Any) -> Iterator[Any]:
    return iter(())


RULE: AnyRule = Rule(
    code="ABC001",
    name="a-name",
    severity=Severity.WARNING,
    summary="Something is wrong.",
    help="Why it is.",
    sources=("https://a.com", "https://b.com"),
    check=_check,
    replaces=("ABC002", "ABC003"),
)
