"""What AMD's exporter has of a GPU in a VM, which is a virtual function: less than of one on bare metal."""

from gitgpu.model.catalog import Catalog


def in_guests(catalog: Catalog) -> frozenset[str]:
    """The metrics that are known to be there."""
    return frozenset(metric for metric, there in catalog.must("series", "amd")["guest"].items() if there)
