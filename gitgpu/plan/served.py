"""What is decided about models: the object that asks KAITO for one, and what holds a node for it."""

from collections.abc import Mapping
from typing import NamedTuple

from gitgpu.model.fleet import Model, Taint


class ModelPlan(NamedTuple):
    """A model that KAITO runs, as an object of this kind and version on nodes with the labels of `selector`.

    `size` is "" where the object names none. vLLM's pods have the labels `pods`, and show their metrics at `port`.
    """

    model: Model
    kind: str
    version: str
    pool: str
    size: str
    selector: Mapping[str, str]
    pods: Mapping[str, str]
    port: int


class Holder(NamedTuple):
    """A pod that brings a node of a pool and holds it: for good when `lasting`, else until KAITO's pod is there.

    `taints` are those that it tolerates.
    """

    name: str
    namespace: str
    pool: str
    taints: tuple[Taint, ...]
    image: str
    lasting: bool
    rows: tuple[str, ...]
