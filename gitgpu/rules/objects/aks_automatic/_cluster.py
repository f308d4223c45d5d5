"""Whether the cluster is an AKS Automatic cluster, and the pods and charts in it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.model.catalog import Facts
from gitgpu.model.names.kinds import NODE, VALIDATING_ADMISSION_POLICY
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod, pods

FLUX = "flux-system"


def facts(objects: Objects) -> Facts:
    """What AKS Automatic refuses and changes."""
    return objects.catalog.must("admission", "aks-automatic")


def protected_namespaces(objects: Objects) -> list[str]:
    """The namespaces in which only AKS creates workloads; the accounts of Flux create those in its own."""
    return [name for name in facts(objects)["protectedNamespaces"] if name != FLUX]


def is_automatic(objects: Objects) -> bool:
    """Whether the cluster is known to be Automatic: by the options, a ManagedCluster, or what only such clusters have.

    With several ManagedClusters, it is unknown which one the objects are for.
    """
    names = [reach(cluster.body, "spec", "sku", "name") for cluster in clusters(objects)]
    return objects.safeguards is not None or names == ["Automatic"] or (not names and _has_signs(objects))


def _has_signs(objects: Objects) -> bool:
    """Whether there is the admission policy, or a node, that only AKS Automatic clusters have."""
    row = facts(objects)
    if any(item.identity.name == row["policy"] for item in objects.of(*VALIDATING_ADMISSION_POLICY)):
        return True
    return any(reach(item.body, "metadata", "labels", row["nodeLabel"]) == "true" for item in objects.of(*NODE))


def excluded_namespaces(objects: Objects) -> tuple[str, ...] | None:
    """The namespaces that the cluster excludes from its safeguards; None if they are not known."""
    return objects.safeguards.excluded if objects.safeguards else None


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
