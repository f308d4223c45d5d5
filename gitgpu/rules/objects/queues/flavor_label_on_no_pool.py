"""A ResourceFlavor whose labels no NodePool gives to its nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.model.syntax.label_text import label_text
from gitgpu.objects.node.foreign_labels import azure_label
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import flavors
from gitgpu.objects.queues.nodes import refusing_offers
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest

_LABELS = ("spec", "nodeLabels")


def _check(objects: Objects) -> Iterator[Finding]:
    for flavor in flavors(objects).values():
        offers = refusing_offers(flavor, objects)
        keys = {offer.missing or offer.against for offer in offers}
        key = next((key for key in flavor.labels if key in keys and not azure_label(key, objects)), "")
        if key:
            message = f"no NodePool has nodes with {label_text(key, flavor.labels[key])}, so admitted pods stay Pending"
            remedy = _remedy(key, flavor.labels[key], objects)
            yield Finding(flavor.item, (*_LABELS, key), message, remedy)


def _remedy(key: str, value: str, objects: Objects) -> str:
    names = [pool.name for pool in node_pools(objects)] if key == NODEPOOL_LABEL else []
    near = nearest(value, names)
    return f"use {near}" if near else "use labels that a NodePool gives to its nodes, or add them to a NodePool"


RULE = Rule(
    code="QUE023",
    name="flavor-label-on-no-pool",
    severity=Severity.ERROR,
    summary="No NodePool gives the labels of a ResourceFlavor to its nodes.",
    help="Kueue adds the nodeLabels of a flavor to the node selector of the pods that it admits. Karpenter starts "
    "a node only from a NodePool that has these labels, so the pods use up quota and stay Pending.",
    sources=(
        "https://github.com/kubernetes-sigs/kueue/blob/8eab68778fc1/apis/kueue/v1beta2/resourceflavor_types.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    check=_check,
)
