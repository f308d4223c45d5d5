"""Pods that the Pod Security level of AKS Automatic rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import pods_of_cluster, releases_of_cluster
from gitgpu.source import Pointer

_HOST = ("hostNetwork", "hostPID", "hostIPC")


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods_of_cluster(objects):
        namespace = pod.item.identity.namespace
        found = _forbidden(pod)
        if found and namespace != "kube-system":  # APL102 reports these
            place, what = found
            message = f"AKS Automatic rejects pods with {what}, unless their namespace is excluded"
            yield Finding(pod.item, place, message, _remedy(namespace))
    for release in releases_of_cluster(objects):
        if chart_row(release, objects).get("privileged") and release.namespace != "kube-system":
            what = f"the privileged pods of chart {release.chart}"
            message = f"AKS Automatic rejects {what}, unless their namespace is excluded"
            yield Finding(release.item, ("metadata", "name"), message, _remedy(release.namespace))


def _remedy(namespace: str) -> str:
    name = namespace or "default"
    return f"exclude namespace {name} from the policies: az aks safeguards update --level Enforce --excluded-ns {name}"


def _forbidden(pod: Pod) -> tuple[Pointer, str] | None:
    """The first setting that the level baseline forbids, and its place."""
    for key in _HOST:
        if pod.spec.get(key) is True:
            return (*pod.pointer, key), key
    for index, volume in enumerate(list_at(pod.spec, "volumes")):
        if reach(volume, "hostPath"):
            return (*pod.pointer, "volumes", index, "hostPath"), "hostPath volumes"
    for place, container in pod.containers():
        if _is_privileged(container):
            return (*place, "securityContext", "privileged"), "privileged containers"
    return None


def _is_privileged(container: Mapping[str, Any]) -> bool:
    return reach(container, "securityContext", "privileged") is True


RULE = Rule(
    code="APL103",
    name="pods-below-baseline-of-automatic",
    severity=Severity.WARNING,
    summary="Pods mount paths of the host or are privileged, and the cluster is an AKS Automatic cluster.",
    help="AKS Automatic enforces the Pod Security level baseline, which forbids both, and the level cannot be lowered. "
    "Device plugins, exporters and drivers need them. Only a namespace can be excluded, which no manifest shows.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    ),
    check=_check,
)
