"""How far a pool may grow, as frozen values."""

from typing import NamedTuple


class Limits(NamedTuple):
    """The most that a pool may grow to; None where nothing is said. cpu and memory are quantities."""

    gpus: int | None = None
    cpu: str | None = None
    memory: str | None = None
    nodes: int | None = None


class Nodes(NamedTuple):
    """How many nodes a node pool of AKS has; `most` is None where nothing is said."""

    least: int = 0
    most: int | None = None
