"""Decisions about models: the object that requests one from KAITO, and the pod that holds a node for it."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.fleet import Model
from gitgpu.plan.decided.charts import Kaito
from gitgpu.plan.decided.daemon_placement import DaemonPlacement


class ModelPlan(NamedTuple):
    """A model that KAITO runs, as an object of this kind and version on nodes with the labels of `selector`.

    `size` is "" if the object names none. vLLM's pods have the labels `pods`, and serve their metrics at `port`.
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
    """A pod that brings up a node of a pool and holds it: permanently if `lasting`, else until KAITO's pod is there.

    `task` is what is tuned, {} if `lasting`: when it changes, KAITO tunes again and needs a node again.
    """

    name: str
    namespace: str
    pool: str
    placement: DaemonPlacement
    image: str
    lasting: bool
    task: Mapping[str, Any]
    rows: tuple[str, ...]


class Serving(NamedTuple):
    """What KAITO runs on a cluster; `charts` is None if the add-on of AKS installs KAITO, or nothing does."""

    charts: Kaito | None
    models: tuple[ModelPlan, ...]
    holders: tuple[Holder, ...]
