"""What happens to the nodes of a running pool when its cluster gets the objects of the fleet."""

from typing import NamedTuple

from gitgpu.compare.change import Kind
from gitgpu.compare.pools import PoolChange


class PoolVerdict(NamedTuple):
    """The change of a pool. `of_class` is the name of its AKSNodeClass if that was not read, so it is unknown."""

    cluster: str
    change: PoolChange
    of_class: str = ""

    @property
    def keeps_nodes(self) -> bool:
        """Whether all nodes are certain to stay."""
        return not self.change.touches_nodes and not self.of_class

    @property
    def is_new(self) -> bool:
        """Whether the fleet has the pool, but the cluster does not have it yet."""
        return self.change.kind is Kind.ADDED

    @property
    def word(self) -> str:
        """keep, replace, or unknown."""
        if self.change.touches_nodes:
            return "replace"
        return "unknown" if self.of_class else "keep"

    @property
    def reason(self) -> str:
        """The reason for `word`, in words."""
        if self.of_class and not self.change.touches_nodes:
            return f"AKSNodeClass {self.of_class} was not read, so its settings are unknown: pass it too"
        return self.change.reason
