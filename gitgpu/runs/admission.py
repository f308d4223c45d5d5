"""Which workloads a changed quota affects: those of the fleet's overlays, and of further manifests.

What Kueue admits on both sides is decided as `simulate` does: without preemption, and in the same order. A
ResourceQuota refuses the pods that are created last, so all workloads are named that use more together than it allows.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from gitgpu.compare.cluster import Both, ClusterChange
from gitgpu.compare.effects import Effect
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import Files, OverlayObject, clusters, layer_of, objects_in
from gitgpu.diagnostic import Diagnostic
from gitgpu.load.schemas import Schemas
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.groups import KUEUE_GROUP
from gitgpu.model.names.kinds import RESOURCE_QUOTA
from gitgpu.objects.manifest.manifests import Manifests
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Identity, Item, Objects
from gitgpu.objects.queues.queued import local_queues, queued_objects, submissions
from gitgpu.objects.schema.contract import Scope
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.norms import norms
from gitgpu.simulate.admission import rejection_norms
from gitgpu.simulate.applied_files import items_for, workload_groups
from gitgpu.simulate.autoscaled import count_pods
from gitgpu.simulate.pod.patches import apply_overlays, rejections
from gitgpu.simulate.queue.admission import admissions
from gitgpu.simulate.queue.resource_quotas import Exceeded, exceeded_quotas
from gitgpu.source import SourceMap, Span
from gitgpu.spelling import count_text as counted_text
from gitgpu.spelling import join_names

_LAYER = "workloads"


class _Admitted(NamedTuple):
    """A workload with its queue: how many of its pods are admitted, of how many, and what the others wait for."""

    queue: str
    pods: int
    of: int
    waits: str


class _Applied(NamedTuple):
    """What a cluster has of workloads and of objects for them, and those that the API server rejects as patched."""

    objects: Objects
    rejected: Mapping[Identity, Diagnostic]


_ByWorkload: TypeAlias = Mapping[Identity, _Admitted]


def with_lost_admissions(
    changes: Iterable[ClusterChange], both: Both, workloads: Manifests, catalog: Catalog
) -> Iterator[ClusterChange]:
    """The changes, each with an effect for what is admitted no more, or with fewer pods, and for what is refused."""
    limited_changes = [change for change in changes if any(map(_is_limit, _objects(change)))]
    before, after = (clusters(side) if limited_changes else {} for side in (both.before, both.after))
    used = norms(Schemas(), catalog) if limited_changes else None
    for change in changes:
        if used is None or change not in limited_changes:
            yield change
            continue
        sides = Sides(*(_applied(side.get(change.name, {}), workloads, used) for side in (before, after)))
        admitted = Sides(*(dict(_outcomes(side.objects)) for side in sides))
        refused = Sides(*(dict(exceeded_quotas(side.objects)) for side in sides))
        effects = (*_rejected(sides.after.rejected), *_lost(admitted), *_refused(refused))
        yield change._replace(effects=(*change.effects, *effects))


def _objects(change: ClusterChange) -> Iterator[OverlayObject]:
    return (entry.object for entry in change.changes if not entry.is_silent)


def _is_limit(obj: OverlayObject) -> bool:
    return obj.identity.group == KUEUE_GROUP or obj.identity[:2] == RESOURCE_QUOTA


def _applied(files: Files, workloads: Manifests, used: Norms) -> _Applied:
    """What a cluster has with these overlays: objects for workloads, and the workloads."""
    read, _ = objects_in(files, [path for path in files if layer_of(path) == _LAYER], "")
    groups = workload_groups(workloads, used.contracts.clamp(""), rejection_norms(used))
    others, _ = items_for(groups, (), ())
    patches = [(_given(obj), _namespace(obj)) for obj in read.values() if obj.is_patch]
    patched, _ = apply_overlays(patches, others)
    rejected = {item.identity: fault for item, fault in rejections(others, patched)}
    own = [Item(_given(obj), obj.identity, Scope.NAMESPACED) for obj in read.values() if not obj.is_patch]
    kept_items = [item for item in patched if item.identity not in rejected]
    return _Applied(_as_objects([*own, *kept_items], used), rejected)


def _given(obj: OverlayObject) -> Given:
    return Given(obj.body, SourceMap.of(Span(obj.path, 1, 1)), obj.is_patch)


def _namespace(obj: OverlayObject) -> str:
    """The namespace of the workload of a patch: the start of the name of its folder."""
    folder = obj.path.split("/")[-2]
    return folder.partition(".")[0]


def _as_objects(items: Collection[Item], used: Norms) -> Objects:
    present = frozenset(item.identity for item in items)
    minor = used.contracts.clamp("")
    sound = tuple(item for item in items if item.sound)
    return Objects(sound, present, used.catalog, used.kinds, minor, closed=False, run_cache=used.run_cache)


def _outcomes(objects: Objects) -> Iterator[tuple[Identity, _Admitted]]:
    outcomes = admissions(objects).outcomes
    for submission in submissions(objects):
        item = submission.queued.item
        outcome = outcomes.get(id(item.body))
        if outcome:
            total = sum(count_pods(pod, objects)[1] for pod in submission.pods)
            yield item.identity, _Admitted(submission.queue.name, sum(outcome.pods.values()), total, outcome.waits)
    for each in queued_objects(objects):
        if not local_queues(each.queue, each.item.identity.namespace, objects):
            total = sum(count_pods(pod, objects)[1] for pod in pods(objects) if pod.item is each.item)
            yield each.item.identity, _Admitted("", 0, total, f"no LocalQueue is named {each.queue}")


def _rejected(rejected: Mapping[Identity, Diagnostic]) -> Iterator[Effect]:
    for identity, fault in rejected.items():
        name = "/".join(filter(None, identity[1:]))
        yield Effect(name, f"the API server rejects it, so its pods are not counted: {fault.message}")


def _lost(sides: Sides[_ByWorkload]) -> Iterator[Effect]:
    """The workloads on both sides that have fewer admitted pods now."""
    for identity, now in sides.after.items():
        was = sides.before.get(identity)
        if was and now.pods < was.pods:
            name = "/".join(filter(None, identity[1:]))
            admits = f"Kueue admits {now.pods:,} of {counted_text(now.of, 'pod')}, and {was.pods:,} before"
            yield Effect(name, f"{admits}: {now.waits}; what is admitted already stays")


def _refused(sides: Sides[Mapping[Exceeded, tuple[str, ...]]]) -> Iterator[Effect]:
    """The quotas that the workloads of a namespace exceed now, and did not before."""
    for quota, workloads in sides.after.items():
        if not any((other.name, other.resource) == (quota.name, quota.resource) for other in sides.before):
            uses = f"the workloads of its namespace request up to {quota.requested:,} {quota.resource}"
            refused = f"new pods of {join_names(workloads)} above it are refused"
            yield Effect(quota.name, f"{uses}, and it allows {quota.allowed:,}: {refused}; what runs stays")
