"""Where a cluster gets images and charts."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.software.registries import azure_name, public_hosts
from gitgpu.plan.decided.registry import WHOLE_NAME, Registry


def registry(cluster: Cluster, catalog: Catalog) -> Registry:
    """The registry of a cluster; an empty one if it uses the public registries."""
    wanted, charts = cluster.registry, cluster.registry.charts or ""
    signs_in = charts and not wanted.pull_secret and azure_name(charts.removeprefix("oci://"), catalog)
    return Registry(
        mirror=wanted.mirror or "",
        public=public_hosts(catalog) if wanted.mirror else frozenset(),
        secret=wanted.pull_secret or "",
        charts=charts,
        provider="azure" if signs_in else "",
        name=wanted.name or WHOLE_NAME,
    )
