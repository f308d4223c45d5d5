"""Values that the chart of the NVIDIA DRA driver rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import DRA, chart_row, effective_dotted_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_WEBHOOK = ("cert-manager", "secret")
_GONE = {
    "namespace": "set the namespace of the release",
    "nvidiaCtkPath": "remove it: the driver includes this program",
}


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        if release.whole and chart_row(release, objects).get("name") == DRA:
            yield from _gpu_findings(release, objects)
            for key, remedy in _GONE.items():
                if release.value(key):
                    message = f"the chart no longer accepts {key}"
                    yield Finding(*release.locate(key), message, remedy)
            mode = release.value("webhook", "tls", "mode")
            if release.value("webhook", "enabled") is True and mode is not None and mode not in _WEBHOOK:
                message = f"unknown webhook.tls.mode {mode}"
                yield Finding(*release.locate("webhook", "tls", "mode"), message, "use cert-manager or secret")


def _gpu_findings(release: Release, objects: Objects) -> Iterator[Finding]:
    on = effective_dotted_value(release, objects, "resources.gpus.enabled") is True
    if on and not effective_dotted_value(release, objects, "gpuResourcesEnabledOverride"):
        message = "resources.gpus is enabled, which the chart rejects without gpuResourcesEnabledOverride"
        remedy = (
            "set resources.gpus.enabled: false, or set gpuResourcesEnabledOverride: true if there is no device plugin"
        )
        yield Finding(*release.locate("resources", "gpus", "enabled"), message, remedy)


RULE = Rule(
    code="STK021",
    name="invalid-dra-driver-values",
    severity=Severity.ERROR,
    summary="A release of the NVIDIA DRA driver sets values that its chart rejects, or lacks a required one.",
    help="Allocating whole GPUs by claim conflicts with a device plugin on the same node, so the chart requires an "
    "explicit confirmation, although the setting is on by default. It also rejects values that were removed.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
    ),
    check=_check,
)
