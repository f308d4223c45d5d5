"""Where a cluster gets images and charts."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.plan.decided.registry import Registry


def registry(cluster: Cluster, catalog: Catalog) -> Registry:
    """The registry of a cluster; without any name where it uses the public ones."""
    wanted, charts = cluster.registry, cluster.registry.charts or ""
    signs_in = charts and not wanted.pull_secret and azure_name(charts.removeprefix("oci://"), catalog)
    return Registry(
        mirror=wanted.mirror or "",
        public=public_hosts(catalog) if wanted.mirror else frozenset(),
        secret=wanted.pull_secret or "",
        charts=charts,
        provider="azure" if signs_in else "",
    )


def public_hosts(catalog: Catalog) -> frozenset[str]:
    """The hosts of public registries."""
    return frozenset(host for name, row in catalog.rows("registries").items() for host in (name, *row["also"]))


def azure_name(reference: str, catalog: Catalog) -> str:
    """The name in Azure of the registry at the start of a reference, "" for any other registry.

    With a domain name label, the host is the name, a dash and a hash; a name has no dash.
    """
    host = reference.partition("/")[0]
    ends = tuple(row["registry"] for row in catalog.rows("clouds").values())
    return host.partition(".")[0].partition("-")[0] if host.endswith(ends) else ""
