"""A pool of nodes as it was adopted: what other parts of adopting need to know of it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.load.inventory.observed import Observed


class AdoptedPool(NamedTuple):
    """A GpuPool by name, and the objects that it was adopted from: a NodePool and its AKSNodeClass, or a node pool.

    `spec` is the spec of the GpuPool without what the stack and its inference add (driver, partition).
    """

    name: str
    observed: tuple[Observed, ...]
    spec: Mapping[str, Any]
