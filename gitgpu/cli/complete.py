"""Words that a shell offers for names of the catalog."""

from click import Context, Parameter

from gitgpu.load.catalog import CatalogFiles
from gitgpu.model.catalog import Catalog


def sizes(_: Context, __: Parameter, start: str) -> list[str]:
    """The sizes that begin so, in any casing, with or without Standard_."""
    lower = start.lower()
    return [name for name in _names("skus") if name.lower().startswith((lower, f"standard_{lower}"))]


def regions(_: Context, __: Parameter, start: str) -> list[str]:
    """The regions that begin so."""
    return [name for name in _names("regions") if name.startswith(start.lower())]


def models(_: Context, __: Parameter, start: str) -> list[str]:
    """The models of GPUs that begin so, in any casing."""
    found = {gpu.model for gpu in Catalog(CatalogFiles()).gpus}
    return sorted(model for model in found if model.lower().startswith(start.lower()))


def _names(kind: str) -> tuple[str, ...]:
    return CatalogFiles().names(kind)
