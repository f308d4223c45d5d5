"""A size that Azure has retired."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import retired, retirement
from gitgpu.model.retirement import replacement
from gitgpu.objects.node.candidate_sizes import named
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: v100}
spec:
  limits: {nodes: 4}
  template:
    spec:
      taints: [{key: nvidia.com/gpu, effect: NoSchedule}]
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [Standard_NC6s_v3]}]
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        for place, sku in named(pool, objects):
            if retired(sku, objects.today):
                yield Finding(pool.item, place, retirement(sku), f"use {replacement(sku)}")


RULE = Rule(
    code="NPS003",
    name="retired-size",
    twin="SKU001",
    severity=Severity.ERROR,
    summary="A NodePool requires a size that Azure has retired.",
    help="Azure starts no machine of a retired size. Karpenter may still list the name, so the NodePool is Ready and "
    "its pods stay Pending.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    check=_check,
    bad=BAD,
    good=BAD.replace("Standard_NC6s_v3", "Standard_NC40ads_H100_v5").replace("v100", "h100"),
)
