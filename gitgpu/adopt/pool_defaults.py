"""Moves values that all pools of a cluster share to `Cluster.spec.pool`."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.adopt.adoption import SpecDocument
from gitgpu.load.spec.shape import fleet_schema

# Properties of single pools. A default would also give them to every new pool: the labels of another size, for example.
_OWN = frozenset({"labels", "annotations", "taints", "startupTaints", "tags", "patches"})
_OWN_LIFETIMES = frozenset({"expireAfter", "terminationGracePeriod"})  # keys of `disruption`
_MIN_POOLS = 2  # a single one shares nothing


def with_pool_defaults(cluster: SpecDocument, pools: Sequence[SpecDocument]) -> list[SpecDocument]:
    """The Cluster with the values that all of its pools have, and the pools without these values.

    A value is not moved if a pool lacks it: the pool could not unset it.
    """
    common = _decisions(_common([pool.spec for pool in pools])) if len(pools) >= _MIN_POOLS else {}
    if not common:
        return [cluster, *pools]
    without = [pool._replace(spec=_without(pool.spec, common)) for pool in pools]
    return [cluster._replace(spec={**cluster.spec, "pool": common}), *without]


def _decisions(common: Mapping[str, Any]) -> dict[str, Any]:
    """The values that a Cluster can set for its pools, without those that belong to single pools."""
    keys = fleet_schema()["definitions"]["poolDefaults"]["properties"].keys() - _OWN
    decisions = {key: value for key, value in common.items() if key in keys}
    if "disruption" in decisions:
        shared = {key: value for key, value in decisions.pop("disruption").items() if key not in _OWN_LIFETIMES}
        decisions |= {"disruption": shared} if shared else {}
    return decisions


def _common(mappings: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The values that are the same in all mappings, which may be nested."""
    first, *others = mappings
    return dict(_shared(first, others))


def _shared(first: Mapping[str, Any], others: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Any]]:
    for key, value in first.items():
        found = [other.get(key) for other in others]
        if all(other == value for other in found):
            yield key, value
            continue
        mappings = [other for other in (value, *found) if isinstance(other, Mapping)]
        common = _common(mappings) if len(mappings) > len(found) else {}
        if common:
            yield key, common


def _without(spec: Mapping[str, Any], common: Mapping[str, Any]) -> dict[str, Any]:
    """The spec without these values, and without mappings that become empty."""
    rest: dict[str, Any] = {}
    for key, value in spec.items():
        if key not in common:
            rest[key] = value
        elif value != common[key]:
            rest[key] = _without(value, common[key])
    return rest
