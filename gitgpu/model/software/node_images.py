"""Node images: the operating system of an image family with a Kubernetes version."""

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.fleet import Pool
from gitgpu.model.syntax.version import inside, minor


def family(pool: Pool, catalog: Catalog) -> str:
    """The pool's image family, or the default of an AKSNodeClass or node pool.

    AKS chooses the release of Windows; "Windows" is not a family of the catalog.
    """
    if pool.windows:
        return str(pool.image.get("family") or "Windows")
    rows = catalog.rows("images").items()
    return str(pool.image.get("family") or next(name for name, row in rows if row["default"]))


def release(pool: Pool, kubernetes: str, catalog: Catalog) -> Facts | None:
    """The facts about the pool's image with a Kubernetes version, such as `os`; None if they are not known."""
    row = catalog.facts("images", family(pool, catalog))
    for entry in _versions(pool, row) if row else ():
        if within(kubernetes, entry["kubernetes"]):
            return entry
    return None


def _versions(pool: Pool, row: Facts) -> list[Facts]:
    """The images of the family by Kubernetes version. AKS node pools change at other versions than Karpenter."""
    versions: list[Facts] = row["versions"]
    if pool.by_karpenter:
        return versions
    systems = {entry["os"]: entry for entry in versions}
    return [{**systems.get(pool["os"], versions[-1]), **pool} for pool in row["pools"]]


def life(pool: Pool, kubernetes: str, catalog: Catalog) -> tuple[Facts, Facts] | None:
    """The pool's image family, and how long AKS supports its image: `endOfSupport`, `imagesRemoved`.

    None if that is not known. The operating system of FIPS images is not known.
    """
    row, image = catalog.facts("images", family(pool, catalog)), release(pool, kubernetes, catalog)
    if not row or not image or pool.image.get("fips"):
        return None
    lifetime = next((entry for entry in row["lifecycle"] if entry["os"] == image["os"]), None)
    return (row, lifetime) if lifetime else None


def within(kubernetes: str, bounds: str) -> bool:
    """Whether the minor version is inside bounds such as ">=1.25 <1.37"."""
    return inside(minor(kubernetes), bounds)
