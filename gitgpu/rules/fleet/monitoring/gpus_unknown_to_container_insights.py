"""Container insights on a cluster whose GPUs its agent does not count."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_place
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters that request only the inventory, if every pool advertises GPUs under other names."""
    for cluster in inputs.clusters:
        pools = inputs.pools_on(cluster) if cluster.stack.metrics.insights == "inventory" else ()
        # A cluster without pools may get some.
        if not pools:
            continue
        counted = inputs.catalog.must("agents", "ama-logs")["counted"]
        if not any(_counted(cluster, pool, counted) for pool in pools):
            names = " or ".join(counted)
            message = f"Container insights does not count GPUs on {cluster.name}: no pool advertises {names}"
            remedy = "set containerInsights: none"
            yield Finding(*stack_place(cluster, "metrics", "containerInsights"), message, remedy)


def _counted(cluster: Cluster, pool: Pool, resources: tuple[str, ...]) -> bool:
    # With the mixed strategy, instances have their own resource names.
    named = pool.mig and not pool.mig.single
    return not named and not is_claimed(cluster, pool) and any(pool.resource(sku) in resources for sku in pool.skus)


RULE = Rule(
    code="MET063",
    name="gpus-unknown-to-container-insights",
    severity=Severity.WARNING,
    summary="Container insights is enabled for the GPUs of a cluster, but its agent counts none of them.",
    help="The agent counts what nodes advertise and containers request as nvidia.com/gpu and amd.com/gpu. Windows "
    "nodes and MIG instances with their own resource names use other names, and claimed GPUs have none.",
    sources=(
        "https://github.com/microsoft/Docker-Provider/blob/b78055842aead6e9a6329fd83db20341e8eec35d/source/plugins/ruby/KubernetesApiClient.rb",
    ),
    facts=("agents/ama-logs",),
    check=_check,
)
