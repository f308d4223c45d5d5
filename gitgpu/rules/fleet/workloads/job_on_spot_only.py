"""A Job that can run on spot nodes only."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.objects.workload.known_kinds import ENDING
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Jobs whose pools all have only spot nodes. Jobs that KEDA creates are omitted: each does a small share."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload)
        only_spot = bool(pools) and all(pool.only_spot for pool in pools)
        if workload.target_kind in ENDING and not workload.job and only_spot:
            message = "all its pools have only spot nodes, which Azure may evict with 30 seconds' notice"
            remedy = "set capacity: [spot, on-demand] on a pool, or save checkpoints and suppress DIS014 with a reason"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="DIS014",
    name="job-on-spot-only",
    severity=Severity.WARNING,
    summary="A Job can run only on spot nodes.",
    help="Azure evicts a spot node whenever it needs the capacity. The Job then starts over in a new pod, and waits "
    "while there is no spot capacity. A program with checkpoints outside the pod continues from the last one.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/spot-node-pool.md",
        "https://learn.microsoft.com/azure/virtual-machines/spot-vms",
    ),
    check=_check,
)
