"""Each pool of a cluster before and after: what happens to its nodes, and how far it can grow."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.compare.abandoned_nodes import retires, stops, stops_on_staying_pool
from gitgpu.compare.change import Change, Field, Kind
from gitgpu.compare.drift import ChangedFields, verdict
from gitgpu.compare.handed_over import Owners, how_to_detach, new_owner, was_in_page
from gitgpu.compare.nodes import AtLimits, Context, Pool
from gitgpu.compare.rollout import Rollout, rollout
from gitgpu.compare.running_nodes import label
from gitgpu.compare.second_plugin import second_plugin
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import Key
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_POOL

Pools: TypeAlias = Mapping[tuple[str, str], Pool]
NONE = "none"
RETIRED = "remove it from the spec when they are gone"
MOVED = (
    "its provisioner changes, which makes it another pool, and no node or pod moves; to move them, keep it, add a pool "
    "with a different name to its workloads, retire this one, drain its nodes, and then remove it"
)


class Remaining(NamedTuple):
    """The removed objects that the engine does not delete, and what describes the node pools on each side."""

    kept: Collection[Key] = ()
    owners: Sides[Owners] = Sides(Owners({}, {}), Owners({}, {}))


class PoolChange(NamedTuple):
    """A pool. `kind` is None if nothing about it changes; `replaced` is all, some or none of its nodes.

    `refused` are fields that need a new pool; `successor` is the new name of a renamed pool; `stops` is what no longer
    serves its running nodes, before any of them is replaced.
    """

    name: str
    of: str
    kind: Kind | None
    replaced: str
    reason: str
    before: AtLimits | None
    after: AtLimits | None
    roll: Rollout | None = None
    refused: tuple[str, ...] = ()
    successor: str = ""
    stops: tuple[str, ...] = ()

    @property
    def touches_nodes(self) -> bool:
        """Whether nodes are lost, now or when the change is completed by hand."""
        return self.replaced != NONE or bool(self.refused) or self.kind is Kind.REMOVED


def pool_changes(
    sides: Sides[Pools], changes: Sequence[Change], remaining: Remaining, context: Context
) -> Iterator[PoolChange]:
    """Every pool of a cluster."""
    before, after = sides
    kept = remaining.kept
    fields = {(change.object.identity.kind, change.object.identity.name): change.fields for change in changes}
    for key in sorted(before.keys() | after.keys()):
        was, now = before.get(key), after.get(key)
        if was and now:
            change = _changed(was, now, fields, context)
            reason = "; ".join(filter(None, (change.reason, second_plugin(was, now, changes))))
            yield change._replace(reason=reason, stops=tuple(stops_on_staying_pool(was, changes)))
        elif now:
            yield _taken_over(now) if was_in_page(now.object, remaining.owners.before) else _added(now)
        elif was and (owner := new_owner(was.object, remaining.owners.after)):
            yield _handed_over(was, owner, kept)
        elif was:
            removed = _removed(was, after, before, kept)
            stay = was.object.key in kept and not retires(was)
            yield removed._replace(stops=tuple(stops(was, changes, kept))) if stay else removed


def _changed(was: Pool, now: Pool, fields: Mapping[tuple[str, str], tuple[Field, ...]], context: Context) -> PoolChange:
    name = now.object.identity.name
    pool_fields = fields.get((now.kind, name), ())
    class_fields = fields.get((AKS_NODE_CLASS.kind, now.class_name), ()) if now.node_class else ()
    outcome = verdict(was, now, ChangedFields(pool_fields, class_fields), context)
    if retires(now) and not retires(was) and outcome.replaced == NONE and not outcome.refused:
        reason = f"it is being retired: no new nodes, and existing nodes stay until their pods leave; {RETIRED}"
        outcome = outcome._replace(reason=reason)
    kind = Kind.CHANGED if pool_fields or class_fields else None
    rolled = rollout(now, was.limits.nodes, context.minutes) if outcome.replaced != NONE else None
    return PoolChange(
        name=name,
        of=now.kind,
        kind=kind,
        replaced=outcome.replaced,
        reason=outcome.reason,
        before=was.limits,
        after=now.limits,
        roll=rolled,
        refused=outcome.refused,
    )


def _added(now: Pool) -> PoolChange:
    return PoolChange(
        name=now.object.identity.name,
        of=now.kind,
        kind=Kind.ADDED,
        replaced=NONE,
        reason="a new pool",
        before=None,
        after=now.limits,
    )


def _taken_over(now: Pool) -> PoolChange:
    """A node pool of the runbook or of Terraform that an object of Azure Service Operator describes from now on."""
    reason = "it exists in Azure, and its object describes it from now on"
    return _added(now)._replace(kind=Kind.CHANGED, reason=reason, before=now.limits)


def _handed_over(was: Pool, owner: str, kept: Collection[Key]) -> PoolChange:
    """A node pool that is no longer an object of Azure Service Operator, and stays in Azure."""
    stays = was.object.key in kept
    so = "it stays in Azure" if stays else "its object is deleted, and with it the pool and all its nodes"
    return PoolChange(
        name=was.object.identity.name,
        of=was.kind,
        kind=Kind.CHANGED,
        replaced=NONE if stays else "all",
        reason=f"{so}; {owner} describes it from now on; {how_to_detach(was.object)}",
        before=was.limits,
        after=was.limits,
    )


def _removed(was: Pool, after: Pools, before: Pools, kept: Collection[Key]) -> PoolChange:
    added = [pool for key, pool in after.items() if key not in before]
    heir = next((pool for pool in added if _alike(was, pool)), None)
    successor = heir.object.identity.name if heir else ""
    removed = f"it is renamed to {successor}, which makes it a new pool" if heir else "it is removed from the overlays"
    if any(pool.object.identity.name == was.object.identity.name for pool in added):
        removed = MOVED
    stays = was.object.key in kept
    return PoolChange(
        name=was.object.identity.name,
        of=was.kind,
        kind=Kind.REMOVED,
        replaced=NONE if stays else "all",
        reason=f"{removed}; {_after_removal(was, stays=stays)}",
        before=was.limits,
        after=None,
        successor=successor,
    )


def _after_removal(was: Pool, *, stays: bool) -> str:
    """What happens to the pool and its nodes once the overlays no longer have it."""
    what = NODE_POOL.kind if was.kind == NODE_POOL.kind else "pool"
    if stays:
        return f"the old {what} stays until you delete it or confirm its removal; {_left(was)}"
    nodes = "its remaining nodes are deleted too" if retires(was) else "together with all its nodes"
    return f"the {what} is deleted, {nodes}: disruption budgets do not prevent that"


def _left(was: Pool) -> str:
    """What remains of a pool that the engine does not delete."""
    if retires(was):
        return f"it is retired: first make sure that kubectl get nodes -l {'='.join(label(was))} returns no nodes"
    return "it is not retired: it keeps its nodes and can still scale up to its limits"


def _alike(first: Pool, other: Pool) -> bool:
    """Whether two pools differ only in their names."""
    return bool(_unnamed(first) == _unnamed(other))


def _unnamed(pool: Pool) -> Any:
    """The spec of a pool without its name, wherever that occurs."""
    return _without(pool.body.get("spec"), pool.object.identity.name)


def _without(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _without(inner, name) for key, inner in value.items() if inner != name}
    if isinstance(value, list):
        return [_without(inner, name) for inner in value]
    return value
