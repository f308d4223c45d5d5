"""A number or a truth value among the values of a chart where a pod takes text alone."""

from collections.abc import Iterator
from typing import Any

from gitgpu.conform.gitops.releases import releases
from gitgpu.conform.objects import Objects, listed, mapping
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.source import Pointer

_CHARTS = (  # those that write these parts out as they are; cert-manager puts quotes around them
    "dcgm-exporter",
    "dra-driver-nvidia-gpu",
    "gpu-operator",
    "keda",
    "kube-prometheus-stack",
    "network-operator",
    "node-feature-discovery",
    "nvidia-device-plugin",
    "nvidia-dra-driver-gpu",
)
_VARIABLES = ("env", "extraEnv", "extraEnvs")


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, *_CHARTS):
        for path in _wrong(release.values, ()):
            repair = None if release.text else Repair(Change.QUOTE, release.place(*path))
            where = ".".join(map(str, path))
            message = f"{where} is no text, and a pod takes text alone here"
            yield Finding(release.item, release.place(*path), message, "put the value in quotes", repair=repair)


def _wrong(values: Any, above: Pointer) -> Iterator[Pointer]:
    for key, value in mapping(values).items():
        path = (*above, key)
        if key == "nodeSelector":
            yield from ((*path, name) for name, one in mapping(value).items() if _is_bare(one))
        elif key == "tolerations" or key in _VARIABLES:
            yield from _of_list(value, path)
        else:
            yield from _wrong(value, path)


def _of_list(values: Any, path: Pointer) -> Iterator[Pointer]:
    for at, one in enumerate(listed(values)):
        if _is_bare(mapping(one).get("value")):
            yield (*path, at, "value")


def _is_bare(value: Any) -> bool:
    return isinstance(value, bool | int | float)


_BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    migManager: {env: [{name: WITH_REBOOT, value: true}]}
"""

RULE = Rule(
    code="STK037",
    name="unquoted-value-for-pods",
    severity=Severity.ERROR,
    summary="Variables, node selectors or tolerations among a chart's values hold a number or a truth value.",
    help=(
        "The chart writes these parts into its objects as they are. A variable, a node selector and the value of a "
        "toleration have to be text, so the API server refuses the object, and the release fails."
    ),
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/479",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/clusterpolicy.yaml",
    ),
    check=_check,
    bad=_BAD,
    good=_BAD.replace("value: true", 'value: "true"'),
)
