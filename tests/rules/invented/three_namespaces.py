"""A rule for tests of visibility: it has to see one object, several, or all for each of its findings."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    every = list(objects.of("", "Namespace"))
    for at, item in enumerate(every):
        seen = (True, len(every) > 1, objects.closed)[at]
        if seen:
            yield Finding(item, ("kind",), "m", "h")


RULE = Rule(
    code="ABC002",
    name="three-namespaces",
    severity=Severity.INFO,
    summary="There is a Namespace.",
    help="Why it is wrong.",
    sources=(),
    check=_check,
)
