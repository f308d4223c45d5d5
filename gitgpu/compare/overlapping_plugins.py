"""Device plugins on nodes where the ones of a deleted DaemonSet have not ended yet."""

from collections.abc import Iterator, Sequence

from gitgpu.access import list_at, reach, text_at
from gitgpu.compare.change import Change, Kind
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.names.annotations import SYNC_WAVE_ANNOTATION
from gitgpu.model.software.names import DEVICE_PLUGIN, daemon_of
from gitgpu.objects.node.selection import Label, PoolNodes, selects

_PLUGINS = (DEVICE_PLUGIN, "amd-device-plugin")
_AFFINITY = ("spec", "template", "spec", "affinity")
_TERMS = (*_AFFINITY, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


def overlapping_plugins(changes: Sequence[Change]) -> Iterator[tuple[str, str]]:
    """The name of each DaemonSet with pods on nodes where others are to end, and what to do."""
    deleted = [change.object for change in changes if change.kind is Kind.REMOVED]
    for now in (change.after for change in changes if change.after and _plugin(change.after)):
        ending = sorted(old.identity.name for old in deleted if _plugin(old) == _plugin(now) and _share_pool(old, now))
        if ending and (text := _text(now, ending)):
            yield now.name, text


def _text(now: OverlayObject, ending: Sequence[str]) -> str:
    if not reach(now.body, *_AFFINITY, "podAntiAffinity"):
        return (
            f"its pods can start on a node before those of {', '.join(ending)} end, and the kubelet then offers no "
            f"GPUs to new pods: run `kubectl rollout restart daemonset/{now.identity.name} --namespace "
            f"{now.identity.namespace}` when these have ended"
        )
    # Argo CD deletes objects in the reverse order of their waves, and waits for each wave: getSyncTasks in
    # gitops-engine/pkg/sync/sync_context.go, argoproj/argo-cd 37ee0097cf.
    if reach(now.body, "metadata", "annotations", SYNC_WAVE_ANNOTATION):
        names = " ".join(f"daemonset/{name}" for name in ending)
        return (
            f"its pods wait until those of {', '.join(ending)} have ended; if Argo CD waits for it before it deletes "
            f"these, run `kubectl delete {names} --namespace {now.identity.namespace}`"
        )
    return ""


def _plugin(obj: OverlayObject) -> str:
    """The device plugin that a DaemonSet runs, "" for other objects."""
    software = daemon_of(obj.identity.name) if obj.identity.kind == "DaemonSet" else ""
    return software if software in _PLUGINS else ""


def _share_pool(old: OverlayObject, now: OverlayObject) -> bool:
    """Whether both select a pool by its name."""
    rules = (rule for term in list_at(old.body, *_TERMS) for rule in list_at(term, "matchExpressions"))
    wanted = (rule for rule in rules if text_at(rule, "operator") == "In")
    labels = (Label(text_at(rule, "key"), str(name)) for rule in wanted for name in list_at(rule, "values"))
    return any(selects(now.body, PoolNodes(label, lambda _: ())) for label in labels)
