"""A size without a price beside sizes that have one."""

from collections.abc import Iterator

from gitgpu.check.names import join_names
from gitgpu.conform.node.candidate_sizes import named
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
        - key: karpenter.azure.com/sku-name
          operator: In
          values: [Standard_ND96isr_H100_v5, Standard_ND96isf_H100_v5]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        found = [(place, sku) for place, sku in named(pool, objects) if sku.obtainable]
        priced = [sku.name for _, sku in found if sku.priced]
        for place, sku in found if priced else ():
            if sku.priced is False:
                message = f"Karpenter knows no price of {sku.name}, so it comes after {join_names(priced)} at any cost"
                remedy = "give it a NodePool of its own; spec.weight says which comes first"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="NPS011",
    name="unpriced-size",
    severity=Severity.WARNING,
    summary="A NodePool lists sizes of which Karpenter knows the price for some only.",
    help="Karpenter takes the cheapest size that fits. One that is missing from its price table counts as the dearest "
    "of all, so it is only started when no other size of the pool can be had.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/known_skus.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("Standard_ND96isf_H100_v5", "Standard_NC80adis_H100_v5"),
)
