"""What the first build changes about the software of a running cluster, besides its nodes: the second verdict."""

from collections.abc import Iterator

from gitgpu.access import text_at
from gitgpu.adopt.adoption import GpuNodes
from gitgpu.adopt.compiled import Output
from gitgpu.adopt.first_build.charts import chart_changes
from gitgpu.adopt.first_build.forecast import forecast, name_on_cluster
from gitgpu.adopt.first_build.objects import object_changes
from gitgpu.adopt.first_build.other_nodes import other_node_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.stack.view import bare_view, with_pools
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL, group_kind
from gitgpu.objects.objects import identity
from gitgpu.plan.decided.cluster import ClusterPlan


def software_changes(running: ObservedCluster, output: Output) -> Iterator[SoftwareChange]:
    """What the output for a cluster starts, stops, restarts or changes there: charts first, then other objects."""
    view = with_pools(bare_view(running, output.catalog), list(_running_pools(running, output.plan)))
    view = view._replace(drivers={pool.name: pool.driver for pool in output.plan.pools})
    ahead = forecast(view, output.plan, output.manifests)
    yield from chart_changes(ahead)
    yield from object_changes(ahead)
    yield from other_node_changes(ahead)


def _running_pools(running: ObservedCluster, plan: ClusterPlan) -> Iterator[GpuNodes]:
    """The running pools that the fleet has, with their names there."""
    names: dict[tuple[str, ...], str] = {
        (*(MANAGED_CLUSTERS_AGENT_POOL if pool.node_pool else NODE_POOL), name_on_cluster(pool)): pool.name
        for pool in plan.pools
    }
    for observed in running.objects:
        own_name = text_at(observed.body, "spec", "azureName") or identity(observed.body).name
        if name := names.get((*group_kind(observed.body), own_name)):
            yield GpuNodes(name, observed, None, ())
