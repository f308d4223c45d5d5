"""Decisions about the health of GPUs: which conditions of nodes report it, and what sets them."""

from typing import NamedTuple

from gitgpu.plan.decided.daemon_placement import DaemonPlacement
from gitgpu.plan.decided.nodes import Nodes
from gitgpu.plan.decided.verification import Sample


class Condition(NamedTuple):
    """A condition of a node that is true if its GPUs are unhealthy. `types` are its spellings.

    `pattern` matches its line in the kernel log; "" if the log has none.
    """

    types: tuple[str, ...]
    pattern: str


class Detector(NamedTuple):
    """A node-problem-detector for nodes whose GPUs AKS does not check. It reads the kernel log.

    It has a DaemonSet for each of `placements`.
    """

    image: str
    placements: tuple[DaemonPlacement, ...]
    memory: str
    conditions: tuple[Condition, ...]
    rows: tuple[str, ...]


class Health(NamedTuple):
    """The conditions that are set on these nodes, and the detector that gitgpu installs for some of them."""

    nodes: tuple[Nodes, ...]
    conditions: tuple[Condition, ...]
    detector: Detector | None


class Care(NamedTuple):
    """How GPUs are checked: health conditions (None if not enabled), and a test of each pool."""

    health: Health | None
    samples: tuple[Sample, ...]
