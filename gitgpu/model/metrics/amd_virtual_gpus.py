"""What AMD's exporter reports about a GPU in a VM: a virtual function, with fewer metrics than a bare-metal GPU."""

from gitgpu.model.catalog import Catalog


def virtual_gpu_metrics(catalog: Catalog) -> frozenset[str]:
    """The metrics that the exporter is known to have for a virtual GPU."""
    return frozenset(metric for metric, is_reported in catalog.must("series", "amd")["guest"].items() if is_reported)
