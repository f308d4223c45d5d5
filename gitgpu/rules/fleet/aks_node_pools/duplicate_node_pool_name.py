"""Two node pools of a cluster must not have the same name."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import azure_name
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.source import Pointer


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose node pool has the name of an earlier one on the same cluster."""
    first: dict[tuple[str, str], Pool] = {}
    for pool, clusters in node_pools(inputs):
        for cluster in clusters:
            other = first.setdefault((cluster.name, azure_name(pool)), pool)
            if other.name != pool.name:
                first_pool = f"pool {other.name} ({other.origin.span(_where(other))})"
                message = f"node pool name '{azure_name(pool)}' on {cluster.name} is also the name of {first_pool}"
                yield Finding(pool.origin, _where(pool), message, "set another nodePoolName for one of the two")


def _where(pool: Pool) -> Pointer:
    return ("spec", "nodePoolName") if pool.node_pool_name else ("metadata", "name")


RULE = Rule(
    code="AGP010",
    name="duplicate-node-pool-name",
    twin="APL061",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="Two pools of a cluster have the same node pool name in Azure.",
    help="Without nodePoolName, a node pool has the name of the GpuPool without dashes: t4-a and t4a are the same "
    "name. The second node pool would overwrite the first.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
    ),
    check=_check,
)
