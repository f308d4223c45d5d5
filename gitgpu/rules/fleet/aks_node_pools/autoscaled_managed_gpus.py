"""The cluster autoscaler did not support AKS-managed GPU nodes during their preview."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import is_written, pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import installers, place
from gitgpu.rules.inputs.node_pools import node_pools
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Linux node pools with driver: managed whose number of nodes is not fixed."""
    for pool, clusters in node_pools(inputs):
        nodes = bounds(pool)
        # WIN002 reports managed GPUs on Windows, and AGP008 a pool without a maximum.
        names = [] if pool.windows else installers(inputs, pool, clusters).get("managed", [])
        # If min equals max, gitgpu writes a fixed count, without the autoscaler.
        if names and nodes.maximum is not None and nodes.minimum != nodes.maximum:
            origin, where = pool_place(pool, "nodes")
            # Without nodes, the limits set the maximum.
            other = (origin, where) if is_written(origin, where) else pool_place(pool, "limits")
            number = with_place("the number of nodes is not fixed", *other)
            message = (
                f"{number}, but during their preview the cluster autoscaler did not support managed GPU nodes "
                f"({join_names(names)})"
            )
            number = f"nodes: {{min: {nodes.maximum}, max: {nodes.maximum}}}"
            fixed = "equal min and max for each size" if pool.has_machines else number
            remedy = f"set {fixed}, or set driver: aks; gitgpu then installs the device plugin and the exporter"
            row = inputs.catalog.must("prerequisites", "managed-gpu-nodes")
            yield Finding(pool.origin, place(pool, sizes_place(pool)), message, remedy, row)


RULE = Rule(
    code="AGP013",
    name="autoscaled-managed-gpus",
    twin="APL095",
    severity=Severity.WARNING,
    summary="An AKS node pool has driver: managed and no fixed number of nodes.",
    help="During the preview, AKS does not support the cluster autoscaler on managed GPU node pools: its guide says to "
    "scale them manually, although an earlier version of it used both together. Whether this holds since a stable "
    "version of Azure's API has managed GPU nodes is not known.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    facts=("prerequisites/managed-gpu-nodes",),
    check=_check,
)
