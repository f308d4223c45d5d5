"""Which nodes a DaemonSet must run on, and what it meets there."""

from typing import NamedTuple


class Toleration(NamedTuple):
    """A toleration; value is "" where the taint has none."""

    key: str
    value: str
    effect: str


class Reach(NamedTuple):
    """The nodes that a DaemonSet must run on, and the taints that it meets there."""

    pools: tuple[str, ...]
    tolerations: tuple[Toleration, ...]
