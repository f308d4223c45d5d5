"""Values that the GPU Operator's chart rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import OPERATOR, effective_dotted_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_CLASH = {  # values that conflict, with their message and remedy; the first is the place
    (("gpuCluster.deployCR", True), ("clusterPolicy.deployCR", True)): (
        "the chart creates either a GPUCluster or a ClusterPolicy, not both",
        "set clusterPolicy.deployCR: false",
    ),
    (("gpuCluster.deployCR", True), ("driver.enabled", True), ("driver.nvidiaDriverCRD.enabled", False)): (
        "a GPUCluster needs a driver from NVIDIADriver objects",
        "set driver.nvidiaDriverCRD.enabled: true",
    ),
    (("cdi.nriPluginEnabled", True), ("cdi.enabled", False)): (
        "the NRI plugin needs CDI (Container Device Interface), which is off",
        "set cdi.enabled: true",
    ),
    (("cdi.nriPluginEnabled", True), ("toolkit.enabled", False)): (
        "the NRI plugin is part of the container toolkit, which is off",
        "turn off the NRI plugin, or turn on the toolkit",
    ),
}

_ALLOWED = {  # the values that the CRD of ClusterPolicy allows
    "driver.kernelModuleType": ("auto", "open", "proprietary"),
    "mig.strategy": ("none", "single", "mixed"),
}


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, OPERATOR):
        # Values from elsewhere may be the other half of a conflict, or its solution.
        if release.whole:
            yield from _clashes(release, objects)
            yield from _plugin_config(release, objects)
            yield from _invalid_values(release, objects)


def _clashes(release: Release, objects: Objects) -> Iterator[Finding]:
    for values, (message, remedy) in _CLASH.items():
        if all(effective_dotted_value(release, objects, path) is expected for path, expected in values):
            yield Finding(*release.locate(*values[0][0].split(".")), message, remedy)


def _invalid_values(release: Release, objects: Objects) -> Iterator[Finding]:
    for path, allowed in _ALLOWED.items():
        written = effective_dotted_value(release, objects, path)
        if written and written not in allowed:
            message = f"invalid {path} {written!r} for the ClusterPolicy"
            yield Finding(*release.locate(*path.split(".")), message, f"use one of {', '.join(allowed)}")


def _plugin_config(release: Release, objects: Objects) -> Iterator[Finding]:
    if effective_dotted_value(release, objects, "devicePlugin.config.create") is True:
        for key in ("name", "data"):
            if not effective_dotted_value(release, objects, f"devicePlugin.config.{key}"):
                message = f"devicePlugin.config.create is true, but devicePlugin.config.{key} is missing"
                place = release.locate("devicePlugin", "config", "create")
                yield Finding(*place, message, f"add devicePlugin.config.{key}, or set create: false")


RULE = Rule(
    code="STK019",
    name="invalid-gpu-operator-values",
    severity=Severity.ERROR,
    summary="A GPU Operator release sets values that its chart rejects.",
    help="The chart validates some values against each other and fails to render; others make objects that the API "
    "server does not accept. The release never becomes Ready, and an upgrade stays at the old version.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/validations.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/api/nvidia/v1/clusterpolicy_types.go",
    ),
    check=_check,
)
