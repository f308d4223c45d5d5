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
    return release_of(family(pool, catalog), kubernetes, catalog, by_karpenter=pool.by_karpenter)


def release_of(name: str, kubernetes: str, catalog: Catalog, *, by_karpenter: bool) -> Facts | None:
    """The same for an image family by its name, of Karpenter or of node pools."""
    row = catalog.facts("images", name)
    for entry in releases(row, by_karpenter=by_karpenter) if row else ():
        if within(kubernetes, entry["kubernetes"]):
            return entry
    return None


def releases(row: Facts, *, by_karpenter: bool) -> list[Facts]:
    """The images of a family by Kubernetes version. AKS node pools change at other versions than Karpenter."""
    versions: list[Facts] = row["versions"]
    if by_karpenter:
        return versions
    systems = {entry["os"]: entry for entry in versions}
    return [{**systems.get(pool["os"], versions[-1]), **pool} for pool in row["pools"]]


def life(pool: Pool, kubernetes: str, catalog: Catalog) -> tuple[Facts, Facts] | None:
    """The pool's image family, and how long AKS supports its image: `endOfSupport`, `imagesRemoved`.

    None if that is not known. The operating system of FIPS images is not known.
    """
    if pool.image.get("fips"):
        return None
    return life_of(family(pool, catalog), kubernetes, catalog, by_karpenter=pool.by_karpenter)


def life_of(name: str, kubernetes: str, catalog: Catalog, *, by_karpenter: bool) -> tuple[Facts, Facts] | None:
    """The same for an image family by its name, without FIPS."""
    row, image = catalog.facts("images", name), release_of(name, kubernetes, catalog, by_karpenter=by_karpenter)
    if not row or not image:
        return None
    lifetime = next((entry for entry in row["lifecycle"] if entry["os"] == image["os"]), None)
    return (row, lifetime) if lifetime else None


def fips_architectures(name: str, catalog: Catalog, *, by_karpenter: bool) -> tuple[str, ...]:
    """The CPU architectures with a FIPS image of a family, of Karpenter or of node pools; () if none is known."""
    if by_karpenter:
        row = catalog.facts("images", name)
        return tuple(row["fips"]["architectures"]) if row else ()
    systems = {system["name"]: system for system in catalog.must("pools", "aks")["osSkus"]}
    return tuple(systems.get(name, {}).get("fips") or ())


def fips_families(catalog: Catalog, architecture: str = "") -> list[str]:
    """The image families of Karpenter with a FIPS image for an architecture, or for any."""
    fips = {name: row["fips"] for name, row in catalog.rows("images").items()}
    return [name for name, row in fips.items() if row["supported"] and architecture in ("", *row["architectures"])]


def within(kubernetes: str, bounds: str) -> bool:
    """Whether the minor version is inside bounds such as ">=1.25 <1.37"."""
    return inside(minor(kubernetes), bounds)
