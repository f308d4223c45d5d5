"""Node images that AKSNodeClasses and AKS node pools use, where the Kubernetes version is known."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.access import reach
from gitgpu.model.syntax.version import NUMBERS, minor
from gitgpu.objects.node.agent_pools import agent_pools, kubernetes_of
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Item, Objects
from gitgpu.source import Pointer


class NodeImage(NamedTuple):
    """An image family: its object, its place and `key`, its name, and the minor version of Kubernetes."""

    item: Item
    pointer: Pointer
    key: str
    family: str
    kubernetes: str
    by_karpenter: bool


def node_images(objects: Objects) -> Iterator[NodeImage]:
    """The image family of every AKSNodeClass and Linux node pool, without FIPS, whose Kubernetes version is known.

    The status of an AKSNodeClass has the version of its cluster. The version of a run may be a default.
    """
    for item, spec in node_classes(objects):
        version = str(reach(item.body, "status", "kubernetesVersion") or "").removeprefix("v")
        if NUMBERS.match(version) and spec.get("fipsMode") != "FIPS":
            family = str(spec.get("imageFamily") or "Ubuntu")
            yield NodeImage(item, ("spec", "imageFamily"), "imageFamily", family, minor(version), by_karpenter=True)
    for pool in agent_pools(objects):
        version = kubernetes_of(pool, objects)
        if pool.os_type == "Linux" and NUMBERS.match(version) and pool.spec.get("enableFIPS") is not True:
            place = pool.place("osSKU")
            yield NodeImage(pool.item, place, "osSKU", pool.os_sku, minor(version), by_karpenter=False)
