"""The Prometheus that KEDA asks: whose it is, and where that is written."""

from gitgpu.check.written import is_written
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.origin import Origin
from gitgpu.source import Pointer


def of_azure(server: str | None, catalog: Catalog) -> bool:
    """Is it the query endpoint of an Azure Monitor workspace?"""
    ends = tuple(row["prometheus"] for row in catalog.rows("clouds").values())
    address = (server or "").partition("://")[2].partition("/")[0]
    return address.rpartition("@")[2].partition(":")[0].lower().endswith(ends)


def place(inputs: Inputs, cluster: Cluster, field: str) -> tuple[Origin, Pointer]:
    """Where a field of a cluster's metrics is written: on the Cluster, or in the Fleet's defaults."""
    own: Pointer = ("spec", "stack", "metrics", field)
    if is_written(cluster.origin, own):
        return cluster.origin, own
    return inputs.fleet.origin, ("spec", "defaults", "stack", "metrics", field)
