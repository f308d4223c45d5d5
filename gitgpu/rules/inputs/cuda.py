"""CUDA: the GPU architectures that a version can build for."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.syntax.version import version


def architectures(pool: Pool) -> set[str]:
    """The architectures of the NVIDIA GPUs of a pool. AMD005 reports CUDA on AMD GPUs."""
    gpus = [sku.gpu for sku in pool.skus if sku.gpu]
    return {gpu.architecture for gpu in gpus if gpu.manufacturer == "nvidia"}


def first(cuda: str, architecture: str, catalog: Catalog) -> str | None:
    """The first CUDA of the same major that builds for an architecture; None if there is none, or it is unknown."""
    row = catalog.facts("cuda", major(cuda))
    earliest = row["architectures"].get(architecture) if row else None
    return str(earliest) if earliest else None


def majors(architecture: str, catalog: Catalog) -> list[str]:
    """The major versions that build for an architecture, oldest first; empty if the catalog does not have it."""
    names = (name for name, row in catalog.rows("cuda").items() if architecture in row["architectures"])
    return sorted(names, key=version)


def major(cuda: str) -> str:
    """The major version."""
    return cuda.partition(".")[0]
