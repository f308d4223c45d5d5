"""CUDA: which GPU architectures a version builds for."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import version


def first(cuda: str, architecture: str, catalog: Catalog) -> str | None:
    """The first CUDA of the same major that builds for an architecture; None where it has none, or is not known."""
    row = catalog.facts("cuda", major(cuda))
    earliest = row["architectures"].get(architecture) if row else None
    return str(earliest) if earliest else None


def majors(architecture: str, catalog: Catalog) -> list[str]:
    """The majors that build for an architecture, oldest first; none for one that the catalog does not have."""
    names = (name for name, row in catalog.rows("cuda").items() if architecture in row["architectures"])
    return sorted(names, key=version)


def major(cuda: str) -> str:
    """The major of a version."""
    return cuda.partition(".")[0]
