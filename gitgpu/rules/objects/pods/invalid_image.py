"""An image that is not an image reference; the kubelet reports InvalidImageName."""

from collections.abc import Iterator

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.annotations import IMAGE_TRIGGERS_ANNOTATION
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.image_references import reference_problem
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in described_pods(objects):
        # OpenShift replaces the images of such an object; until then, they are blank.
        is_filled = IMAGE_TRIGGERS_ANNOTATION in mapping_at(pod.item.body, "metadata", "annotations")
        for place, container in () if is_filled else pod.containers():
            if problem := reference_problem(container.get("image")):
                yield Finding(pod.item, (*place, "image"), *problem)


RULE = Rule(
    code="POD044",
    name="invalid-image",
    twin="SCL032",
    severity=Severity.ERROR,
    summary="The image of a container is not an image reference.",
    help="The API server accepts any text. The kubelet does not start the container, and the pod stays in "
    "InvalidImageName. A reference has no scheme, a lowercase repository, a tag of at most 128 characters, and a "
    "sha256 digest of 64 hexadecimal digits. Templates and placeholders are not reported.",
    sources=(
        "https://github.com/distribution/reference/blob/0965666a6ade2e06035fe352e38344be1e68951a/regexp.go",
        "https://kubernetes.io/docs/concepts/containers/images/",
    ),
    check=_check,
)
