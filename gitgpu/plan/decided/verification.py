"""What is decided about the test of a pool."""

from typing import NamedTuple

from gitgpu.model.spec.origin import SpecObject
from gitgpu.plan.decided.claims import Claim
from gitgpu.plan.decided.daemon_placement import Toleration
from gitgpu.plan.decided.nodes import Nodes


class Sample(NamedTuple):
    """A pod that proves a pool: it must see `gpus` GPUs and a driver of this branch or a newer one, and compute.

    It asks for them by `claim`, or without one by the count of `resource`. `driver` is "" where any will do.
    """

    pool: str
    mark: SpecObject
    manufacturer: str
    image: str
    resource: str
    gpus: int
    claim: Claim | None
    driver: str
    nodes: Nodes
    tolerations: tuple[Toleration, ...]
    rows: tuple[str, ...]
