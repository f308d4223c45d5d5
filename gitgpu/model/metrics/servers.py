"""The Prometheus that KEDA asks: whose it is."""

from gitgpu.model.catalog import Catalog

DEFAULT = "defaultazuremonitorworkspace-"  # how the name of each region's default workspace begins, and its endpoint


def host(server: str | None) -> str:
    """The host of a URL in lower case, "" for none."""
    address = (server or "").partition("://")[2].partition("/")[0]
    return address.rpartition("@")[2].partition(":")[0].lower()


def of_azure(server: str | None, catalog: Catalog) -> bool:
    """Is it the query endpoint of an Azure Monitor workspace?"""
    return host(server).endswith(tuple(row["prometheus"] for row in catalog.rows("clouds").values()))


def of_default_workspace(server: str | None) -> bool:
    """Is it the query endpoint of the default workspace of a region, to which metrics go unless another is named?"""
    return host(server).startswith(DEFAULT)
