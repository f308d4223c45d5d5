"""How far a pool may grow, as frozen values."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import quantity


class Limits(NamedTuple):
    """The limits of a pool's growth; None if the spec does not set one. cpu, memory and resources are quantities."""

    gpus: int | None = None
    cpu: str | None = None
    memory: str | None = None
    nodes: int | None = None
    resources: Mapping[str, str] = {}


class Nodes(NamedTuple):
    """The number of nodes of an AKS node pool. `maximum` is None if the spec does not set it.

    `sizes` are those of single sizes of a pool of virtual machines, by their names as written: each of the others has
    `minimum` and `maximum`.
    """

    minimum: int = 0
    maximum: int | None = None
    sizes: "Mapping[str, Nodes]" = {}  # noqa: RUF012  nothing changes it, and a proxy cannot be pickled


def limits(pool: Mapping[str, Any], skus: Sequence[Sku]) -> Limits:
    """The limits in the normalised spec of a pool. The limit of a static pool is its number of nodes.

    A limit on the Kubernetes resource of its GPUs also limits the number of GPUs.
    """
    if "replicas" in pool:
        return Limits(nodes=pool["replicas"])
    spec = pool.get("limits", {})
    amounts = {key: str(value) for key, value in spec.get("resources", {}).items()}
    gpu_limit = next((amounts[sku.resource] for sku in skus if sku.resource in amounts), None)
    gpus = {} if gpu_limit is None else {"gpus": int(quantity(gpu_limit))}
    return Limits(**{**gpus, **spec, "resources": amounts})


def nodes(pool: Mapping[str, Any], *, is_fixed: bool = False) -> Nodes:
    """The number of nodes in the normalised spec of a node pool, or of a static pool.

    Of a fixed node pool, one of `min` and `max` is enough.
    """
    if "replicas" in pool:
        return Nodes(pool["replicas"], pool["replicas"])
    spec = pool.get("nodes", {})
    sizes = {name: _bounds(own, is_fixed=is_fixed) for name, own in spec.get("sizes", {}).items()}
    return _bounds(spec, is_fixed=is_fixed)._replace(sizes=sizes)


def _bounds(spec: Mapping[str, Any], *, is_fixed: bool) -> Nodes:
    minimum, maximum = spec.get("min"), spec.get("max")
    if is_fixed:
        minimum, maximum = (maximum, maximum) if minimum is None else (minimum, minimum if maximum is None else maximum)
    return Nodes(minimum or 0, maximum)
