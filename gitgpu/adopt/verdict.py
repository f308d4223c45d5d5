"""What happens to the nodes of a running pool when its cluster gets the objects of the fleet."""

from typing import NamedTuple

from gitgpu.compare.change import Kind
from gitgpu.compare.nodes import UNKNOWN
from gitgpu.compare.pools import NONE, PoolChange
from gitgpu.model.names.kinds import MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL


class PoolVerdict(NamedTuple):
    """The change of a pool. `unread_class` is the name of its AKSNodeClass if that was not read, so it is unknown."""

    cluster: str
    change: PoolChange
    unread_class: str = ""

    @property
    def keeps_nodes(self) -> bool:
        """Whether all nodes are certain to stay."""
        return not self.change.touches_nodes and not self.unread_class

    @property
    def is_new(self) -> bool:
        """Whether the fleet has the pool, but the cluster does not have it yet."""
        return self.change.kind is Kind.ADDED

    @property
    def word(self) -> str:
        """keep, replace, or unknown."""
        if self.change.touches_nodes:
            return "replace"
        return "unknown" if self.unread_class else "keep"

    @property
    def reason(self) -> str:
        """The reason for `word`, in words."""
        if self.unread_class and not self.change.touches_nodes:
            return f"AKSNodeClass {self.unread_class} was not read, so its settings are unknown: pass it too"
        return self.change.reason


def unchanged_pool(kind: str, name: str) -> PoolChange:
    """The change of a pool whose objects stay as they are."""
    reason = "no node is replaced"
    return PoolChange(name=name, of=kind, kind=None, replaced=NONE, reason=reason, before=UNKNOWN, after=UNKNOWN)


def unchanged_verdict(cluster: str, name: str, *, by_karpenter: bool) -> PoolVerdict:
    """The verdict for a pool of a cluster for which the same is built as before."""
    return PoolVerdict(
        cluster, unchanged_pool(NODE_POOL.kind if by_karpenter else MANAGED_CLUSTERS_AGENT_POOL.kind, name)
    )
