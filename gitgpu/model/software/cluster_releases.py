"""The releases of operators that a cluster of the fleet runs, as far as the spec and the catalog say."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import TypeAlias

from gitgpu.load.schemas import RELEASES, Schemas
from gitgpu.model.fleet import Cluster
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software
from gitgpu.model.software.run_by_aks import run_by_aks
from gitgpu.model.syntax.version import numbers_in

# The versions of projects such as "keda" that a cluster may run. A project without one may have any.
Versions: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]


def by_project(versions: Iterable[tuple[str, str]]) -> Versions:
    """Pairs of a project and a version, such as ("keda", "2.19"), as the versions of each project."""
    named: dict[str, list[str]] = {}
    for project, version in versions:
        named.setdefault(project, []).append(version)
    return tuple((project, tuple(listed)) for project, listed in named.items())


def cluster_releases(inputs: Inputs, cluster: Cluster) -> Versions:
    """The versions of the projects whose release is known: pinned, installed, or run by AKS."""
    return tuple(sorted(_releases(inputs, cluster)))


def _releases(inputs: Inputs, cluster: Cluster) -> Iterator[tuple[str, tuple[str, ...]]]:
    if cluster.karpenter:
        yield "karpenter", (cluster.karpenter,)
    for project, owner in (("keda", cluster.stack.keda), ("kaito", cluster.stack.kaito)):
        aks = run_by_aks(inputs.catalog, project, inputs.today, cluster.kubernetes) if owner == "addon" else None
        if aks and aks.releases:
            yield project, aks.releases
    catalog = inputs.catalog_for(cluster)
    for software in installed_software(inputs, cluster):
        if software in _projects():
            yield _projects()[software], (numbers_in(catalog.version(software)),)


@cache
def _projects() -> Mapping[str, str]:
    """The projects whose operators a chart installs, by the name of the chart in the catalog."""
    lists = (Schemas().contract(RELEASES) or {}).items()
    return {chart: project for project, row in lists if project[0] != "$" for chart in row["charts"]}
