"""Taints that a Karpenter node has only while it starts.

Karpenter ignores the same taints: StateNode.Taints of pkg/controllers/state/statenode.go in kubernetes-sigs/karpenter.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import list_at
from gitgpu.objects.node.node_pools import SPEC, node_pools
from gitgpu.objects.objects import Objects

_Taint = Mapping[str, Any]


def lasting_taints(
    taints: Sequence[_Taint], node_pool: str, objects: Objects, startup: Sequence[_Taint] = ()
) -> tuple[_Taint, ...]:
    """The taints of a node of this NodePool that stay once it is initialized. `startup` are those of its NodeClaim."""
    facts = objects.catalog.must("placement", "aks")
    prefixes = tuple(facts["ephemeralTaintPrefixes"])
    removed = (*facts["ephemeralTaints"], *_startup_taints(node_pool, objects), *startup)
    ephemeral = [_identity(taint) for taint in removed]
    lasting = [taint for taint in taints if _identity(taint) not in ephemeral]
    return tuple(taint for taint in lasting if not str(taint.get("key")).startswith(prefixes))


def _identity(taint: _Taint) -> tuple[object, object]:
    """Kubernetes identifies the taints of a node by key and effect."""
    return taint.get("key"), taint.get("effect")


def _startup_taints(name: str, objects: Objects) -> list[Any]:
    """The startupTaints of a NodePool, which something other than Karpenter removes from its nodes."""
    for pool in node_pools(objects):
        if pool.name == name:
            return list_at(pool.item.body, *SPEC, "startupTaints")
    return []
