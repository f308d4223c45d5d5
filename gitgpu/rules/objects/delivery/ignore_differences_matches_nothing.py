"""An entry of ignoreDifferences that matches no object."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import ADMISSION_GROUP, API_REGISTRATION_GROUP
from gitgpu.model.names.kinds import (
    API_SERVICE,
    APPLICATION,
    CRON_JOB,
    DAEMON_SET,
    DEPLOYMENT,
    JOB,
    REPLICA_SET,
    SCALED_JOB,
    STATEFUL_SET,
)
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_CORE = ("core", "v1")  # for the core group, whose name is empty
_WORKLOADS = (CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET, SCALED_JOB, STATEFUL_SET)
_GROUPS = {kind: group for group, kind in _WORKLOADS} | {
    API_SERVICE.kind: API_REGISTRATION_GROUP,
    "HorizontalPodAutoscaler": "autoscaling",
    "Ingress": "networking.k8s.io",
    "MutatingWebhookConfiguration": ADMISSION_GROUP,
    "ValidatingWebhookConfiguration": ADMISSION_GROUP,
}
_APPS = {"ControllerRevision", *(kind for kind, group in _GROUPS.items() if group == "apps")}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*APPLICATION):
        for index, entry in enumerate(reach(item.body, "spec", "ignoreDifferences") or ()):
            fault = _fault(entry) if entry else None
            if fault:
                key, message, remedy = fault
                above: Pointer = ("spec", "ignoreDifferences", index)
                place = (*above, key) if key in entry else above
                yield Finding(item, place, message, remedy)


def _fault(entry: Mapping[str, Any]) -> tuple[str, str, str] | None:
    group, kind = str(entry.get("group") or ""), str(entry.get("kind") or "")
    if group in _CORE:
        remedy = "remove group: the name of the core group is empty"
        return "group", f"the group '{group}' does not exist, so nothing is ignored", remedy
    if "/" in group:
        remedy = f"use {group.partition('/')[0]}"
        return "group", f"group '{group}' includes a version, so it does not match any object", remedy
    if not group and kind in _GROUPS:
        message = f"without a group, {kind} means the core group, which has no {kind}, so nothing is ignored"
        return "kind", message, f"add group: {_GROUPS[kind]}"
    # Argo CD matches kinds as glob patterns.
    if group == "apps" and kind != "*" and kind not in _APPS and not any(mark in kind for mark in "*?["):
        return "kind", f"the group apps has no kind {kind}, so nothing is ignored", f"set the group of kind {kind}"
    return None


RULE = Rule(
    code="GIT016",
    name="ignore-differences-matches-nothing",
    severity=Severity.WARNING,
    summary="An entry of ignoreDifferences has a group and kind that match no object.",
    help="Argo CD compares the group without a version. The group of Secrets, Services and ConfigMaps is empty. Argo "
    "CD does not report an entry that matches nothing, and self-heal reverts the difference again and again.",
    sources=(
        "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/",
        "https://github.com/BuoyantIO/real-world-argo-linkerd/pull/2",
        "https://github.com/argoproj/argo-cd/issues/2322",
        "https://github.com/argoproj/argo-cd/issues/2586",
        "https://github.com/argoproj/argo-cd/issues/28590",
        "https://github.com/argoproj/argo-cd/issues/8562",
    ),
    check=_check,
)
