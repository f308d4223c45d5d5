"""Device plugins that start on a node before the ones of a deleted DaemonSet have ended."""

from collections.abc import Iterator, Sequence

from gitgpu.access import list_at, reach, text_at
from gitgpu.compare.change import Change, Kind
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.model.software.names import DEVICE_PLUGIN, daemon_of
from gitgpu.objects.node.selection import Label, PoolNodes, selects

_PLUGINS = (DEVICE_PLUGIN, "amd-device-plugin")
_AFFINITY = ("spec", "template", "spec", "affinity")
_TERMS = (*_AFFINITY, "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms")


def overlapping_plugins(changes: Sequence[Change]) -> Iterator[tuple[str, str]]:
    """The name of each DaemonSet whose pods do not wait for others on the nodes of a pool, and what to do."""
    deleted = [change.object for change in changes if change.kind is Kind.REMOVED]
    for change in changes:
        now = change.after
        if not now or not _plugin(now) or reach(now.body, *_AFFINITY, "podAntiAffinity"):
            continue
        ending = sorted(old.identity.name for old in deleted if _plugin(old) == _plugin(now) and _share_pool(old, now))
        if ending:
            text = (
                f"its pods can start on a node before those of {', '.join(ending)} end, and the kubelet then offers no "
                f"GPUs to new pods: run `kubectl rollout restart daemonset/{now.identity.name} --namespace "
                f"{now.identity.namespace}` when these have ended"
            )
            yield now.name, text


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
