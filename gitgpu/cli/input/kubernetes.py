"""The version of Kubernetes that counts if none is given."""

from gitgpu.model.catalog import Catalog
from gitgpu.model.syntax.version import version


def newest(catalog: Catalog) -> str:
    """The newest Kubernetes version that is generally available in AKS."""
    rows = catalog.rows("kubernetes").items()
    return max((name for name, row in rows if row["aks"]["status"] == "ga"), key=version)
