"""Pods that share GPUs come to a GPU each, and have to be brought together later."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.check.value_origins import is_written, pool_place
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
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: ranker, namespace: serving}
spec:
  pools: [a100]
  target: {kind: Deployment, name: ranker}
"""
GOOD = BAD.replace("WhenEmpty}", "WhenEmptyOrUnderutilized}")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of services whose GPUs hold several pods, and whose nodes Karpenter makes, and takes only when empty."""
    serving = {name for one in inputs.workloads if one.target_kind != "Job" for name in one.pools}
    for pool in inputs.nodepools:
        apart = pool.disruption["consolidationPolicy"] == "WhenEmpty"
        if apart and pool.shares > 1 and pool.name in serving:
            message = f"pods that come together get a GPU each, which would hold {pool.shares}, and it is never empty"
            remedy = "write consolidationPolicy: WhenEmptyOrUnderutilized, which brings them together"
            origin, where = pool_place(inputs, pool, "disruption", "consolidationPolicy")
            yield Finding(origin, where if is_written(origin, where) else ("spec", "partition"), message, remedy)


RULE = Rule(
    code="PRT007",
    name="shares-left-apart",
    severity=Severity.WARNING,
    summary="Pods that share GPUs get more nodes than they need, and the pool keeps every node that holds a pod.",
    help="Karpenter plans a node by the GPUs of its size, and counts turns, clients of MPS and instances of MIG only "
    "once the node advertises them: four pods that come at once to GPUs that hold four are four GPUs. With WhenEmpty "
    "each node stays for as long as its pods do. With the other policy Karpenter moves pods together, which restarts "
    "them. The pool's limits hold the number meanwhile. Jobs end by themselves, and are better left alone.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
