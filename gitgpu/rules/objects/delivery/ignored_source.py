"""A source of an Application that is ignored."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import APPLICATION
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

# From the one that Argo CD prefers: GetSources in its types.go.
_BY_PREFERENCE = ("sourceHydrator", "sources", "source")


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION):
        present = [key for key in _BY_PREFERENCE if reach(item.body, "spec", key)]
        for key in present[1:]:
            message = f"{key} is ignored, because {present[0]} is set as well"
            remedy = "move it to sources, or remove it" if present[0] == "sources" else "remove it"
            yield Finding(item, ("spec", key), message, remedy, at_key=True)


RULE = Rule(
    code="GIT004",
    name="ignored-source",
    severity=Severity.WARNING,
    summary="An Argo CD Application has more than one of source, sources and sourceHydrator.",
    help="Argo CD uses sourceHydrator if it is set, otherwise sources, and does not report that it ignores the others.",
    sources=(
        "https://github.com/argoproj/argo-cd/blob/109ca7ca71139e514114499d294a492e7910a965/pkg/apis/application/v1alpha1/types.go",
        "https://argo-cd.readthedocs.io/en/stable/user-guide/multiple_sources/",
    ),
    check=_check,
)
