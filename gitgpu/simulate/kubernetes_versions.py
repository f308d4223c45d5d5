"""The Kubernetes versions of nodes, as objects state them."""

from collections.abc import Iterable, Iterator, Mapping

from gitgpu.access import list_at, reach
from gitgpu.model.names.kinds import AKS_NODE_CLASS, MANAGED_CLUSTER, MANAGED_CLUSTERS_AGENT_POOL, NODE
from gitgpu.model.syntax.version import numbers_in
from gitgpu.objects.objects import Item

_PLACES: Mapping[tuple[str, str], tuple[str, ...]] = {
    AKS_NODE_CLASS: ("status", "kubernetesVersion"),
    MANAGED_CLUSTER: ("spec", "kubernetesVersion"),
    MANAGED_CLUSTERS_AGENT_POOL: ("spec", "orchestratorVersion"),
    NODE: ("status", "nodeInfo", "kubeletVersion"),
}
_OF_POOL = "orchestratorVersion"


def stated_versions(items: Iterable[Item]) -> Iterator[str]:
    """The versions that node classes, AKS clusters, their node pools and nodes state, such as "1.37.2"."""
    for item in items:
        place = _PLACES.get(item.identity[:2])
        texts = [reach(item.body, *place)] if place else []
        if item.identity[:2] == MANAGED_CLUSTER:
            texts += [reach(pool, _OF_POOL) for pool in list_at(item.body, "spec", "agentPoolProfiles")]
        for text in texts:
            number = numbers_in(text) if isinstance(text, str) else ""
            if number:
                yield number
