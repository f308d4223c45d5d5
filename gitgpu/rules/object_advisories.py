"""The advisories of the catalog about objects, as a rule whose findings have the codes of the advisories."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.software.advisories import Verdict
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.advised import applicable_advisories
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import count_text


def _check(objects: Objects) -> Iterator[Finding]:
    """Each advisory that certainly applies and that no rule reports, at the first of the objects that are alike."""
    for advisory, (item, pointer, title, _), found, number in applicable_advisories(objects):
        if found.verdict is Verdict.YES and not advisory.rules:
            others = f", and {count_text(number, 'other object')} like it" if number else ""
            message = f"{title}{others}: {advisory.effect}"
            remedy, severity = advisory.remedy, advisory.severity
            yield Finding(item, pointer, message, remedy, severity=severity, code=advisory.id)


ADVISORIES = Rule(
    code="ADV",
    name="known-bad-combination",
    severity=Severity.WARNING,
    summary="An advisory of the catalog applies.",
    help="Each advisory has its own code, reason and sources.",
    sources=(),
    check=_check,
)
