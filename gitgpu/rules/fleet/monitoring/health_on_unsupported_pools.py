"""GPU health checks on a cluster with pools that they do not cover."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters with health and pools of Windows nodes or AMD GPUs."""
    for cluster in inputs.clusters:
        pools = inputs.pools_on(cluster) if cluster.stack.health == "npd" else ()
        unseen = [pool.name for pool in pools if pool.windows or pool.manufacturer == "amd"]
        if unseen:
            origin, where = stack_place(cluster, "health")
            message = f"GPU failures in {join_names(unseen)} on {cluster.name} are not detected"
            remedy = "monitor these pools by other means, and suppress HLT001 with a reason"
            yield Finding(origin, where, message, remedy)


RULE = Rule(
    code="HLT001",
    name="health-on-unsupported-pools",
    severity=Severity.WARNING,
    summary="stack.health is enabled on a cluster with Windows or AMD GPU pools, which it does not cover.",
    help="AKS checks NVIDIA GPUs on Linux nodes, and gitgpu's detector reads what NVIDIA's driver writes to the kernel "
    "log. health: npd alone suggests that every pool is covered.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-health-monitoring.md",
    ),
    check=_check,
)
