"""Which nodes a pod goes to, and what it tolerates there."""

from typing import NamedTuple

from gitgpu.plan.decided.nodes import Nodes


class Toleration(NamedTuple):
    """A toleration; value is "" where the taint has none."""

    key: str
    value: str
    effect: str


class DaemonPlacement(NamedTuple):
    """The nodes that a DaemonSet must run on, and the taints that it meets there."""

    pools: Nodes
    tolerations: tuple[Toleration, ...]
