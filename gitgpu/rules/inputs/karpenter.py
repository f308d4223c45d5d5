"""The Karpenter release that AKS runs on a cluster: as set in the spec, otherwise according to the date."""

from collections.abc import Iterable

from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.karpenter import Release, first_with, running


def behind(clusters: Iterable[Cluster], since: str, inputs: Inputs) -> dict[Release, list[str]]:
    """The clusters whose Karpenter is known to be older than `since`: their names by release."""
    newest, older = running(inputs.catalog, inputs.today), dict[Release, list[str]]()
    for cluster in clusters:
        release = Release(cluster.karpenter) if cluster.karpenter else newest
        if release and release.older(since):
            older.setdefault(release, []).append(cluster.name)
    return older


def since_when(since: str, inputs: Inputs) -> str:
    """When AKS got a release, as text that follows its name."""
    first = first_with(inputs.catalog, since)
    return f"available on AKS as of {first}" if first else "not yet available on AKS"
