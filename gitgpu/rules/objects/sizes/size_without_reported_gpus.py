"""A size whose GPUs Karpenter does not count."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.candidate_sizes import named
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: gb300}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_ND128isr_GB300_v6]}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, sku in named(pool, objects):
            if sku.counted_gpus == 0 and sku.obtainable:
                message = f"Karpenter does not count GPUs on {sku.name}, so a pod that requests GPUs does not start one"
                remedy = "start the nodes in another way, such as with a pod that requests CPUs, or use another size"
                yield Finding(pool.item, place, message, remedy)


RULE = Rule(
    code="NPS016",
    name="size-without-reported-gpus",
    twin="SKU011",
    severity=Severity.WARNING,
    summary="A NodePool requires a size on which Karpenter counts no GPUs.",
    help="Karpenter reads the number of GPUs from Azure's list of sizes, which has no number for some sizes. A "
    "running node has its GPUs, but limits on GPUs do not apply and a pending GPU pod does not start a node.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("Standard_ND128isr_GB300_v6", "Standard_ND96isr_H200_v5").replace("gb300", "h200"),
)
