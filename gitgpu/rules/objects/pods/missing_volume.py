"""A mount of a volume that the pod does not define."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach, rows, text_at
from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import Pod, pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        volumes = _volume_names(pod)
        for place, container in pod.containers():
            paths: set[str] = set()
            for index, mount in enumerate(container.get("volumeMounts") or ()):
                name, path = (reach(mount, key) or "" for key in ("name", "mountPath"))
                if name not in volumes and not pod.adds_volumes and "{{" not in name:  # a parameter of Argo Workflows
                    message = f"the pod has no volume '{name}'"
                    yield Finding(
                        pod.item,
                        (*place, "volumeMounts", index, "name"),
                        message,
                        "define the volume in the pod, or remove the mount",
                    )
                if path in paths:
                    message = f"duplicate mount path {path} in this container"
                    yield Finding(pod.item, (*place, "volumeMounts", index, "mountPath"), message, "use another path")
                paths.add(path)


def _volume_names(pod: Pod) -> set[str]:
    names = {reach(volume, "name") for volume in pod.spec.get("volumes") or ()} | pod.added
    return names | {text_at(claim, "metadata", "name") for claim in _claims(pod.item.body)}


def _claims(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """The claims that become volumes of the pods: of a StatefulSet, a LeaderWorkerSet, a JobSet."""
    yield from rows(body, "spec", "volumeClaimTemplates")
    yield from rows(body, "spec", "leaderWorkerTemplate", "volumeClaimTemplates")
    for policy in rows(body, "spec", "volumeClaimPolicies"):
        yield from rows(policy, "templates")


RULE = Rule(
    code="NAM005",
    name="missing-volume",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container mounts a volume that its pod does not define, or mounts two volumes at the same path.",
    help="The API server rejects the pod. A StatefulSet can also define the volume in volumeClaimTemplates.",
    sources=(
        "https://kubernetes.io/docs/concepts/storage/volumes/",
        "https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go",
    ),
    check=_check,
)
