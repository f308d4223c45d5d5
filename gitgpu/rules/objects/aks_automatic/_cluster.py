"""Whether the cluster is an AKS Automatic cluster, and the pods and charts in it."""

from collections.abc import Iterator

from gitgpu.model.catalog import Facts
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.automatic import excluded_namespaces, is_automatic
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pods

FLUX = "flux-system"


def facts(objects: Objects) -> Facts:
    """What AKS Automatic refuses and changes."""
    return objects.catalog.must("admission", "aks-automatic")


def protected_namespaces(objects: Objects) -> list[str]:
    """The namespaces in which only AKS creates workloads; the accounts of Flux create those in its own."""
    return [name for name in facts(objects)["protectedNamespaces"] if name != FLUX]


def is_checked(item: Item, objects: Objects) -> bool:
    """Whether the safeguards read an object: not in excluded namespaces, nor in those of AKS."""
    namespace = item.identity.namespace or "default"
    return namespace not in (*protected_namespaces(objects), *(excluded_namespaces(objects) or ()))


def pods_of_cluster(objects: Objects) -> Iterator[Pod]:
    """The pods of an AKS Automatic cluster in namespaces that are not known to be excluded; none on another cluster."""
    if is_automatic(objects):
        without = excluded_namespaces(objects) or ()
        yield from (pod for pod in pods(objects) if (pod.item.identity.namespace or "default") not in without)


def releases_of_cluster(objects: Objects) -> Iterator[Release]:
    """The charts that are installed into such namespaces of an AKS Automatic cluster; none on another cluster."""
    if is_automatic(objects):
        without = excluded_namespaces(objects) or ()
        yield from (
            release
            for release in releases(objects)
            if not release.cluster and (release.namespace or "default") not in without
        )
