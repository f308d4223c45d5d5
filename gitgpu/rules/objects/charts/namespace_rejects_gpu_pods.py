"""A namespace whose Pod Security level rejects the pods of a GPU chart."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NAMESPACE
from gitgpu.model.names.labels import POD_SECURITY_ENFORCE_LABEL
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_STRICT = ("baseline", "restricted")  # the levels that allow no privileged container


def _check(objects: Objects) -> Iterator[Finding]:
    charts: dict[str, str] = {}
    for release in releases(objects):
        is_privileged = chart_row(release, objects).get("privileged")
        # With psa.enabled, the GPU Operator labels its namespace as privileged.
        if is_privileged and not effective_value(release, objects, "psa", "enabled"):
            charts[release.namespace] = release.chart
    for item in objects.of(*NAMESPACE):
        level = reach(item.body, "metadata", "labels", POD_SECURITY_ENFORCE_LABEL)
        if level in _STRICT and item.identity.name in charts:
            message = f"Pod Security level {level} rejects the pods of chart {charts[item.identity.name]}"
            remedy = f"set {POD_SECURITY_ENFORCE_LABEL}: privileged"
            yield Finding(item, ("metadata", "labels", POD_SECURITY_ENFORCE_LABEL), message, remedy)


RULE = Rule(
    code="STK014",
    name="namespace-rejects-gpu-pods",
    severity=Severity.ERROR,
    summary="A namespace enforces a Pod Security level that rejects the pods of the GPU chart in it.",
    help="Drivers, device plugins and exporters mount host paths or run privileged, which the levels baseline and "
    "restricted forbid. Pod Security denies their pods, and the DaemonSets have no pods.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/install-gpu-operator.rst",
        "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    ),
    check=_check,
)
