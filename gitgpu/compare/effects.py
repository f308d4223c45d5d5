"""Effects of a change other than replaced nodes: pods that restart, charts that are upgraded, requested GPUs."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from gitgpu.access import reach
from gitgpu.compare.advised import advisory_effects
from gitgpu.compare.change import Change, Field, Kind, below, effect, facts_of
from gitgpu.compare.chart_values import changed_values, chart_facts
from gitgpu.compare.node_selection import selection_effects
from gitgpu.compare.nodes import Pool
from gitgpu.compare.operated import operator_effects
from gitgpu.compare.overlapping_plugins import overlapping_plugins
from gitgpu.compare.quotas import orphaned_queues, quota_effects
from gitgpu.compare.restarts import daemon_effects
from gitgpu.compare.sides import Sides
from gitgpu.compare.snapshot import PAGE
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.kinds import APPLICATION, HELM_RELEASE, MANAGED_CLUSTERS_AGENT_POOL, NODE_POOL, SCALED_OBJECT
from gitgpu.model.software.autoscaling import DEFAULT_MAX_REPLICAS
from gitgpu.objects.workload.known_kinds import SHAPES

_TEMPLATED = ("DaemonSet", "Deployment", "StatefulSet")
_REPLICAS = {
    SCALED_OBJECT.kind: ("minReplicaCount", "maxReplicaCount"),
    "HorizontalPodAutoscaler": ("minReplicas", "maxReplicas"),
}
# The version of the chart, for Flux and for Argo CD; below that, where each keeps the values.
_CHART = ("spec.chart.spec.version", "spec.source.targetRevision")
# What identifies a release of Helm: ReleaseTargetChanged in internal/action/verify.go of fluxcd/helm-controller
# (0f61a8607a62, 2026-07-23).
_RELEASE = ("spec.releaseName", "spec.targetNamespace", "spec.storageNamespace")
_VALUES = ("spec.values", "spec.source.helm")
_NUMBER = re.compile(r"\d+")
_VERSION = re.compile(r"v?\d+(\.\d+)*")  # not a range such as 1.x, nor a preview: these have no order here
_WORDS = {  # the effects that the catalog lists for fields, as text
    "refused": "{} is immutable: delete the object first, or give it another name",
    "later": "{} applies to new nodes only: existing nodes keep their GPU software until they are replaced",
    "replicas": "{} applies to new replicas only: delete the existing Workspaces one by one",
    "restart": "its pods are replaced for {}",
    "again": "its Job runs again from the start, for {}",
    "kept": "{} does not affect what already runs: delete the object first, or give it another name",
    "created": "KAITO creates missing node classes but never updates existing ones: to change {}, edit that "
    "AKSNodeClass itself, or give the class another name",
}


class Effect(NamedTuple):
    """What happens to an object, or because of it."""

    object: str
    text: str


GpuRequests: TypeAlias = Mapping[tuple[str, str], Mapping[str, int]]


def effects(
    changes: Sequence[Change], gpus: Sides[GpuRequests], pools: Collection[Pool], catalog: Catalog
) -> Iterator[Effect]:
    """What the changes do.

    `gpus` are the GPU requests of a pod on both sides, by kind and name of its workload; `pools` are those before.
    """
    yield from (Effect("stack.nodeSelection", text) for text in selection_effects(changes))
    for change in changes:
        if change.object.identity.kind == "DaemonSet" and not change.object.is_patch:
            yield from (Effect(change.object.name, text) for text in daemon_effects(change, changes, pools))
        texts = (*_texts(change, gpus, catalog), *quota_effects(change), *advisory_effects(change, catalog))
        for text in (*texts, *operator_effects(change, catalog), *_authors(change)):
            yield Effect(change.object.name, text)
    yield from (Effect(*found) for found in (*orphaned_queues(changes), *overlapping_plugins(changes)))


def _authors(change: Change) -> Iterator[str]:
    """The user's patches and values that an object has, or had: they can be the cause of a change."""
    if change.is_silent or change.kind is Kind.REMOVED:
        return
    was = change.before.changed_by if change.before else ()
    now = change.after.changed_by if change.after else ()
    yield from map(_uncapitalized, now)
    kinds = set(map(_kind, now))
    yield from (f"no longer {_uncapitalized(note)}" for note in was if _kind(note) not in kinds)


def _uncapitalized(note: str) -> str:
    return note[:1].lower() + note[1:]


def _kind(note: str) -> str:
    """The first word of a note, which distinguishes patches from values."""
    first, *_ = note.split()
    return first


