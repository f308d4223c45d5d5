"""What AMD's exporter reports of a GPU in a VM. It is a virtual function, with fewer metrics than a bare-metal GPU."""

from gitgpu.model.catalog import Catalog


def virtual_gpu_metrics(catalog: Catalog) -> frozenset[str]:
    """The metrics that the exporter has of a virtual GPU, as far as that is known."""
    return frozenset(metric for metric, is_reported in catalog.must("series", "amd")["guest"].items() if is_reported)
