"""What a fleet has to do with a diagnosis: the key that sets a field, and where the cluster differs from the fleet."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from json import dumps
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import mapping_at, reach, rows, text_at
from gitgpu.diagnose.cause import CLOUD_REFUSED, STUCK_NODE, WITHOUT_GPUS, Cause, Evidence, Subject
from gitgpu.diagnose.diagnosis import Diagnosis, Group
from gitgpu.diagnose.reading.state import State
from gitgpu.diagnostic import ObjectRef, Places
from gitgpu.model.names.kinds import AKS_NODE_CLASS, DAEMON_SET, NODE_POOL, POD
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.objects.node.node_pools import SPEC
from gitgpu.objects.objects import Item
from gitgpu.plan.fields.node_pool import KEYS
from gitgpu.source import Pointer, Span

_TAINTS: Pointer = (*SPEC, "taints")
_LABELS: Pointer = ("spec", "template", "metadata", "labels")
_REQUIREMENTS: Pointer = (*SPEC, "requirements")
# What matters for a verdict, if the cause names no field.
_FIELDS = {CLOUD_REFUSED: _REQUIREMENTS, STUCK_NODE: _TAINTS, WITHOUT_GPUS: _TAINTS}
_LONGEST = 120  # characters of two values that are shown
_TOLERATIONS: Pointer = ("spec", "template", "spec", "tolerations")
# A diagnosis says that the fleet does not have an object if it is of one of these kinds.
_CHECKED = frozenset({NODE_POOL.kind, AKS_NODE_CLASS.kind, DAEMON_SET.kind})
Key: TypeAlias = tuple[str, str, str]  # kind, namespace, name


class FleetObject(NamedTuple):
    """An object that a build writes for the cluster; the document that it comes from, and its places there.

    A patch changes an object that the fleet does not have itself.
    """

    key: Key
    body: Mapping[str, Any]
    document: ObjectRef
    places: Places
    is_patch: bool = False


class Fleet(NamedTuple):
    """The objects of a fleet for one of its clusters."""

    objects: Mapping[Key, FleetObject]
    patches: Mapping[Key, FleetObject]


def fleet_of(objects: Iterable[FleetObject]) -> Fleet:
    """The fleet with these objects."""
    listed = list(objects)
    return Fleet(
        {each.key: each for each in listed if not each.is_patch}, {each.key: each for each in listed if each.is_patch}
    )


def with_fleet(diagnosis: Diagnosis, state: State, fleet: Fleet) -> Diagnosis:
    """The diagnosis with what the fleet says about each cause, as evidence."""
    return diagnosis._replace(groups=tuple(_with_places(group, state, fleet) for group in diagnosis.groups))


def _with_places(group: Group, state: State, fleet: Fleet) -> Group:
    found = tuple(dict.fromkeys((*_object_evidence(group, state, fleet), *_pod_evidence(group, state, fleet))))
    first, *others = group.answers
    return group._replace(answers=(first._replace(evidence=(*first.evidence, *found)), *others))


def _object_evidence(group: Group, state: State, fleet: Fleet) -> Iterator[Evidence]:
    """What the fleet says about the pools, node classes and DaemonSets of a cause."""
    for key in dict.fromkeys(_keys(group, state)):
        kind = key[0]
        emitted = fleet.objects.get(key)
        if emitted:
            running = next((item for item in state.objects.items if _key(item) == key), None)
            yield _place(emitted, running, _field(kind, group.cause))
        elif kind in _CHECKED:
            title = Subject(*key).full_name
            yield Evidence("fleet", f"it has no {title} for this cluster: change that where it is deployed from")


def _keys(group: Group, state: State) -> Iterator[Key]:
    """The objects that a cause is about: those that it names, and the pools of its nodes."""
    if group.cause.pool:
        yield NODE_POOL.kind, "", group.cause.pool
    named = (entry.object.partition(" ") for entry in group.evidence)
    subjects = ((kind, title) for kind, _, title in named)
    for kind, title in (*subjects, *((subject.kind, subject.title) for subject in group.subjects)):
        if kind in _CHECKED:
            namespace, _, name = title.rpartition("/")
            yield kind, namespace, name
    for item in state.objects.items:
        if item.identity.name in group.nodes and (pool := _pool(item)):
            yield NODE_POOL.kind, "", pool


def _pool(item: Item) -> str:
    return text_at(item.body, "metadata", "labels", NODEPOOL_LABEL)


def _key(item: Item) -> Key:
    return item.identity.kind, item.identity.namespace, item.identity.name


def _field(kind: str, cause: Cause) -> Pointer:
    """The field of an object that decides; () if none does more than others."""
    if kind == NODE_POOL.kind:
        return cause.field or _FIELDS.get(cause.verdict, ())
    return _TOLERATIONS if kind == DAEMON_SET.kind else ()


def _place(emitted: FleetObject, running: Item | None, field: Pointer) -> Evidence:
    """Where the spec sets a field of an object, and whether the object on the cluster has the same value there."""
    kind, namespace, name = emitted.key
    title, at = f"{emitted.document.kind} {emitted.document.name}", _shown(emitted.places.span(field))
    key = KEYS.get(field[1:]) if kind == NODE_POOL.kind and field != _REQUIREMENTS else None
    set_by = f"`spec.{'.'.join(map(str, key))}` ({at})" if key else at
    subject = f"{kind} {Subject(kind, namespace, name).title}"
    text = f"`{field[-1]}` of {subject} comes from {set_by}" if field else f"{subject} comes from {set_by}"
    if running is None:
        return Evidence(title, f"{text}; the dump does not have it, so the fleet may not be applied")
    written, has = reach(emitted.body, *field), reach(running.body, *field)
    if field not in ((), _LABELS) and not _is_same(written, has):  # labels have others for other reasons
        values = f": {_value(has)}, and not {_value(written)}"
        shown = values if len(values) < _LONGEST else ""
        text += f"; the cluster has a different value{shown}: the fleet may not be applied"
    return Evidence(title, text)


def _value(value: Any) -> str:
    return dumps(value, default=str, sort_keys=True) if value else "none"


def _is_same(written: Any, running: Any) -> bool:
    """Whether a value on the cluster is what the fleet writes. The API server adds keys with defaults."""
    if isinstance(written, Mapping) and isinstance(running, Mapping):
        return all(_is_same(value, running.get(key)) for key, value in written.items())
    if isinstance(written, list) and isinstance(running, list):
        # Controllers append tolerations to those of a DaemonSet.
        return all(any(_is_same(value, other) for other in running) for value in written)
    return written is None or str(written) == str(running)


def _pod_evidence(group: Group, state: State, fleet: Fleet) -> Iterator[Evidence]:
    """For pods that do not tolerate a pool's taint: the workload of the fleet that patches them, or how to add one."""
    if group.cause.field != _TAINTS:
        return
    pool = fleet.objects.get((NODE_POOL.kind, "", group.cause.pool))
    for subject in group.subjects:
        item = next((pod for pod in state.objects.of(*POD) if _key(pod) == tuple(subject)), None)
        owner = _owner(item) if item else None
        if owner is None or pool is None:
            continue
        if patch := fleet.patches.get((owner.kind, owner.namespace, owner.name)):
            at = _shown(patch.places.span(_TOLERATIONS))
            text = (
                f"its patch of {owner.full_name} adds the toleration ({at}); its pods do not have it: apply the patch"
            )
            yield Evidence(f"{patch.document.kind} {patch.document.name}", text)
        else:
            text = (
                f"no GpuWorkload has the target {owner.full_name}: one with `pools: [{pool.document.name}]` patches it"
            )
            yield Evidence("fleet", text)


def _owner(pod: Item) -> Subject | None:
    """The workload of a pod: of a ReplicaSet, the Deployment that names it."""
    owners: Sequence[Mapping[str, Any]] = rows(pod.body, "metadata", "ownerReferences")
    owner = next((each for each in owners if mapping_at(each).get("controller")), None)
    if owner is None:
        return None
    kind, name = text_at(owner, "kind"), text_at(owner, "name")
    if kind == "ReplicaSet":
        kind, name = "Deployment", name.rpartition("-")[0]
    return Subject(kind, pod.identity.namespace, name)


def _shown(span: Span) -> str:
    return f"{span.file}:{span.line}:{span.column}" if span.line else span.file
