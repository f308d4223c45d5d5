"""A setting of the driver manager that the operator's upgrade policy supersedes."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_POLICY, NVIDIA_DRIVER
from gitgpu.objects.gitops.chart_values import effective_value, operators
from gitgpu.objects.gitops.releases import Release
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

# What the operator does instead, by the variable of the driver manager that it supersedes.
_INSTEAD = {"ENABLE_AUTO_DRAIN": "drain", "ENABLE_GPU_POD_EVICTION": "gpuPodDeletion"}
_SWITCH = ("driver", "upgradePolicy", "autoUpgrade")


def _check(objects: Objects) -> Iterator[Finding]:
    every_operator = list(operators(objects))
    for release in every_operator:
        if not _upgrades(release, objects):
            continue
        for index, variable in enumerate(list_at(release.value("driver", "manager", "env"))):
            name = reach(variable, "name")
            if name in _INSTEAD:
                place = release.locate("driver", "manager", "env", index)
                yield Finding(*place, _message(name, ".".join(_SWITCH)), _remedy(name, "driver.upgradePolicy"))
    # The policy of the operator counts for objects without one.
    if any(not _upgrades(release, objects) for release in every_operator):
        return
    for item in objects.of(*NVIDIA_DRIVER):
        if reach(item.body, "spec", "upgradePolicy", "autoUpgrade") is False:
            continue
        for index, variable in enumerate(reach(item.body, "spec", "manager", "env") or ()):
            name = reach(variable, "name")
            if name in _INSTEAD:
                remedy = _remedy(name, "upgradePolicy")
                message = _message(name, "upgradePolicy.autoUpgrade")
                yield Finding(item, ("spec", "manager", "env", index), message, remedy)


def _upgrades(release: Release, objects: Objects) -> bool:
    """Whether the operator is known to replace drivers itself: by default with its chart, not with a ClusterPolicy."""
    by_default = release.item.identity.kind != CLUSTER_POLICY.kind and release.whole
    switch = release.value(*_SWITCH)
    replaces = by_default if switch is None else switch is True
    sandboxed = release.value("sandboxWorkloads", "enabled") is True
    return replaces and not sandboxed and effective_value(release, objects, "driver", "enabled") is True


def _message(name: str, switch: str) -> str:
    return f"{name} has no effect while {switch} is true: the operator drains nodes and evicts pods itself"


def _remedy(name: str, policy: str) -> str:
    return f"remove it, and use {policy}.{_INSTEAD[name]}"


RULE = Rule(
    code="STK093",
    name="driver-manager-setting-ignored",
    severity=Severity.WARNING,
    summary="Settings of the driver manager say whether to drain nodes or evict pods, which the operator's upgrade "
    "policy decides.",
    help="The operator annotates nodes while driver.upgradePolicy.autoUpgrade is true, which is the default of its "
    "chart. The driver manager of such a node ignores ENABLE_AUTO_DRAIN and ENABLE_GPU_POD_EVICTION.",
    sources=(
        "https://github.com/NVIDIA/k8s-driver-manager/blob/bd62ca7d4a25376a7edd67e2f247e124cd77cd9c/cmd/driver-manager/main.go",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nodelabeling_controller.go",
        "https://github.com/NVIDIA/gpu-operator/issues/901",
    ),
    check=_check,
)
