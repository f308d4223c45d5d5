"""Whether the cluster is an AKS Automatic cluster, and the pods and charts in it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods


def is_automatic(objects: Objects) -> bool:
    """Whether the only ManagedCluster is Automatic. With several, it is unknown which one the objects are for."""
    names = [reach(cluster.body, "spec", "sku", "name") for cluster in clusters(objects)]
    return names == ["Automatic"]


def pods_of_cluster(objects: Objects) -> Iterator[Pod]:
    """The pods of an AKS Automatic cluster; none if it is not one."""
    if is_automatic(objects):
        yield from pods(objects)


def releases_of_cluster(objects: Objects) -> Iterator[Release]:
    """The charts that are installed into an AKS Automatic cluster; none if it is not one."""
    if is_automatic(objects):
        yield from (release for release in releases(objects) if not release.cluster)
