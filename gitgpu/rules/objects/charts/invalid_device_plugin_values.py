"""Values that the chart of the device plugin rejects."""

from collections.abc import Collection, Iterator

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import PLUGIN, effective_value
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in releases(objects, PLUGIN):
        if not release.whole:  # the rest of the values may contain the default
            continue
        if release.value("namespace"):
            message = "the chart no longer supports the value namespace"
            yield Finding(*release.locate("namespace"), message, "remove it, and set the namespace of the release")
        configs = mapping_at(release.value("config", "map"))
        if configs and release.value("config", "name"):
            message = "config.name and config.map are mutually exclusive"
            remedy = "use config.name for your own ConfigMap, or config.map for one that the chart creates"
            yield Finding(*release.locate("config", "name"), message, remedy)
        if configs and not _has_default(release, configs.keys(), objects):
            message = f"no default among the configurations {', '.join(configs)}"
            remedy = "set config.default to one of these names, or name one of them default"
            yield Finding(*release.locate("config", "map"), message, remedy)


def _has_default(release: Release, names: Collection[str], objects: Objects) -> bool:
    if release.value("config", "default"):
        return True
    # The strategies with which the chart chooses a default itself.
    strategies = list_at(effective_value(release, objects, "config", "fallbackStrategies"))
    single = len(names) == 1 and "single" in strategies
    return single or "empty" in strategies or ("default" in names and "named" in strategies)


RULE = Rule(
    code="STK020",
    name="invalid-device-plugin-values",
    severity=Severity.ERROR,
    summary="A release of the device plugin chart sets values that the chart rejects.",
    help="The chart validates its values and fails to render: with a namespace in the values, with both config.name "
    "and config.map, or with several configurations and no default. The release never becomes Ready.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/validation.yml",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/templates/_helpers.tpl",
    ),
    check=_check,
)
