"""A cluster before and after: its objects, its pools, and the consequences."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from posixpath import basename
from typing import NamedTuple, TypeAlias

from gitgpu.compare.azure_settings import azure_effects
from gitgpu.compare.bicep_pools import bicep_pool_effects
from gitgpu.compare.change import Change, Kind, object_changes
from gitgpu.compare.delivery import Fate, Step, engine, fate, steps
from gitgpu.compare.effects import Effect, effects
from gitgpu.compare.handed_over import PAGES, handover_effects, owners
from gitgpu.compare.nodes import Context, pools
from gitgpu.compare.pools import PoolChange, Pools, Remaining, pool_changes
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import Files, Key, OverlayObject, clusters, layer_of, objects_in, same
from gitgpu.compare.software_versions import transitions
from gitgpu.compare.upgrade import Upgrade, moves, upgrade
from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.prefixes import AMD_PREFIX, NVIDIA_PREFIX
from gitgpu.model.software.transitions import Transition
from gitgpu.model.syntax.whole_number import whole_number

_CONTEXT = ("nodes", "sync", "workloads")  # layers that are read whole when anything of the cluster differs
_Objects: TypeAlias = dict[Key, OverlayObject]
_MAKERS = (NVIDIA_PREFIX, AMD_PREFIX)


class Both(NamedTuple):
    """The files of both sides by path below the output directory.

    `where` is the location of the first side in faults. `regions` are the regions of the clusters on the second side,
    `versions` the Kubernetes versions in the spec of each side, if known.
    """

    before: Files
    after: Files
    where: str
    regions: Mapping[str, str]
    versions: Sides[Mapping[str, str]] = Sides({}, {})


class ClusterChange(NamedTuple):
    """Everything that differs in a cluster. `engine` is flux, argocd, or "" if unknown.

    `uncounted` are its node pools that only pages of the runbook describe: `pools` lacks them.
    """

    name: str
    kind: Kind
    engine: str
    changes: tuple[Change, ...]
    pools: tuple[PoolChange, ...]
    fates: tuple[Fate, ...]
    effects: tuple[Effect, ...]
    steps: tuple[Step, ...]
    upgrade: Upgrade | None = None
    transitions: tuple[Transition, ...] = ()
    uncounted: tuple[str, ...] = ()

    @property
    def is_changed(self) -> bool:
        """Whether its version of Kubernetes or any of its objects differs."""
        return self.upgrade is not None or bool(self.changes)

    def count(self, kind: Kind) -> int:
        """How many objects are added, removed or changed."""
        return sum(1 for change in self.changes if change.kind is kind and not change.is_silent)


def compare_clusters(
    both: Both, context: Context, only: Iterable[str] | None = None
) -> tuple[list[ClusterChange], list[Diagnostic]]:
    """The clusters that differ, and the files that cannot be read: of all clusters by name, or of `only` in order."""
    before, after = clusters(both.before), clusters(both.after)
    changed_clusters: list[ClusterChange] = []
    faults: list[Diagnostic] = []
    for name in sorted(before.keys() | after.keys()) if only is None else only:
        was, now = before.get(name, {}), after.get(name, {})
        paths = [path for path in {**was, **now} if not same(was.get(path), now.get(path))]
        versions = Sides(both.versions.before.get(name, ""), both.versions.after.get(name, ""))
        if paths or moves(*versions) or context.older:
            objects, unread = _read(Sides(was, now), paths, both.where)
            faults += unread
            place = _Place(both.regions.get(name, ""), {layer_of(path) for path in now}, versions)
            changed_clusters += _cluster(name, objects, place, context)
    return changed_clusters, faults


def _read(sides: Sides[Files], paths: Sequence[str], where: str) -> tuple[Sides[_Objects], list[Diagnostic]]:
    """The objects of both sides that differ, and those that are needed to judge them."""
    before, after = sides
    wanted = set(paths).union(path for path in (*before, *after) if layer_of(path) in _CONTEXT)
    if any(basename(path).startswith("ocirepository-") for path in paths):  # releases have the values of its chart
        wanted.update(path for path in before if basename(path).startswith("helmrelease-"))
    # A pool that is no longer an object may be in a page that does not change.
    wanted.update(path for path in (*before, *after) if basename(path) in PAGES)
    first, unread = objects_in(before, sorted(wanted & before.keys()), where)
    second, unread_after = objects_in(after, sorted(wanted & after.keys()), "")
    return Sides(first, second), [*unread, *unread_after]


class _Place(NamedTuple):
    """The region of a cluster, its layers after the change, and its Kubernetes versions before and after."""

    region: str
    layers: set[str]
    versions: Sides[str]


def _cluster(name: str, sides: Sides[_Objects], place: _Place, context: Context) -> Iterator[ClusterChange]:
    before, after = sides
    changes = tuple(object_changes(before, after, context.catalog))
    pools_before = pools(before.values(), place.region, context.older or context)
    both_pools = Sides(pools_before, pools(after.values(), place.region, context))
    raised = upgrade(place.versions, both_pools, context)
    if not (changes or raised or (context.older and _grows(*both_pools))):
        return
    sync_before, sync_after = _sync(before.values()), _sync(after.values())
    removed = [change.object for change in changes if change.kind is Kind.REMOVED]
    fates = tuple(fate(obj, engine(sync_before), place.layers) for obj in removed)
    kept = {outcome.object.key for outcome in fates if outcome.stays}
    owned = Sides(owners(before.values()), owners(after.values()))
    gpus = Sides(_gpus(before.values()), _gpus(after.values()))
    yield ClusterChange(
        name=name,
        kind=_kind(before, after),
        engine=engine(sync_after or sync_before),
        changes=changes,
        pools=tuple(pool_changes(both_pools, changes, Remaining(kept, owned), context)),
        fates=fates,
        effects=(
            *azure_effects(name, changes, Sides(before.values(), after.values()), context.catalog),
            *handover_effects(owned),
            *bicep_pool_effects(changes, before.values(), after.values(), context.catalog),
            *effects(changes, gpus, pools_before.values(), context.catalog),
        ),
        steps=steps(changes, sync_after or sync_before) if after else (),
        upgrade=raised,
        transitions=transitions(changes, before.values(), context.catalog),
        uncounted=tuple(sorted({name for side in owned for name in side.pages.keys() - side.objects.keys()})),
    )


def _kind(before: Collection[Key], after: Collection[Key]) -> Kind:
    if before and after:
        return Kind.CHANGED
    return Kind.ADDED if after else Kind.REMOVED


def _sync(objects: Iterable[OverlayObject]) -> list[OverlayObject]:
    """The objects that the delivery engine starts from."""
    return [obj for obj in objects if obj.layer == "sync"]


def _grows(before: Pools, after: Pools) -> bool:
    """Whether limits or prices of the pools differ because the facts differ."""
    undated = ({key: pool.limits._replace(date="") for key, pool in side.items()} for side in (before, after))
    return next(undated) != next(undated)


def _gpus(after: Iterable[OverlayObject]) -> dict[tuple[str, str], dict[str, int]]:
    """The GPUs that a pod of each patched workload requests, by resource."""
    by_workload: dict[tuple[str, str], dict[str, int]] = {}
    for obj in filter(lambda obj: obj.is_patch, after):
        gpus = by_workload.setdefault((obj.identity.kind, obj.identity.name), {})
        for name, count in _gpu_limits(obj.body):
            gpus[name] = gpus.get(name, 0) + count
    return by_workload


def _gpu_amounts(limits: Mapping[str, object]) -> Iterator[tuple[str, int]]:
    for name, amount in limits.items():
        number = whole_number(str(amount))
        if str(name).startswith(_MAKERS) and number is not None:
            yield str(name), number


def _gpu_limits(value: object) -> Iterator[tuple[str, int]]:
    """Yields the GPU limits in a pod template: resource and number."""
    if isinstance(value, Mapping):
        limits = value.get("limits")
        if isinstance(limits, Mapping):
            yield from _gpu_amounts(limits)
        for inner in value.values():
            yield from _gpu_limits(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _gpu_limits(inner)
