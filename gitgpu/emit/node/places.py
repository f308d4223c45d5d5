"""Where the spec of a pool sets a value of the objects that it generates."""

from collections.abc import Mapping

from gitgpu.model.fleet import Pool
from gitgpu.model.spec.pool_places import PoolPlaces
from gitgpu.plan.decided.cluster import PoolPlan, Requirement
from gitgpu.plan.fields import agent_pool, node_class, node_pool
from gitgpu.source import Pointer


def _spec_places(keys: Mapping[Pointer, Pointer]) -> dict[Pointer, Pointer]:
    return {("spec", *field): key for field, key in keys.items()}


_NODE_POOL, _NODE_CLASS, _AGENT_POOL = map(_spec_places, (node_pool.KEYS, node_class.KEYS, agent_pool.KEYS))


def node_pool_places(planned: PoolPlan) -> PoolPlaces:
    """The places of a NodePool."""
    places = dict(_NODE_POOL)
    for index, wanted in enumerate(planned.requirements):
        places["spec", *node_pool.REQUIREMENTS, index] = _requirement_path(planned.pool, wanted)
    resources = planned.pool.limits.resources
    for name in planned.limits:
        if name in resources:
            places["spec", "limits", name] = ("limits", "resources", name)
        elif name == planned.resource:
            places["spec", "limits", name] = ("limits", "gpus")
    return PoolPlaces(planned.pool.origin, places)


def _requirement_path(pool: Pool, wanted: Requirement) -> Pointer:
    """The entry of nodeRequirements that a requirement comes from, or the key that generates it."""
    for index, entry in enumerate(pool.node_requirements):
        if (entry["key"], entry["operator"], tuple(entry.get("values", ()))) == wanted[:3]:
            return "nodeRequirements", index
    return node_pool.REQUIRED.get(wanted.key, ("sku",) if pool.sizes else ("requirements",))


def node_class_places(planned: PoolPlan) -> PoolPlaces:
    """The places of an AKSNodeClass."""
    return PoolPlaces(planned.pool.origin, _NODE_CLASS)


def agent_pool_places(planned: PoolPlan) -> PoolPlaces:
    """The places of an AKS node pool. A key of `agentPool` that the pool does not set is not a place."""
    settings = planned.node_pool.settings if planned.node_pool else {}
    unset = {("agentPool", name) for name in agent_pool.SETTINGS if name not in settings}
    keys = {field: key for field, key in _AGENT_POOL.items() if key[:2] not in unset}
    return PoolPlaces(planned.pool.origin, keys)
