"""What a change of queues, quotas and the guard means for workloads: who is admitted from now on, and what stays."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, rows, text_at
from gitgpu.compare.change import Change, Kind
from gitgpu.model.names.kinds import (
    ADMISSION_CHECK,
    CLUSTER_QUEUE,
    HELM_RELEASE,
    LOCAL_QUEUE,
    RESOURCE_FLAVOR,
    RESOURCE_QUOTA,
    TOPOLOGY,
    VALIDATING_ADMISSION_POLICY_BINDING,
)
from gitgpu.plan.queues import KUEUE
from gitgpu.spelling import comma_separated, join_names

_OF_FLAVOR, _OF_TOPOLOGY = ("nodeLabels", "tolerations", "topologyName"), ("levels",)
_FINALIZED = (ADMISSION_CHECK, CLUSTER_QUEUE, RESOURCE_FLAVOR, TOPOLOGY)
_SHOWN = 3  # of these objects
_AMOUNTS = ("nominalQuota", "borrowingLimit", "lendingLimit")
_NONE = "unlimited"


def quota_effects(change: Change) -> Iterator[str]:
    """The effects of a change of one of these objects."""
    if change.is_silent:
        return
    kind = change.object.identity.kind
    before, after = (side.body if side else {} for side in (change.before, change.after))
    if kind == CLUSTER_QUEUE.kind and change.kind is Kind.CHANGED:
        yield from _quotas(_by_flavor(before), _by_flavor(after))
    elif kind in (CLUSTER_QUEUE.kind, LOCAL_QUEUE.kind) and change.kind is Kind.REMOVED:
        yield "its waiting workloads are no longer admitted; what runs stays"
    elif kind in (RESOURCE_FLAVOR.kind, TOPOLOGY.kind) and change.kind is Kind.CHANGED:
        yield from _refused(mapping_at(before, "spec"), mapping_at(after, "spec"))
    elif kind == RESOURCE_QUOTA.kind and change.kind is not Kind.REMOVED:
        yield from _hard(mapping_at(before, "spec", "hard"), mapping_at(after, "spec", "hard"))
    elif kind == VALIDATING_ADMISSION_POLICY_BINDING.kind:
        yield from _guard(before, after)


def orphaned_queues(changes: Sequence[Change]) -> Iterator[tuple[str, str]]:
    """The release of Kueue, if it is removed together with its queues, and what that means.

    Its controllers remove the finalizers of what is deleted: pkg/controller/core/clusterqueue_controller.go of
    kubernetes-sigs/kueue at ff69552e79ad. Its chart contains the definitions, which wait for their objects.
    """
    removed = [change.object for change in changes if change.kind is Kind.REMOVED]
    names = [obj.name for obj in removed if obj.identity[:2] in _FINALIZED]
    for release in removed if names else ():
        if release.identity[:2] == HELM_RELEASE and release.identity.name == KUEUE:
            shown = comma_separated(names, _SHOWN)
            remedy = "their finalizers and the definitions stay; delete them first"
            yield release.name, f"Kueue is uninstalled before {shown} are deleted: {remedy}"


def _quotas(before: Mapping[tuple[str, str], Any], after: Mapping[tuple[str, str], Any]) -> Iterator[str]:
    for key in dict.fromkeys((*before, *after)):
        flavor, resource = key
        was, now = before.get(key), after.get(key)
        if was == now:
            continue
        if now is None:
            yield f"no longer admits workloads to flavor {flavor} ({resource}); what runs there stays"
        elif was is None:
            yield f"admits up to {now['nominalQuota']} {resource} to flavor {flavor}"
        else:
            changed_names = [name for name in _AMOUNTS if was.get(name) != now.get(name)]
            shown = ", ".join(
                f"{name} {now.get(name, _NONE)} instead of {was.get(name, _NONE)}" for name in changed_names
            )
            yield f"flavor {flavor}, {resource}: {shown}; admitted workloads stay, and later ones wait for quota"


def _refused(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    """What never changes: the levels of a Topology, and fields of a flavor that has one."""
    fixed_fields = _OF_TOPOLOGY if "levels" in before else _OF_FLAVOR if "topologyName" in before else ()
    if names := [name for name in fixed_fields if before.get(name) != after.get(name)]:
        yield (
            f"the API server refuses to change {join_names(names)}: remove the pool from all quotas, deliver that, "
            "and add it again"
        )


def _by_flavor(body: Mapping[str, Any]) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {
        (text_at(flavor, "name"), text_at(resource, "name")): resource
        for group in rows(body, "spec", "resourceGroups")
        for flavor in rows(group, "flavors")
        for resource in rows(flavor, "resources")
    }


def _hard(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    for name in sorted({*before, *after}):
        if before.get(name) != after.get(name):
            was, now = (side.get(name, _NONE) for side in (before, after))
            yield f"{name}: {now} instead of {was}; running pods stay, and new ones above it are refused"


def _guard(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[str]:
    was, now = ("Deny" in list_at(side, "spec", "validationActions") for side in (before, after))
    if now and not was:
        yield "denies new pods that break the policy; running pods stay, but none replaces them after a drain"
    elif was and not now:
        yield "no longer denies pods"
