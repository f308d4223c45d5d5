"""Converts the limits of a NodePool to GpuPool limits, which count whole GPUs."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

from gitgpu.model.sku import Sku
from gitgpu.model.syntax.quantity import FORM, quantity

_AS_THEY_ARE = ("cpu", "memory")
_ORDER = ("gpus", "cpu", "memory", "nodes", "resources")


def limit_keys(limits: Mapping[str, Any], skus: Sequence[Sku], partition: Mapping[str, Any] | None) -> dict[str, Any]:
    """The keys of a GpuPool that generate these limits: `limits`, or `retire` if they allow no node."""
    resource = skus[0].resource
    every = {name: _amount(limit) for name, limit in limits.items()}
    amounts = {name: amount for name, amount in every.items() if amount is not None}
    if amounts.keys() >= {resource, "cpu"} and not any(amounts.values()):
        return {"retire": True}
    bounds: dict[str, Any] = {key: str(limits[key]) for key in _AS_THEY_ARE if key in amounts}
    bounds |= _whole_gpus(amounts, skus, shares_of(partition))
    others = {key: str(limits[key]) for key in sorted(amounts) if key not in (*_AS_THEY_ARE, "nodes", resource)}
    if resource in amounts and "gpus" not in bounds:
        others[resource] = str(limits[resource])
    if others:
        bounds["resources"] = others
    if not bounds:
        return {}
    return {"limits": {key: bounds[key] for key in _ORDER if key in bounds}}


def _whole_gpus(amounts: Mapping[str, Decimal], skus: Sequence[Sku], shares: int) -> dict[str, int]:
    """The limits of GPUs and nodes that are whole numbers. Each GPU is advertised as `shares` resources."""
    nodes, advertised = _whole(amounts.get("nodes")), amounts.get(skus[0].resource)
    gpus = None if advertised is None else _whole(advertised / shares)
    if gpus is not None and shares > 1 and nodes == _room(gpus, skus):  # gitgpu writes this limit itself
        nodes = None
    return {key: count for key, count in (("gpus", gpus), ("nodes", nodes)) if count is not None}


def shares_of(partition: Mapping[str, Any] | None) -> int:
    """The number of resources that each GPU is advertised as."""
    for method, settings in (partition or {}).items():
        if method != "mig":
            return int(settings["replicas"])
        if settings.get("strategy", "single") == "single":
            profiles = settings["profiles"]
            return sum((profiles[0] if isinstance(profiles, list) else profiles).values())
    return 1


def _room(gpus: int, skus: Sequence[Sku]) -> int | None:
    """The limit of nodes that gitgpu itself sets for a pool with shared GPUs; None for sizes that differ."""
    each = {sku.gpus for sku in skus}
    return gpus // (each.pop() or 1) if len(each) == 1 else None


def _amount(value: Any) -> Decimal | None:
    return quantity(str(value)) if FORM.match(str(value)) else None


def _whole(amount: Decimal | None) -> int | None:
    return int(amount) if amount is not None and amount == int(amount) else None
