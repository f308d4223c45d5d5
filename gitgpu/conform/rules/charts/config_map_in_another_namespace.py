"""A ConfigMap that the values of a GPU chart name, in another namespace than the release."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import OPERATOR, PLUGIN
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_NAMES = {
    OPERATOR: (
        ("dcgmExporter", "config", "name"),
        ("devicePlugin", "config", "name"),
        ("driver", "certConfig", "name"),
        ("driver", "kernelModuleConfig", "name"),
        ("driver", "licensingConfig", "configMapName"),
        ("driver", "repoConfig", "configMapName"),
        ("driver", "virtualTopology", "config"),
        ("migManager", "config", "name"),
        ("migManager", "gpuClientsConfig", "name"),
    ),
    PLUGIN: (("config", "name"),),
}


def _check(objects: Objects) -> Iterator[Finding]:
    homes: dict[str, set[str]] = {}
    for one in objects.present:
        if (one.group, one.kind) == ("", "ConfigMap"):
            homes.setdefault(one.name, set()).add(one.namespace)
    for release in releases(objects, *_NAMES):
        for path in _NAMES[release.chart]:
            name = str(release.value(*path) or "")
            found = homes.get(name, set())
            if found and not found & {"", release.namespace} and not _is_made(release, path) and release.namespace:
                place = f"{release.namespace}, where the release is"
                message = f"ConfigMap {name} is in namespace {min(found)}, and the pods look for it in {place}"
                remedy = f"move the ConfigMap to namespace {release.namespace}"
                yield Finding(release.item, release.place(*path), message, remedy)


def _is_made(release: Release, path: tuple[str, ...]) -> bool:
    """Does the chart make the ConfigMap itself?"""
    return bool(release.value(*path[:-1], "create"))


_BAD = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    devicePlugin: {config: {name: time-slicing, default: any}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: time-slicing, namespace: kube-system}
data:
  any: |
    version: v1
    sharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}
"""

RULE = Rule(
    code="STK035",
    name="config-map-in-another-namespace",
    severity=Severity.ERROR,
    summary="The values of a GPU chart name a ConfigMap that is in another namespace than the release.",
    help=(
        "A pod mounts ConfigMaps of its own namespace alone. The pods of the device plugin, MIG manager, exporter or "
        "driver stay at ContainerCreating, and the nodes advertise no GPU."
    ),
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/412",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
    ),
    check=_check,
    bad=_BAD,
    good=_BAD.replace("kube-system", "gpu-operator"),
)
