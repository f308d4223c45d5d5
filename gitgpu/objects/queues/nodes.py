"""The nodes that a ResourceFlavor stands for, and the labels that nodes of AKS can have."""

from itertools import chain

from gitgpu.access import mapping_at
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.labels import HOSTNAME_LABEL
from gitgpu.model.names.prefixes import AKS_PREFIX, AMD_PREFIX, NFD_PREFIX, NVIDIA_PREFIX
from gitgpu.objects.node.agent_pools import agent_pools, has_agent_pools, has_unknown_agent_pools
from gitgpu.objects.node.node_pools import foreign_pools, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.queues.flavors import Flavor
from gitgpu.objects.workload.offers import Offer, offer_of
from gitgpu.objects.workload.placement import is_pinned
from gitgpu.objects.workload.pods import Pod

_SOFTWARE = (AKS_PREFIX, AMD_PREFIX, NFD_PREFIX, NVIDIA_PREFIX)


def is_for_aks(objects: Objects) -> bool:
    """Whether all known nodes are those of AKS: there are some, and none of another cloud."""
    return objects.once("only nodes of AKS", lambda: _is_for_aks(objects))


def _is_for_aks(objects: Objects) -> bool:
    return bool(node_pools(objects) or has_agent_pools(objects)) and not foreign_pools(objects)


def pod_of(flavor: Flavor) -> Pod:
    """The pods of a flavor, as far as the flavor says: Kueue adds its labels to their node selector."""
    spec = {"nodeSelector": dict(flavor.labels), "tolerations": list(flavor.tolerations)}
    return Pod(flavor.item, ("spec",), spec, {})


def refusing_offers(flavor: Flavor, objects: Objects) -> tuple[Offer, ...]:
    """Why no NodePool has nodes with the labels of a flavor; () if one has, or if other nodes may be meant."""
    pools = node_pools(objects)
    if not pools or not flavor.labels or objects.patched_names(*NODE_POOL) or foreign_pools(objects):
        return ()
    pod = pod_of(flavor)
    if not is_pinned(pod, objects) and (not objects.closed or has_agent_pools(objects)):
        return ()
    offers = tuple(offer_of(pod, pool, objects) for pool in pools)
    return () if any(offer.agrees or offer.open for offer in offers) else offers


def may_have(label: str, objects: Objects) -> bool:
    """Whether a node of AKS may have a label: by AKS, by Kubernetes, by GPU software, or because a pool sets it."""
    row = objects.catalog.must("placement", "aks")
    known = {*row["wellKnown"], HOSTNAME_LABEL, *(later["key"] for later in row["later"])}
    if label in known or label.startswith(_SOFTWARE) or has_unknown_agent_pools(objects):
        return True
    return label in objects.once("labels of pools", lambda: _labels_of_pools(objects))


def _labels_of_pools(objects: Objects) -> frozenset[str]:
    own = chain.from_iterable((*pool.labels, *(entry.key for entry in pool.entries)) for pool in node_pools(objects))
    named = chain.from_iterable(mapping_at(pool.spec, "nodeLabels") for pool in agent_pools(objects))
    return frozenset((*own, *named))
