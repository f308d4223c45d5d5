"""A chart in the namespace default, which the chart does not allow."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.delivery.application_sources import spec_place
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_ALLOWS = "allowDefaultNamespace"  # a value of the charts that check their namespace


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        refuses = _ALLOWS in (chart_row(release, objects).get("defaults") or {})
        # Other values, such as those of valuesFrom, may set allowDefaultNamespace.
        asked = (
            release.whole and not release.value("namespaceOverride") and not effective_value(release, objects, _ALLOWS)
        )
        if refuses and asked and release.namespace == "default":
            message = f"the chart {release.chart} does not install in the namespace default"
            yield Finding(release.item, _place(release), message, "install it in its own namespace")


def _place(release: Release) -> Pointer:
    if "helm" in release.pointer:
        return (*spec_place(release.item.body), "destination", "namespace")
    if release.pointer == ("values",):
        return ("namespace",)
    spec = release.item.body["spec"]
    return ("spec", "targetNamespace") if spec.get("targetNamespace") else ("metadata", "namespace")


RULE = Rule(
    code="STK013",
    name="chart-in-default-namespace",
    severity=Severity.ERROR,
    summary="A release installs a chart in the namespace default, which the chart does not allow.",
    help="NVIDIA's charts for the device plugin and the DRA driver fail there, unless allowDefaultNamespace is true. "
    "The release never becomes Ready.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/validation.yml",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml",
    ),
    check=_check,
)
