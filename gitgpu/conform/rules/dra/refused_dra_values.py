"""Values with which the DRA driver's chart does not install."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import DRA, chart_row, effective_dotted_value, value_place
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_WEBHOOK = ("cert-manager", "secret")
_GONE = {
    "namespace": "set the namespace of the release",
    "nvidiaCtkPath": "remove it: the driver brings this program along",
}


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects):
        if release.whole and chart_row(release, objects).get("name") == DRA:
            yield from _gpus(release, objects)
            for key, remedy in _GONE.items():
                if release.value(key):
                    message = f"the chart no longer takes {key}"
                    yield Finding(release.item, release.place(key), message, remedy)
            mode = release.value("webhook", "tls", "mode")
            if release.value("webhook", "enabled") is True and mode is not None and mode not in _WEBHOOK:
                message = f"webhook.tls.mode is {mode}"
                yield Finding(
                    release.item, release.place("webhook", "tls", "mode"), message, "write cert-manager or secret"
                )


def _gpus(release: Release, objects: Objects) -> Iterator[Finding]:
    on = effective_dotted_value(release, objects, "resources.gpus.enabled") is True
    if on and not effective_dotted_value(release, objects, "gpuResourcesEnabledOverride"):
        message = "resources.gpus is on, and the chart refuses that without gpuResourcesEnabledOverride"
        remedy = "write resources.gpus.enabled: false; or, without any device plugin, gpuResourcesEnabledOverride: true"
        yield Finding(release.item, value_place(release, "resources", "gpus", "enabled"), message, remedy)


RULE = Rule(
    code="STK021",
    name="refused-dra-values",
    severity=Severity.ERROR,
    summary=(
        "A release of NVIDIA's DRA driver sets values that its chart refuses, or leaves out one that it asks for."
    ),
    help=(
        "Whole GPUs by claim collide with a device plugin on the same node, so the chart wants the choice "
        "confirmed, though it is on by default. It also stops at values that it no longer takes."
    ),
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/validation.yaml",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/values.yaml",
    ),
    check=_check,
    bad="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dra-driver-nvidia-gpu, namespace: dra-driver-nvidia-gpu}
spec:
  interval: 1h
  chart: {spec: {chart: dra-driver-nvidia-gpu, version: 0.4.1, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    nvidiaDriverRoot: /
""",
    good="""
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: dra-driver-nvidia-gpu, namespace: dra-driver-nvidia-gpu}
spec:
  interval: 1h
  chart: {spec: {chart: dra-driver-nvidia-gpu, version: 0.4.1, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    resources: {gpus: {enabled: false}}
""",
)
