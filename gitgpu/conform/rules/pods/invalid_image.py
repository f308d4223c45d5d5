"""An image that is not an image reference; the kubelet reports InvalidImageName."""

from collections.abc import Iterator

from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.image import image_fault
from gitgpu.model.syntax.templates import is_template

_REMEDY = "write it as HOST/REPOSITORY:TAG, such as contoso.azurecr.io/chat:1.4"
_BUILT = "ko://"  # `ko resolve` builds the Go package, and replaces it with the image
BAD = """
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: serving}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      containers:
      - name: chat
        image: https://contoso.azurecr.io/chat:1.4
"""


def _check(objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            image = container.get("image")
            if not isinstance(image, str) or not image or _is_filled_in(image):
                continue
            if fault := image_fault(image):
                message = f"'{image[:80]}' is not an image reference: {fault}"
                yield Finding(pod.item, (*place, "image"), message, _REMEDY)


def _is_filled_in(image: str) -> bool:
    """Whether something replaces it before it is applied: a template, a variable, a placeholder, a build."""
    return (
        is_template(image)
        or image.startswith(_BUILT)
        or any(mark in image for mark in ("$", "<", ">", "{", "}", "[[", "%"))
    )


RULE = Rule(
    code="POD044",
    name="invalid-image",
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
    bad=BAD,
    good=BAD.replace("https://", ""),
)
