"""An NVIDIADriver that selects Karpenter nodes that no NodePool has."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.access import reach
from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import NODE_POOL, NVIDIA_DRIVER
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.coverage import selects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

KARPENTER = "karpenter."  # labels that nodes of AKS node pools never have

_SELECTOR = ("spec", "nodeSelector")


def _check(objects: Objects) -> Iterator[Finding]:
    pools = gpu_pools(objects)
    names = sorted(pool.name for pool in pools)
    # Without a NodePool here, NodePools are in other files.
    if not pools:
        return
    for item in objects.of(*NVIDIA_DRIVER):
        selector = reach(item.body, *_SELECTOR) or {}
        if _is_known(selector, names, objects) and all(selects(selector, pool, objects) is False for pool in pools):
            selector_text = ", ".join(f"{key}={value}" for key, value in sorted(selector.items()))
            closest = nearest(selector.get(NODEPOOL_LABEL, ""), names, 0.75)  # one slip in four letters
            message = f"no GPU NodePool has nodes with the labels {selector_text}"
            place = (*_SELECTOR, NODEPOOL_LABEL) if closest else _SELECTOR
            remedy = f"use {closest}" if closest else "select the nodes of a GPU NodePool, or remove the object"
            repair = Repair(Change.VALUE, place, closest) if closest else None
            yield Finding(item, place, message, remedy, repair=repair)


def _is_known(selector: Mapping[str, str], names: Sequence[str], objects: Objects) -> bool:
    """Whether it selects Karpenter nodes, and none of a NodePool that cannot be read or that a patch changes."""
    pool_names = objects.once("names of NodePools", lambda: _names_of_pools(objects))
    unread = (pool_names - set(names)) | objects.patched_names(*NODE_POOL)
    open_to = {selector[NODEPOOL_LABEL]} if NODEPOOL_LABEL in selector else unread
    return any(key.startswith(KARPENTER) for key in selector) and not unread & open_to


def _names_of_pools(objects: Objects) -> frozenset[str]:
    return frozenset(identity.name for identity in objects.present if identity.kind == NODE_POOL.kind)


RULE = Rule(
    code="SHR080",
    name="nvidiadriver-without-nodes",
    severity=Severity.WARNING,
    summary="An NVIDIADriver selects nodes by Karpenter labels, and no GPU NodePool has such nodes.",
    help="The GPU Operator creates nothing for such an object and reports no error. The intended nodes get the "
    "default driver or none. Selectors with other labels are not reported, because AKS node pools outside these "
    "files may have them.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/internal/state/driver.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    check=_check,
    fixable=True,
)
