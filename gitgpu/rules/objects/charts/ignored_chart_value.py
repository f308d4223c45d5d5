"""A value that the chart no longer uses."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_POLICY
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import chart_row, policies
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in (*releases(objects), *policies(objects)):
        for path, since in (chart_row(release, objects).get("ignored") or {}).items():
            parts = path.split(".")
            if release.value(*parts) is not None and _is_at_least(release, since):
                message = f"{path} is ignored as of version {since} of the chart"
                yield Finding(*release.locate(*parts), message, "remove it; use driver.kernelModuleType instead")


def _is_at_least(release: Release, since: str) -> bool:
    """Whether the release is at least that new. A ClusterPolicy has no version: a current operator is assumed."""
    if release.item.identity.kind == CLUSTER_POLICY.kind:
        return True
    return NUMBERS.match(release.version) is not None and version(release.version) >= version(since)


RULE = Rule(
    code="STK023",
    name="ignored-chart-value",
    severity=Severity.WARNING,
    summary="A release sets a value that its chart version accepts but ignores.",
    help="The setting looks active, but another field or a default applies.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/getting-started.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/api/nvidia/v1/clusterpolicy_types.go",
    ),
    check=_check,
)
