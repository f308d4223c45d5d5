"""How far a pool may grow, as frozen values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity


class Limits(NamedTuple):
    """The most that a pool may grow to; None where the spec sets no limit. cpu, memory and resources are quantities."""

    gpus: int | None = None
    cpu: str | None = None
    memory: str | None = None
    nodes: int | None = None
    resources: Mapping[str, str] = {}


class Nodes(NamedTuple):
    """How many nodes a node pool of AKS has; `most` is None where the spec sets none."""

    least: int = 0
    most: int | None = None


def limits(pool: Mapping[str, Any], skus: Sequence[Sku]) -> Limits:
    """The limits of the normalised spec of a pool: that of a static one is its number of nodes.

    A limit on the resource of its GPUs, in the words of Kubernetes, limits the GPUs as well.
    """
    if "replicas" in pool:
        return Limits(nodes=pool["replicas"])
    spec = pool.get("limits", {})
    amounts = {key: str(value) for key, value in spec.get("resources", {}).items()}
    of_gpus = next((amounts[sku.resource] for sku in skus if sku.resource in amounts), None)
    gpus = {} if of_gpus is None else {"gpus": int(quantity(of_gpus))}
    return Limits(**{**gpus, **spec, "resources": amounts})


def nodes(pool: Mapping[str, Any]) -> Nodes:
    """The numbers of nodes of the normalised spec of a node pool, or of a static pool."""
    if "replicas" in pool:
        return Nodes(pool["replicas"], pool["replicas"])
    spec = pool.get("nodes", {})
    return Nodes(spec.get("min", 0), spec.get("max"))
