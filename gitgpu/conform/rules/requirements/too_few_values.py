"""A requirement with fewer values than its minValues."""

from collections.abc import Iterator

from gitgpu.conform.node.node_pools import every_node_pool
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        for entry in pool.entries:
            minimum = entry.meaning.minimum if entry.meaning else None
            there = len(set(entry.values))
            if entry.operator == "In" and minimum is not None and 0 < there < minimum:
                message = f"{entry.key} wants {minimum} different values and lists {there}"
                remedy = f"lower minValues to {there} or less, or list more values"
                yield Finding(pool.item, (*entry.pointer, "minValues"), message, remedy)


RULE = Rule(
    code="NPL002",
    name="too-few-values",
    severity=Severity.ERROR,
    summary="A NodePool's requirement lists fewer values than its minValues asks for.",
    help="minValues is how many different values a launch must be able to choose from. With fewer in the list the API "
    "server refuses the NodePool; a value that stands there twice counts once.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://karpenter.sh/docs/concepts/nodepools/#min-values",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
      - {key: karpenter.azure.com/sku-family, operator: In, values: [D, E], minValues: 3}
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements:
      - {key: karpenter.azure.com/sku-family, operator: In, values: [D, E], minValues: 2}
""",
)
