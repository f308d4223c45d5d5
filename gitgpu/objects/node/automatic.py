"""Whether a cluster is an AKS Automatic cluster, and which namespaces its safeguards exclude, as far as objects say."""

from dataclasses import replace

from gitgpu.access import reach
from gitgpu.model.names.kinds import NODE, VALIDATING_ADMISSION_POLICY
from gitgpu.objects.node.agent_pools import clusters
from gitgpu.objects.objects import Objects
from gitgpu.objects.safeguards import Safeguards


def is_automatic(objects: Objects) -> bool:
    """Whether the cluster is known to be Automatic: by the options, a ManagedCluster, or what only such clusters have.

    With several ManagedClusters, it is unknown which one the objects are for.
    """
    names = [reach(cluster.body, "spec", "sku", "name") for cluster in clusters(objects)]
    return objects.safeguards is not None or names == ["Automatic"] or (not names and _has_signs(objects))


def _has_signs(objects: Objects) -> bool:
    """Whether there is the admission policy, or a node, that only AKS Automatic clusters have."""
    row = objects.catalog.must("admission", "aks-automatic")
    if any(item.identity.name == row["policy"] for item in objects.of(*VALIDATING_ADMISSION_POLICY)):
        return True
    return any(reach(item.body, "metadata", "labels", row["nodeLabel"]) == "true" for item in objects.of(*NODE))


def excluded_namespaces(objects: Objects) -> tuple[str, ...] | None:
    """The namespaces that the cluster excludes from its safeguards; None if they are not known."""
    return objects.safeguards.excluded if objects.safeguards else None


def with_safeguards(objects: Objects, known: Safeguards | None) -> Objects:
    """The objects, with the safeguards of their cluster if it is an AKS Automatic one. `known` are those in Azure."""
    given = replace(objects, safeguards=known, sorted={}, cache={})
    safeguards = Safeguards(excluded_namespaces(given)) if is_automatic(given) else None
    return replace(objects, safeguards=safeguards, sorted={}, cache={})
