"""A size whose name is not spelt as Azure spells it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.node.candidate_sizes import values
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, name in values(pool, NAMES, ("In", "NotIn")):
            sku = objects.catalog.sku(name)
            if sku and sku.name != name:
                message = f"unknown size {name}: Karpenter compares names exactly, including case"
                repair = Repair(Change.VALUE, place, sku.name)
                yield Finding(pool.item, place, message, f"use {sku.name}", repair=repair, row=sku.row)


RULE = Rule(
    code="NPS001",
    name="misspelt-size",
    severity=Severity.ERROR,
    summary="A NodePool has a size name in the wrong case, or without Standard_.",
    help="Azure's own tools accept any case. Karpenter compares labels, which are case-sensitive: the NodePool becomes "
    "Ready and never starts that size.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    facts=("skus",),
    check=_check,
    fixable=True,
)
