"""A pool without a limit on GPUs or nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.limits import is_paused, short


def _check(inputs: Inputs) -> Iterator[Finding]:
    # AGP008 reports an AKS node pool without a maximum.
    for pool in inputs.nodepools:
        # SKU007 reports a limit that allows no node. A paused pool costs nothing.
        if pool.limits.gpus is None and pool.limits.nodes is None and not any(short(pool)) and not is_paused(pool):
            message = f"pool {pool.name} has no limit on GPUs or nodes, so only the quota bounds its cost"
            if pool.limits.cpu or pool.limits.memory:
                message = f"pool {pool.name} limits cpu or memory, but not GPUs or nodes, which determine its cost"
            remedy = "set limits: {gpus: 8}, or the highest number of GPUs that you want to pay for"
            yield Finding(pool.origin, ("spec", "limits"), message, remedy)


RULE = Rule(
    code="SKU008",
    name="unlimited-pool",
    twin="NPL016",
    severity=Severity.WARNING,
    summary="The pool has no limit on GPUs or nodes.",
    help="Karpenter starts nodes for as long as pods are Pending. Without a limit, only the quota of the subscription "
    "stops a misconfigured scaler or a Job with too many pods.",
    sources=(
        "https://karpenter.sh/docs/concepts/nodepools/#speclimits",
        "https://learn.microsoft.com/azure/aks/node-auto-provisioning-node-pools",
    ),
    check=_check,
)
