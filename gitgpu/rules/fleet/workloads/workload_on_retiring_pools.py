"""A workload whose pools on a cluster all retire."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Model, Workload
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads and models, on clusters where all their pools retire."""
    everything: list[Workload | Model] = [*inputs.workloads, *inputs.models]
    for workload in everything:
        pools = inputs.pools_named(workload)
        clusters = set().union(*(pool.clusters for pool in pools))
        staying = set().union(*(pool.clusters for pool in pools if not pool.retire))
        if left := sorted(clusters - staying):
            message = f"all its pools on {join_names(left)} are being retired, so no new nodes start for its pods"
            remedy = "add a pool that does not retire, or remove the workload from the spec"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="SCH025",
    name="workload-on-retiring-pools",
    severity=Severity.WARNING,
    summary="All pools of a workload on a cluster are being retired.",
    help="A retiring pool gets no new nodes. Running pods stay where they are. A replaced pod waits for free capacity "
    "on the remaining nodes, and if it gets any, the pool does not become empty.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/scheduler.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-node-taints.md",
    ),
    check=_check,
)
