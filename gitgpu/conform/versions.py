"""Which versions of a kind an API server serves: the catalog's rows apis/<group>."""

from typing import Any, NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.version import version


class Served(NamedTuple):
    """What is known of one version of a kind: gone, or only deprecated, and what to write instead."""

    gone: bool
    since: str
    use: str


def served(catalog: Catalog, kubernetes: str, api_version: str, kind: str) -> Served | None:
    """What is against a version of a kind on a Kubernetes minor version; None when nothing is known."""
    family, _, name = api_version.rpartition("/")
    row: Any = catalog.facts("apis", family or "core")
    for one in row["versions"] if row else ():
        if one["version"] == name and kind in one["kinds"]:
            removed = one["removed"]
            gone = removed == "always" or (removed is not None and version(kubernetes) >= version(removed))
            return Served(gone, "" if removed == "always" else (removed or ""), one["use"])
    return None
