"""What becomes of the nodes of a pool that runs, once its cluster gets what the fleet makes."""

from typing import NamedTuple

from gitgpu.compare.change import Kind
from gitgpu.compare.pools import PoolChange


class PoolVerdict(NamedTuple):
    """A pool of a cluster. `of_class` names the AKSNodeClass that was not read, so that nothing is known of it."""

    cluster: str
    change: PoolChange
    of_class: str = ""

    @property
    def keeps_nodes(self) -> bool:
        """Do all nodes stay?"""
        return not self.change.touches_nodes and not self.of_class

    @property
    def is_new(self) -> bool:
        """Does the fleet have it, and the cluster not yet?"""
        return self.change.kind is Kind.ADDED

    @property
    def word(self) -> str:
        """keep, replace, or unknown."""
        if self.change.touches_nodes:
            return "replace"
        return "unknown" if self.of_class else "keep"

    @property
    def reason(self) -> str:
        """Why, in words."""
        if self.of_class and not self.change.touches_nodes:
            return f"AKSNodeClass {self.of_class} was not read, so its settings are unknown: pass it too"
        return self.change.reason
