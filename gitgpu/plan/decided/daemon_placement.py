"""Which nodes a pod runs on, and which taints it tolerates."""

from typing import NamedTuple

from gitgpu.plan.decided.nodes import Nodes


class Toleration(NamedTuple):
    """A toleration; `value` is "" if the taint has none, and all three are "" for every taint."""

    key: str
    value: str
    effect: str


class DaemonPlacement(NamedTuple):
    """The nodes that a DaemonSet must run on, and tolerations for the taints there.

    `pool` is the name of the pool if the DaemonSet is for the nodes of that pool alone, else "".
    """

    pools: tuple[Nodes, ...]
    tolerations: tuple[Toleration, ...]
    pool: str = ""
