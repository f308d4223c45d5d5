"""How many MPS clients NVIDIA's control daemon accepts on a GPU."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.version import version


def client_limits(catalog: Catalog) -> list[int]:
    """The most clients of a GPU, for each kind of GPU: the last is that of the newest GPUs, and the highest."""
    return [bound["most"] for bound in catalog.must("devices", "nvidia")["mpsClients"]]


def client_limit(sku: Sku, catalog: Catalog) -> int:
    """The most clients of a GPU of the size. If its compute capability is not known, that of the newest GPUs."""
    capability = sku.gpu.compute_capability if sku.gpu else None
    for bound in catalog.must("devices", "nvidia")["mpsClients"] if capability else ():
        if bound["below"] is None or version(capability) < version(bound["below"]):
            return int(bound["most"])
    return client_limits(catalog)[-1]
