"""Decisions about the test of a pool."""

from typing import NamedTuple

from gitgpu.model.spec.origin import SpecObject
from gitgpu.plan.decided.claims import Claim
from gitgpu.plan.decided.daemon_placement import Toleration
from gitgpu.plan.decided.nodes import Nodes


class Sample(NamedTuple):
    """A pod that tests a pool: it must see `gpus` GPUs and a driver of this branch or a newer one, and compute.

    It requests them with `claim` or, if that is None, by the count of `resource`. `driver` is "" if any will do.
    """

    pool: str
    mark: SpecObject
    manufacturer: str
    image: str
    resource: str
    gpus: int
    claim: Claim | None
    driver: str
    nodes: tuple[Nodes, ...]
    tolerations: tuple[Toleration, ...]
    rows: tuple[str, ...]
