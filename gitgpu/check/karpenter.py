"""The release of Karpenter that AKS runs on a cluster, as far as is known."""

from collections.abc import Iterable

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.model.version import minor, version


def behind(clusters: Iterable[Cluster], since: str, catalog: Catalog) -> dict[str, list[str]]:
    """The clusters whose Karpenter is known to be older than `since`: the release to the names of its clusters."""
    found: dict[str, list[str]] = {}
    for cluster in clusters:
        row = catalog.facts("kubernetes", minor(cluster.kubernetes))
        release = row["karpenter"] if row else None
        if release and version(release) < version(since):
            found.setdefault(release, []).append(cluster.name)
    return found
