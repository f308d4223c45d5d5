"""A demand for less memory than any size has, most likely because it counts GiB."""

from collections.abc import Iterator

from gitgpu.conform.node.label_requirements import LabelRequirement, label_requirements
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_MIB = 1024


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("labels", "karpenter")["memory"]
    for pool in node_pools(objects):
        for demand in label_requirements(pool):
            if demand.key in facts["keys"] and demand.meaning and _too_small(demand, facts["leastMiB"]):
                amount = demand.values[0][1]
                message = f"no size has as little as {amount} MiB of memory, and {demand.key} counts MiB"
                remedy = f'write "{int(amount) * _MIB}" for {amount} GiB'
                yield Finding(pool.item, demand.place, message, remedy)


def _too_small(demand: LabelRequirement, least: int) -> bool:
    numbers = [int(value) for _, value in demand.values if value.isascii() and value.isdigit()]
    if not numbers or len(numbers) < len(demand.values):
        return False
    bounded = demand.meaning is not None and demand.meaning.high is not None and demand.meaning.high < least
    return bounded or (demand.operator == "In" and max(numbers) < least)


RULE = Rule(
    code="NPL018",
    name="memory-below-any-size",
    severity=Severity.ERROR,
    summary="A NodePool demands a memory size below that of every size, as if the label counted GiB.",
    help="sku-memory counts MiB: a size with 220 GiB has the value 225280. A demand for 220 matches nothing, and pods "
    "stay Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
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
      requirements: [{key: karpenter.azure.com/sku-memory, operator: Lt, values: ["128"]}]
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-memory, operator: Lt, values: ["131072"]}]
""",
)
