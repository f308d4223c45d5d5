"""A container without an image, which the API server rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        adds_images = WORKLOAD_KINDS[pod.item.identity[:2]].adds_images
        for place, container in pod.containers() if not adds_images else ():
            if not container.get("image"):
                name = container.get("name") or place[-1]
                message = f"container {name} has no image, so the API server rejects the pod"
                at = (*place, "image") if "image" in container else place
                yield Finding(pod.item, at, message, "set image, or remove the container")


RULE = Rule(
    code="POD110",
    name="container-without-image",
    severity=Severity.ERROR,
    rejects=True,
    summary="A container has no image.",
    help="The API server rejects a pod and a pod template of its own kinds without one. Other controllers create their "
    "object, and then no pod. A patch with a wrong name adds such a container. Patches are not reported, and neither "
    "are kinds whose controllers add images.",
    sources=(
        "https://github.com/kubernetes/kubernetes/blob/v1.36.2/pkg/apis/core/validation/validation.go",
        "https://kubernetes.io/docs/concepts/containers/images/",
    ),
    check=_check,
)
