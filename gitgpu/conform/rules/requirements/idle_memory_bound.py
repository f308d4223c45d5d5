"""A lower bound on memory that every size meets, most likely because it counts GiB."""

from collections.abc import Iterator

from gitgpu.conform.node.label_requirements import label_requirements
from gitgpu.conform.node.node_pools import node_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

_MIB = 1024


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("labels", "karpenter")["memory"]
    for pool in node_pools(objects):
        least = facts["leastMiB"] if pool.for_gpus else _MIB
        for demand in label_requirements(pool):
            low = demand.meaning.low if demand.meaning else None
            if demand.key in facts["keys"] and low is not None and 1 < low < least:
                amount = demand.values[0][1]
                message = f"every size has more than {amount} MiB of memory, and {demand.key} counts MiB"
                remedy = f'write "{int(amount) * _MIB}" for {amount} GiB'
                yield Finding(pool.item, demand.place, message, remedy)


RULE = Rule(
    code="NPL019",
    name="idle-memory-bound",
    severity=Severity.WARNING,
    summary="A NodePool's lower bound on memory is one that every size meets, as if the label counted GiB.",
    help="sku-memory counts MiB: Gt 64 asks for more than 64 MiB, which every size has. The pool then takes small "
    "sizes as well.",
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
      requirements: [{key: karpenter.azure.com/sku-memory, operator: Gt, values: ["64"]}]
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: general}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-memory, operator: Gt, values: ["65536"]}]
""",
)
