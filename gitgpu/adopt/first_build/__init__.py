"""What the first build changes about the software of a running cluster, besides its nodes: the second verdict."""

from collections.abc import Iterator

from gitgpu.adopt.compiled import Output
from gitgpu.adopt.first_build.charts import chart_changes
from gitgpu.adopt.first_build.forecast import Forecast
from gitgpu.adopt.first_build.objects import object_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.stack.reached_nodes import pools_outside
from gitgpu.adopt.stack.view import bare_view
from gitgpu.inventory.observed import ObservedCluster


def software_changes(running: ObservedCluster, output: Output) -> Iterator[SoftwareChange]:
    """What the output for a cluster starts, stops, restarts or changes there: charts first, then other objects."""
    drivers = {
        pool.node_pool.name if pool.node_pool else pool.name: pool.driver
        for pool in output.plan.pools
        if not pool.pool.windows
    }
    view = bare_view(running, output.catalog)
    own_pools = tuple(nodes for nodes in pools_outside(view) if nodes.pool.name in drivers)
    view = view._replace(drivers=drivers, pools=own_pools)
    forecast = Forecast(view, output.plan, output.manifests)
    yield from chart_changes(forecast)
    yield from object_changes(forecast)
