"""What the objects of a cluster do not say of it."""

from collections.abc import Mapping
from decimal import Decimal
from typing import NamedTuple

from gitgpu.conform.objects import Identity
from gitgpu.simulate.explain.refused import Refused


class Setup(NamedTuple):
    """What the objects of a cluster do not say of it.

    `spot` are prices of spot nodes by size, `overhead` is what daemons that are not among the objects take from a node,
    `bare` are workloads of which only the part about GPUs is known, `refused` what no API server would take.
    """

    cluster: str
    region: str
    max_pods: int
    spot: Mapping[str, float] = {}
    overhead: Mapping[str, Decimal] = {}
    bare: frozenset[Identity] = frozenset()
    refused: tuple[Refused, ...] = ()