def _texts(change: Change, gpus: Sides[GpuRequests], catalog: Catalog) -> Iterator[str]:
    kind = change.object.identity.kind
    if kind in _REPLICAS and not change.is_silent:
        yield from _scaled(change, gpus)
    if not change.fields:
        return
    if kind not in (NODE_POOL.kind, MANAGED_CLUSTERS_AGENT_POOL.kind):
        yield from _worded(change, catalog)
    yield from _of_pods(change)
    if kind == "ConfigMap" and _touches(change.fields, "data"):
        yield "pods that mount it see the new data within about two minutes; no pod restarts"
    if kind in (HELM_RELEASE.kind, APPLICATION.kind):
        yield from _release(change, catalog)
    if kind == PAGE:
        yield "to read or run manually; not applied by Flux or Argo CD"
    if kind == "Kustomization" and _touches(change.fields, "spec.path"):
        yield "Flux applies a different folder, and prunes the objects from the old one"


def _of_pods(change: Change) -> Iterator[str]:
    """The effect of a changed pod template, other than that of a DaemonSet."""
    kind, is_patch = change.object.identity.kind, change.object.is_patch
    if kind in _TEMPLATED and _touches(change.fields, "spec.template"):
        if is_patch:
            yield "workloads that include the patch replace their pods"
        elif kind != "DaemonSet":
            yield "its pods are replaced"
    elif is_patch and kind in SHAPES and _touches(change.fields, "spec"):
        yield "objects that include the patch change: their controller may replace pods, or only place new ones"


def _worded(change: Change, catalog: Catalog) -> Iterator[str]:
    """The effects that the catalog lists for the changed fields, as text."""
    facts = facts_of(change.object, catalog)
    for what, text in _WORDS.items():
        paths = [field.path for field in change.fields if effect(field.path, facts) == what]
        if paths:
            yield text.format(", ".join(paths))


def _touches(fields: Sequence[Field], path: str) -> bool:
    return any(below(field.path, path) for field in fields)


def _release(change: Change, catalog: Catalog) -> Iterator[str]:
    fields = change.fields
    version = next((field for field in fields if field.path in _CHART), None)
    if any(_touches(fields, path) for path in _RELEASE):
        yield "Helm deletes the release and creates another one"
    elif version:
        what = "downgrades" if _is_older(version.after, version.before) else "upgrades"
        yield f"Helm {what} the chart from {version.before or 'any'} to {version.after or 'any'}"
    elif any(_touches(fields, path) for path in _VALUES):
        parts = _operands(change, catalog)
        restart = f", and the operator restarts the pods of {', '.join(parts)}" if parts else ""
        yield f"Helm upgrades the release with new values{restart}"


def _operands(change: Change, catalog: Catalog) -> list[str]:
    """The parts of an operator whose pods have values that change."""
    parts: dict[str, None] = {}
    for key, names in chart_facts(change.object.body, catalog).get("operands", {}).items():
        if any(not below(path, "serviceMonitor") for path in changed_values(change, key)):  # which no pod has
            parts |= dict.fromkeys(names)
    return list(parts)


def _is_older(new: Any, old: Any) -> bool:
    """Whether both are numeric versions, and the new one is lower."""
    if not (_VERSION.fullmatch(str(new)) and _VERSION.fullmatch(str(old))):
        return False
    return _numbers(new) < _numbers(old)


def _numbers(text: Any) -> list[int]:
    return list(map(int, _NUMBER.findall(str(text))))


def _scaled(change: Change, gpus: Sides[GpuRequests]) -> Iterator[str]:
    """The bounds of a scaler, and how many GPUs its pods can request."""
    kind = change.object.identity.kind
    before = _bounds(change.before.body if change.before else None, kind)
    after = _bounds(change.after.body if change.after else None, kind)
    if before == after:
        return
    target = reach(change.object.body, "spec", "scaleTargetRef")
    workload = str(reach(target, "kind") or "Deployment"), str(reach(target, "name"))
    old, new = gpus.before.get(workload, {}), gpus.after.get(workload, {})
    text = f"replicas {_range(before)} become {_range(after)}"
    if new:
        text += _requestable(Sides(before, after), Sides(old or new, new))
    yield text


def _requestable(bounds: Sides[Sequence[Any]], gpus: Sides[Mapping[str, int]]) -> str:
    """The GPUs of all replicas at their maximum, before and after; `gpus` are those of a pod."""
    was, now = _maximum(*bounds.before), _maximum(*bounds.after)
    amounts = []
    for name in sorted({*gpus.before, *gpus.after}):
        before, after = was * gpus.before.get(name, 0), now * gpus.after.get(name, 0)
        amounts.append(f"{after} {name} instead of {before}")
    return f": its pods can request {', '.join(amounts)}"


def _maximum(minimum: Any, maximum: Any) -> int:
    """The maximum number of replicas: KEDA has a default, and a HorizontalPodAutoscaler must set it."""
    if isinstance(maximum, int):
        return maximum
    return 0 if minimum is None else DEFAULT_MAX_REPLICAS


def _bounds(body: Any, kind: str) -> tuple[Any, ...]:
    spec = reach(body, "spec")
    return tuple(reach(spec, key) for key in _REPLICAS[kind])


def _range(bounds: Sequence[Any]) -> str:
    if bounds == (None, None):
        return "(no scaler)"
    return " to ".join(map(_bound, bounds))


def _bound(number: Any) -> str:
    return "default" if number is None else str(number)
