"""A source of an Application that is ignored."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION):
        if reach(item.body, "spec", "source") and reach(item.body, "spec", "sources"):
            message = "source is ignored, because sources is set as well"
            yield Finding(item, ("spec", "source"), message, "move it to sources, or remove it", at_key=True)


RULE = Rule(
    code="GIT004",
    name="ignored-source",
    severity=Severity.WARNING,
    summary="An Argo CD Application has both source and sources.",
    help="Argo CD uses sources if it is set, and does not report that it ignores source.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/pkg/apis/application/v1alpha1/types.go",
        "https://argo-cd.readthedocs.io/en/stable/user-guide/multiple_sources/",
    ),
    check=_check,
)
