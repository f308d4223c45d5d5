"""Values about configurations that the chart ignores because a related value is missing."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import OPERATOR, PLUGIN
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

# Values of the GPU Operator with which the chart can create a ConfigMap.
_OF_OPERATOR = (("devicePlugin", "config"), ("migManager", "config"), ("dcgmExporter", "config"))


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, PLUGIN, OPERATOR):
        if release.whole:
            yield from _plugin_findings(release) if release.chart == PLUGIN else _operator_findings(release)


def _plugin_findings(release: Release) -> Iterator[Finding]:
    default = release.value("config", "default")
    if default and not release.value("config", "name") and not release.value("config", "map"):
        message = f"config.default is '{default}', but neither config.name nor config.map is set"
        remedy = "set config.name to the ConfigMap with the configurations, or put them in config.map"
        yield Finding(*release.locate("config", "default"), message, remedy)


def _operator_findings(release: Release) -> Iterator[Finding]:
    default = release.value("devicePlugin", "config", "default")
    if default and not release.value("devicePlugin", "config", "name"):
        message = f"devicePlugin.config.default is '{default}', but devicePlugin.config.name is not set"
        remedy = "set devicePlugin.config.name to the ConfigMap with the configurations"
        yield Finding(*release.locate("devicePlugin", "config", "default"), message, remedy)
    for path in _OF_OPERATOR:
        if release.value(*path, "data") and not release.value(*path, "create"):
            where = ".".join(path)
            message = f"{where}.data does not create a ConfigMap without {where}.create"
            yield Finding(*release.locate(*path, "data"), message, f"set {where}.create: true")


RULE = Rule(
    code="SHR020",
    name="plugin-config-without-name",
    severity=Severity.WARNING,
    summary="A release sets a default device-plugin configuration but not the value that enables it.",
    help="config.default selects one of the configurations but does not say where they are. Without a name or a map, "
    "the chart runs the device plugin without a configuration. In the GPU Operator chart, `data` is ignored unless "
    "`create: true`.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/issues/990",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/_helpers.tpl",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/templates/plugin_config.yaml",
    ),
    check=_check,
)
