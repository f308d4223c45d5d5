"""Karpenter learns of a node's MIG instances only when the node is there."""

from collections.abc import Iterator

from gitgpu.check.mig import KARPENTER, MIG, cut_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {1g.10gb: 7}}}
"""
GOOD = BAD.replace("{1g.10gb: 7}", "{7g.80gb: 1}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on clusters with node auto-provisioning whose GPUs are advertised as several."""
    for pool, mig, clusters in cut_pools(inputs):
        if mig.single and mig.instances > 1 and any(one.provisioner == KARPENTER for one in clusters):
            many = mig.instances
            message = (
                f"Karpenter plans one pod for a GPU that will take {many}: pods that start together get extra nodes"
            )
            remedy = "let replicas grow step by step; empty nodes go after consolidateAfter, and limits hold the number"
            yield Finding(pool.origin, MIG, message, remedy)


RULE = Rule(
    code="PRT007",
    name="mig-instances-counted-late",
    severity=Severity.WARNING,
    summary="Node auto-provisioning starts more nodes than pods on MIG instances need when they come all at once.",
    help="Karpenter plans a node by the GPUs of its size, and counts instances only once the node advertises them. "
    "Seven pods that come at once are seven nodes, of which six are empty again later. Nothing but the pool's limits "
    "holds that number, so gitgpu limits the nodes as well. Whoever accepts this can allow the rule.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
