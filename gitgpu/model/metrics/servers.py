"""The Prometheus that KEDA queries, and whether it is Azure's."""

from gitgpu.model.catalog import Catalog

DEFAULT = "defaultazuremonitorworkspace-"  # prefix of the name and the endpoint of each default workspace


def host(server: str | None) -> str:
    """The host of a URL in lower case, or ""."""
    address = (server or "").partition("://")[2].partition("/")[0]
    return address.rpartition("@")[2].partition(":")[0].lower()


def of_azure(server: str | None, catalog: Catalog) -> bool:
    """Whether it is the query endpoint of an Azure Monitor workspace."""
    return host(server).endswith(tuple(row["prometheus"] for row in catalog.rows("clouds").values()))


def of_default_workspace(server: str | None) -> bool:
    """Whether it is the query endpoint of a region's default workspace, which gets metrics if no other is chosen."""
    return host(server).startswith(DEFAULT)
