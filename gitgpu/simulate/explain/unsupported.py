"""What a simulation omits although it affects nodes: what is rejected, idle scalers, pods that an operator creates."""

from collections.abc import Collection, Iterable, Iterator

from gitgpu.diagnostic import Diagnostic
from gitgpu.model.names.kinds import INFERENCE_SET, RAG_ENGINE, WORKSPACE
from gitgpu.objects.node.node_pools import foreign_pools
from gitgpu.objects.objects import Identity, Item, Objects
from gitgpu.objects.workload.autoscalers import scaled_objects, target
from gitgpu.objects.workload.known_kinds import WORKLOADS
from gitgpu.simulate.autoscaled import hpas
from gitgpu.simulate.explain.refused import NODE_KINDS, SCALERS
from gitgpu.simulate.pod.templates import unread_requests
from gitgpu.simulate.setup import Refused
from gitgpu.simulate.workloads import Work
from gitgpu.spelling import join_names

_OPERATED = (WORKSPACE, INFERENCE_SET, RAG_ENGINE)


def unsupported_objects(objects: Objects, works: Iterable[Work], refused: Iterable[Refused]) -> Iterator[str]:
    """A sentence about each object that is omitted."""
    yield from filter(None, (_why_refused(identity, fault) for identity, fault, *_ in refused))
    for pool in foreign_pools(objects):
        yield f"NodePool {pool.name} is ignored: its node class is not an AKSNodeClass"
    yield from _idle(objects, {_name(*workload.pod.item.identity[1:]) for workload in works if workload.scaled})
    for item in objects.items:
        if names := unread_requests(item, objects):
            known = item.identity[:2] in WORKLOADS
            why = "other objects complete its pods" if known else "gitgpu does not read the pods of this kind"
            yield f"{_title(item)} requests {join_names(names)}, but {why}"
    for group, kind in _OPERATED:
        for item in objects.of(group, kind):
            yield f"{_title(item)} is not simulated: KAITO creates its pods"


def _why_refused(identity: Identity, fault: Diagnostic) -> str | None:
    """Why a rejected object has no effect; None for workloads, which have a verdict."""
    name = _name(identity.kind, identity.namespace, identity.name)
    why = f"{fault.message} ({fault.code}, {fault.span.file}:{fault.span.line})"
    if identity.kind in SCALERS:
        return f"{name} scales nothing because it is rejected: {why}"
    return f"{name} is ignored: {why}" if identity.kind in NODE_KINDS else None


def _idle(objects: Objects, scaled: Collection[str]) -> Iterator[str]:
    """Scalers with a target that is not simulated, and targets with several scalers."""
    scalers: dict[str, list[Item]] = {}
    for item in (*hpas(objects), *scaled_objects(objects)):
        scalers.setdefault(_name(*target(item)[1:]), []).append(item)
    for name, (*others, last) in scalers.items():
        if name not in scaled:
            yield from (
                f"{_title(item)} scales {name}, whose pods are not in the simulation" for item in (*others, last)
            )
        elif others:
            yield f"{name} is scaled by {' and '.join(map(_title, (*others, last)))}: only the last one is simulated"


def _title(item: Item) -> str:
    return _name(*item.identity[1:])


def _name(*parts: str) -> str:
    kind, *rest = parts
    return f"{kind} {'/'.join(part for part in rest if part)}"
