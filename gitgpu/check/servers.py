"""The Prometheus that KEDA asks: whose it is."""

from gitgpu.model.catalog import Catalog


def of_azure(server: str | None, catalog: Catalog) -> bool:
    """Is it the query endpoint of an Azure Monitor workspace?"""
    ends = tuple(row["prometheus"] for row in catalog.rows("clouds").values())
    address = (server or "").partition("://")[2].partition("/")[0]
    return address.rpartition("@")[2].partition(":")[0].lower().endswith(ends)
