"""What the first build changes about the software of a running cluster, besides its nodes: the second verdict."""

from collections.abc import Iterator

from gitgpu.adopt.compiled import all_manifests
from gitgpu.adopt.first_build.charts import chart_changes
from gitgpu.adopt.first_build.forecast import Forecast
from gitgpu.adopt.first_build.objects import object_changes
from gitgpu.adopt.first_build.software_change import SoftwareChange
from gitgpu.adopt.stack.view import bare_view
from gitgpu.inventory.observed import ObservedCluster
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.plan.cluster_plan import plan


def software_changes(running: ObservedCluster, inputs: Inputs, cluster: Cluster) -> Iterator[SoftwareChange]:
    """What the output for a cluster starts, stops, restarts or changes there: charts first, then other objects."""
    planned = plan(inputs, cluster)
    drivers = {pool.name: pool.driver for pool in planned.pools}
    view = bare_view(running, inputs.catalog_for(cluster))._replace(drivers=drivers)
    forecast = Forecast(view, planned, all_manifests(inputs, cluster))
    yield from chart_changes(forecast)
    yield from object_changes(forecast)
