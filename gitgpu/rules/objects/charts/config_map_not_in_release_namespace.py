"""A ConfigMap in the values of a GPU chart that is not in the namespace of the release."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.gitops.chart_values import object_values
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    namespaces: dict[str, set[str]] = {}
    for present in objects.present:
        if (present.group, present.kind) == CONFIG_MAP and present.name:  # with generateName, it has none yet
            namespaces.setdefault(present.name, set()).add(present.namespace)
    for release in releases(objects):
        for path in object_values(release, objects, CONFIG_MAP.kind):
            name = str(release.value(*path) or "")
            # A ConfigMap without a namespace gets one when it is applied; one that is absent may be in other files.
            homes = namespaces.get(name, set())
            if homes and not homes & {"", release.namespace} and not _is_created(release, path) and release.namespace:
                message = f"ConfigMap {name} is in namespace {min(homes)}, but the release is in {release.namespace}"
                remedy = f"move the ConfigMap to namespace {release.namespace}"
                yield Finding(*release.locate(*path), message, remedy)


def _is_created(release: Release, path: tuple[str, ...]) -> bool:
    """Whether the chart creates the ConfigMap."""
    return bool(release.value(*path[:-1], "create"))


RULE = Rule(
    code="STK035",
    name="config-map-not-in-release-namespace",
    severity=Severity.ERROR,
    summary="The values of a GPU chart refer to a ConfigMap that is in a different namespace from the release.",
    help="A pod can mount only ConfigMaps of its own namespace. The pods of the device plugin, MIG manager, exporter "
    "or driver stay in ContainerCreating, and the nodes advertise no GPUs.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/412",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
    ),
    check=_check,
)
