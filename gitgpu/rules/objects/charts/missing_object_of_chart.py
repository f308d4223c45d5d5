"""A ConfigMap or Secret that the settings of GPU software name, and that does not exist."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEVICE_CONFIG, NVIDIA_DRIVER
from gitgpu.objects.gitops.chart_values import object_values, policies
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.named_objects import missing
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Fields of custom resources that name a ConfigMap or Secret of the user. Their pods run in the namespace of the
# operator, which the objects do not name.
_FIELDS: dict[tuple[str, str], dict[Pointer, str]] = {
    NVIDIA_DRIVER: {
        ("spec", "certConfig", "name"): "ConfigMap",
        ("spec", "kernelModuleConfig", "name"): "ConfigMap",
        ("spec", "licensingConfig", "name"): "ConfigMap",
        ("spec", "licensingConfig", "secretName"): "Secret",
        ("spec", "repoConfig", "name"): "ConfigMap",
        ("spec", "secretEnv"): "Secret",
        ("spec", "virtualTopologyConfig", "name"): "ConfigMap",
    },
    DEVICE_CONFIG: {
        ("spec", "configManager", "config", "name"): "ConfigMap",
        ("spec", "driver", "imageRegistrySecret", "name"): "Secret",
        ("spec", "metricsExporter", "config", "name"): "ConfigMap",
    },
}


def _check(objects: Objects) -> Iterator[Finding]:
    if not objects.closed:
        return
    for release in (*releases(objects), *policies(objects)):
        for kind in ("ConfigMap", "Secret"):
            yield from _release_findings(release, kind, objects)
    for group_kind, fields in _FIELDS.items():
        for item in objects.of(*group_kind):
            yield from _object_findings(item, fields, objects)


def _release_findings(release: Release, kind: str, objects: Objects) -> Iterator[Finding]:
    for path in object_values(release, objects, kind):
        name = release.value(*path)
        section = mapping_at(release.value(*path[:-1]))
        # The chart creates it from its values.
        is_made = section.get("create") is True or section.get("data") or section.get("map")
        if isinstance(name, str) and not is_made and _is_elsewhere(kind, name, release, objects):
            fault = missing(kind, name, release.namespace, objects)
            if fault:
                yield Finding(*release.locate(*path), fault.message, fault.remedy)


def _is_elsewhere(kind: str, name: str, release: Release, objects: Objects) -> bool:
    """Whether no namespace has the object: STK035 reports a ConfigMap in the wrong one."""
    return kind == "Secret" or not release.namespace or not objects.identities("", kind, name)


def _object_findings(item: Item, fields: dict[Pointer, str], objects: Objects) -> Iterator[Finding]:
    namespace = item.identity.namespace  # that of a DeviceConfig; an NVIDIADriver has none
    for path, kind in fields.items():
        name = reach(item.body, *path)
        fault = missing(kind, name, namespace, objects) if isinstance(name, str) else None
        if fault:
            yield Finding(item, path, fault.message, fault.remedy)


RULE = Rule(
    code="STK094",
    name="missing-object-of-chart",
    severity=Severity.ERROR,
    summary="The settings of GPU software name a ConfigMap or Secret that does not exist.",
    help="The pods of the device plugin, MIG manager, exporter or driver mount it. Without it they stay in "
    "ContainerCreating, and the nodes advertise no GPUs. Reported only if the input is the whole cluster, has "
    "other objects of the kind, and installs no chart in that namespace which gitgpu does not know and which "
    "may create it. A Secret is reported only if another one has nearly the same name: many are created outside "
    "of files.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/api/nvidia/v1alpha1/nvidiadriver_types.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
)
