"""What the volumes of a pod require of its node, and why they may keep Karpenter from starting one.

The conditions are those of pkg/controllers/provisioning/scheduling/volumetopology.go of kubernetes-sigs/karpenter
v1.14.0. A claim, volume or StorageClass that is not in the input may exist on the cluster.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gitgpu.access import list_at, reach, text_at
from gitgpu.model.names.kinds import PERSISTENT_VOLUME, PERSISTENT_VOLUME_CLAIM, STORAGE_CLASS
from gitgpu.model.names.labels import HOSTNAME_LABEL
from gitgpu.model.syntax.requirement import Requirements, clash, intersect, requirement
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.source import Pointer

_BOUND = "pv.kubernetes.io/bind-completed"
_REQUIRED = ("spec", "nodeAffinity", "required", "nodeSelectorTerms")
_Alternatives = tuple[Requirements, ...]


class Storage(NamedTuple):
    """What the volumes of a pod mean for it.

    `alternatives` are requirements of its node, and it must meet one of them; () if any node will do. `wrong` is why
    Karpenter ignores the pod, with the place of the volume; `unknown` is what the input lacks; "" if nothing.
    """

    alternatives: _Alternatives = ()
    wrong: tuple[str, Pointer] | None = None
    unknown: str = ""


def storage_of(pod: Pod, objects: Objects) -> Storage:
    """The storage of a pod, of all its volumes together."""
    found = Storage(unknown="a volume may restrict the pod to the zone of its disk" if _has_templates(pod) else "")
    for index, volume in enumerate(pod.spec.get("volumes") or ()):
        if not volume:
            continue
        storage = _storage_of(pod, volume, (*pod.pointer, "volumes", index), objects)
        found = Storage(
            _both(found.alternatives, storage.alternatives),
            found.wrong or storage.wrong,
            found.unknown or storage.unknown,
        )
    return found


def _has_templates(pod: Pod) -> bool:
    return bool(reach(pod.item.body, "spec", "volumeClaimTemplates"))


def _storage_of(pod: Pod, volume: Mapping[str, Any], place: Pointer, objects: Objects) -> Storage:
    if "ephemeral" in volume:
        spec = reach(volume, "ephemeral", "volumeClaimTemplate", "spec") or {}
        return _class_storage(text_at(spec, "storageClassName"), objects)
    name = text_at(volume, "persistentVolumeClaim", "claimName")
    if not name:
        return Storage()
    claims = objects.by_name(*PERSISTENT_VOLUME_CLAIM, name)
    claim = next((item for item in claims if item.identity.namespace == pod.item.identity.namespace), None)
    if claim is None:
        return Storage(unknown=f"the claim {name} is not in the input: its volume may restrict the pod to a zone")
    if wrong := _wrong(claim, objects):
        return Storage(wrong=(f"Karpenter ignores the pod: its claim {name} {wrong}", place))
    bound = text_at(claim.body, "spec", "volumeName")
    return (
        _bound_storage(bound, objects)
        if bound
        else _class_storage(text_at(claim.body, "spec", "storageClassName"), objects)
    )


def _wrong(claim: Item, objects: Objects) -> str:
    """Why no pod with the claim can run yet; "" if one can. Without a status, the claim is not on the cluster yet."""
    phase, bound = text_at(claim.body, "status", "phase"), text_at(claim.body, "spec", "volumeName")
    if reach(claim.body, "metadata", "deletionTimestamp"):
        return "is being deleted"
    if phase == "Lost":
        return "has lost its volume"
    if phase != "Pending":
        return ""
    if bound:
        is_complete = _BOUND in (reach(claim.body, "metadata", "annotations") or {})
        return "" if is_complete else "is not bound to its volume yet"
    name = text_at(claim.body, "spec", "storageClassName")
    if not name:
        return "is not bound and has no storageClassName"
    classes = objects.by_name(*STORAGE_CLASS, name)
    is_immediate = classes and text_at(classes[0].body, "volumeBindingMode") in ("", "Immediate")
    return f"is not bound, although its StorageClass {name} binds immediately" if is_immediate else ""


def _bound_storage(name: str, objects: Objects) -> Storage:
    volumes = objects.by_name(*PERSISTENT_VOLUME, name)
    if not volumes:
        return Storage(unknown=f"the volume {name} is not in the input: it may restrict the pod to a zone")
    if reach(volumes[0].body, "metadata", "deletionTimestamp"):
        return Storage(unknown=f"the volume {name} is being deleted")
    return Storage(tuple(_terms(volumes[0])))


def _terms(volume: Item) -> Iterator[Requirements]:
    """The terms of the node affinity of a volume; those of a local volume without its host, which it may leave."""
    is_local = bool(reach(volume.body, "spec", "local") or reach(volume.body, "spec", "hostPath"))
    for term in filter(None, list_at(volume.body, *_REQUIRED)):
        expressions = [entry for entry in term.get("matchExpressions") or () if entry]
        kept_entries = [entry for entry in expressions if not (is_local and entry.get("key") == HOSTNAME_LABEL)]
        if kept_entries or expressions:
            yield _read(kept_entries)


def _class_storage(name: str, objects: Objects) -> Storage:
    """The storage of a claim whose volume is created later."""
    classes = objects.by_name(*STORAGE_CLASS, name) if name else ()
    if not classes:
        text = f"the StorageClass {name} is not in the input" if name else "the default StorageClass is not known"
        return Storage(unknown=f"{text}: it may restrict the pod to a zone")
    if text_at(classes[0].body, "volumeBindingMode") in ("", "Immediate"):
        return Storage(unknown=f"the StorageClass {name} creates its volume first, in a zone that is not known")
    alternatives = []
    for term in filter(None, classes[0].body.get("allowedTopologies") or ()):
        expressions = [{**entry, "operator": "In"} for entry in term.get("matchLabelExpressions") or () if entry]
        if expressions:
            alternatives.append(_read(expressions))
    return Storage(tuple(alternatives))


def _read(expressions: Sequence[Mapping[str, Any]]) -> Requirements:
    return intersect(
        requirement(str(entry.get("key")), str(entry.get("operator")), map(str, entry.get("values") or ()))
        for entry in expressions
    )


def _both(first: _Alternatives, second: _Alternatives) -> _Alternatives:
    """The ways to meet both. If none of them can be met, they are kept, so that no node does."""
    if not (first and second):
        return first or second
    pairs = [(one, other) for one in first for other in second]
    possible = [(one, other) for one, other in pairs if not clash(one, other)]
    return tuple(intersect([*one.values(), *other.values()]) for one, other in possible or pairs)
