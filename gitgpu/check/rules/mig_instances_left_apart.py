"""Pods on MIG instances come to a node each, and have to be brought together later."""

from collections.abc import Iterator

from gitgpu.check.mig import cut_pools
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.written import pool_place
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
  disruption: {consolidationPolicy: WhenEmpty}
  partition: {mig: {profiles: {1g.10gb: 7}}}
"""
GOOD = BAD.replace("WhenEmpty}", "WhenEmptyOrUnderutilized}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on clusters with node auto-provisioning whose GPUs hold several pods, and whose nodes go when empty."""
    for pool, mig, _ in cut_pools(inputs):
        apart = pool.disruption["consolidationPolicy"] == "WhenEmpty"
        if apart and mig.single and mig.instances > 1 and pool.by_karpenter:
            message = f"pods that come together get a GPU each, which would hold {mig.instances}, and it is never empty"
            remedy = "write consolidationPolicy: WhenEmptyOrUnderutilized, which brings them together"
            yield Finding(*pool_place(inputs, pool, "disruption", "consolidationPolicy"), message, remedy)


RULE = Rule(
    code="PRT007",
    name="mig-instances-left-apart",
    severity=Severity.WARNING,
    summary="Pods on MIG instances get more nodes than they need, and the pool keeps every node that holds a pod.",
    help="Karpenter plans a node by the GPUs of its size, and counts instances only once the node advertises them: "
    "seven pods that come at once are seven nodes. With WhenEmpty each stays for as long as its one pod does. With the "
    "other policy Karpenter moves pods together, which restarts them. The pool's limits hold the number meanwhile.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
