"""A ConfigMap of MIG layouts without the key that the MIG manager reads."""

from collections.abc import Iterable, Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CONFIG_MAP
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import KEY
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release in operators(objects):
        name = release.value("migManager", "config", "name")
        own_data = mapping_at(release.value("migManager", "config", "data"))
        if own_data and KEY not in own_data:
            place = release.locate("migManager", "config", "data")
            yield Finding(*place, _message(own_data), f"rename the key to {KEY}")
        for item in objects.of(*CONFIG_MAP):
            # "" is the namespace in which the release is applied.
            here = release.namespace in ("", item.identity.namespace)
            data = item.body.get("data") or {}
            if item.identity.name == name and here and data and KEY not in data:
                yield Finding(item, ("data",), _message(data), f"rename the key to {KEY}")


def _message(data: Iterable[str]) -> str:
    return f"the MIG manager reads the key {KEY}, but the only keys are: {', '.join(data)}"


RULE = Rule(
    code="SHR013",
    name="mig-config-without-config-yaml",
    severity=Severity.ERROR,
    summary="The ConfigMap with the layouts of the MIG manager has no key config.yaml.",
    help="The MIG manager mounts the ConfigMap and opens this file. Without it no layout can be applied, and nodes "
    "with nvidia.com/mig.config fail.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
    ),
    check=_check,
)
