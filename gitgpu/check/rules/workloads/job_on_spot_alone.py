"""A Job needs a node that nobody takes back, or must be able to go on where it was stopped."""

from collections.abc import Iterator

from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

SPOT = ("spot",)
BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  capacity: [spot]
  limits: {gpus: 8}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: trainer, namespace: research}
spec:
  pools: [t4]
  target: {kind: Job, name: trainer}
"""
GOOD = BAD.replace("capacity: [spot]", "capacity: [spot, on-demand]")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs of their owners, each of whose pools has spot nodes alone; KEDA's Jobs do small shares of the work."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload)
        if workload.target_kind == "Job" and not workload.job and pools and all(one.capacity == SPOT for one in pools):
            message = "its pools have spot nodes alone: Azure may take each back, with 30 seconds of notice"
            remedy = (
                "write capacity: [spot, on-demand] on a pool, or let the Job save checkpoints and allow DIS014 with "
                "your reason"
            )
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="DIS014",
    name="job-on-spot-alone",
    severity=Severity.WARNING,
    summary="A Job runs on spot nodes and nowhere else.",
    help="A spot node is evicted whenever Azure needs its capacity. A Job starts over in a new pod then, and where no "
    "spot capacity is left it waits. What keeps checkpoints outside the pod can go on from the last one.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
