"""Pods that the Pod Security level of AKS Automatic rejects."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, reach, rows
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.objects.gitops.chart_values import chart_row
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import excluded, facts, pods_of_cluster, releases_of_cluster
from gitgpu.source import Pointer

_HOST = ("hostNetwork", "hostPID", "hostIPC")
_OF_MICROSOFT = "mcr.microsoft.com/"  # some of its images may mount any path; which ones is not documented


def _check(objects: Objects) -> Iterator[Finding]:
    row, known = facts(objects), excluded(objects) is not None
    message = "AKS Automatic rejects {}" + ("" if known else ", unless their namespace is excluded")
    severity = Severity.ERROR if known else None
    for pod in pods_of_cluster(objects):
        found = _forbidden(pod, row)
        if found and pod.item.identity.namespace not in row["protectedNamespaces"]:  # APL102 reports these
            place, what = found
            remedy = _remedy(pod.item.identity.namespace)
            yield Finding(pod.item, place, message.format(f"pods with {what}"), remedy, severity=severity)
    for release in releases_of_cluster(objects):
        is_protected = release.namespace in row["protectedNamespaces"]
        if chart_row(release, objects).get("privileged") and not is_protected:
            text = message.format(f"the privileged pods of chart {release.chart}")
            yield Finding(release.item, ("metadata", "name"), text, _remedy(release.namespace), severity=severity)


def _remedy(namespace: str) -> str:
    name = namespace or "default"
    return (
        f"exclude namespace {name} from the policies (az aks safeguards update --level Enforce --excluded-ns {name}), "
        "and add it to lint.excludedNamespaces, or to safeguards.excludedNamespaces of the Cluster"
    )


def _forbidden(pod: Pod, row: Facts) -> tuple[Pointer, str] | None:
    """The first setting that the level baseline forbids, and its place."""
    for key in _HOST:
        if pod.spec.get(key) is True:
            return (*pod.pointer, key), key
    for index, volume in enumerate(list_at(pod.spec, "volumes")):
        if reach(volume, "hostPath") and not _may_mount(pod, volume, row):
            return (*pod.pointer, "volumes", index, "hostPath"), "hostPath volumes"
    for place, container in pod.containers():
        if found := _forbidden_in(container, row):
            path, what = found
            return (*place, *path), what
    return None


def _may_mount(pod: Pod, volume: Mapping[str, Any], row: Facts) -> bool:
    """Whether pods may mount the path: read-only, if it is one of some paths, or with images of Microsoft."""
    images: list[str] = []
    read_only = True
    for _, container in pod.containers():
        for mount in rows(container, "volumeMounts"):
            if mount.get("name") == volume.get("name"):
                images.append(str(container.get("image")))
                read_only &= mount.get("readOnly") is True
    path = str(reach(volume, "hostPath", "path"))
    if any(path == allowed or path.startswith(f"{allowed}/") for allowed in row["readableHostPaths"]):
        return read_only
    return bool(images) and all(image.startswith(_OF_MICROSOFT) for image in images)


def _forbidden_in(container: Mapping[str, Any], row: Facts) -> tuple[Pointer, str] | None:
    """The first setting of a container that the level forbids, and its place in the container."""
    if reach(container, "securityContext", "privileged") is True:
        return ("securityContext", "privileged"), "privileged containers"
    for index, name in enumerate(list_at(container, "securityContext", "capabilities", "add")):
        if name not in row["capabilities"]:
            return ("securityContext", "capabilities", "add", index), f"capability {name}"
    for index, port in enumerate(list_at(container, "ports")):
        if reach(port, "hostPort"):
            return ("ports", index, "hostPort"), "hostPort"
    return None


RULE = Rule(
    code="APL103",
    name="pods-below-baseline-of-automatic",
    twin="AUT001",
    severity=Severity.WARNING,
    summary="Pods mount paths of the host or are privileged, and the cluster is an AKS Automatic cluster.",
    help="AKS Automatic enforces the Pod Security level baseline, which forbids both, and the level cannot be lowered. "
    "Device plugins, exporters and drivers need them. Only a namespace can be excluded, which no manifest shows: with "
    "`lint.excludedNamespaces`, or the output of `az aks safeguards show` in the input, this is an error in all other "
    "namespaces. AKS has no such limit for the software of its managed GPU nodes.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
        "https://github.com/Azure/AKS/issues/5442",
        "https://kubernetes.io/docs/concepts/security/pod-security-standards/",
    ),
    facts=("admission/aks-automatic",),
    check=_check,
)
