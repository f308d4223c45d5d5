"""A difference that Argo CD is to ignore, of a kind that no object has."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.conform.objects import WORKLOADS, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_CORE = ("core", "v1")
_GROUPS = {kind: group for group, kind in WORKLOADS if group} | {
    "APIService": "apiregistration.k8s.io",
    "HorizontalPodAutoscaler": "autoscaling",
    "Ingress": "networking.k8s.io",
    "MutatingWebhookConfiguration": "admissionregistration.k8s.io",
    "ValidatingWebhookConfiguration": "admissionregistration.k8s.io",
}
_APPS = {"ControllerRevision", *(kind for kind, group in _GROUPS.items() if group == "apps")}


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of("argoproj.io", "Application"):
        for at, one in enumerate(reach(item.body, "spec", "ignoreDifferences") or ()):
            found = _fault(one) if one else None
            if found:
                key, message, remedy = found
                entry: Pointer = ("spec", "ignoreDifferences", at)
                place = (*entry, key) if key in one else entry
                yield Finding(item, place, message, remedy)


def _fault(one: Mapping[str, Any]) -> tuple[str, str, str] | None:
    group, kind = str(one.get("group") or ""), str(one.get("kind") or "")
    if group in _CORE:
        remedy = "remove group: the core group has no name"
        return "group", f"no kind is in the group '{group}', so nothing is ignored", remedy
    if "/" in group:
        remedy = f"write the group alone: {group.partition('/')[0]}"
        return "group", f"'{group}' is a group with its version, which no kind has, so nothing is ignored", remedy
    if not group and kind in _GROUPS:
        message = f"without a group this is the {kind} of the core group, which there is not: nothing is ignored"
        return "kind", message, f"add group: {_GROUPS[kind]}"
    if group == "apps" and kind != "*" and kind not in _APPS and not any(mark in kind for mark in "*?["):
        return "kind", f"the group apps has no kind {kind}, so nothing is ignored", "write the group of this kind"
    return None


RULE = Rule(
    code="GIT016",
    name="ignored-difference-of-nothing",
    severity=Severity.WARNING,
    summary="An entry of ignoreDifferences has a group and kind that no object has.",
    help="Argo CD compares the group without its version; that of Secrets, Services and ConfigMaps is empty. An entry "
    "that matches nothing is passed over without a word, and the difference is healed again and again.",
    sources=(
        "https://argo-cd.readthedocs.io/en/stable/user-guide/diffing/",
        "https://github.com/BuoyantIO/real-world-argo-linkerd/pull/2",
        "https://github.com/argoproj/argo-cd/issues/2322",
        "https://github.com/argoproj/argo-cd/issues/2586",
        "https://github.com/argoproj/argo-cd/issues/28590",
        "https://github.com/argoproj/argo-cd/issues/8562",
    ),
    check=_check,
    bad="""
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: chat, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: serving}
  source: {repoURL: "https://github.com/contoso/fleet", path: chat, targetRevision: main}
  ignoreDifferences:
  - {group: apps/v1, kind: Deployment, jsonPointers: [/spec/replicas]}
""",
    good="""
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: chat, namespace: argocd}
spec:
  project: default
  destination: {server: "https://kubernetes.default.svc", namespace: serving}
  source: {repoURL: "https://github.com/contoso/fleet", path: chat, targetRevision: main}
  ignoreDifferences:
  - {group: apps, kind: Deployment, jsonPointers: [/spec/replicas]}
""",
)
