"""A job with a container whose image is not an image reference."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.image import image_fault
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Containers of jobs whose image the kubelet rejects."""
    for workload in inputs.workloads:
        spec = workload.job["template"]["spec"] if workload.job else {}
        for key in ("containers", "initContainers"):
            for index, container in enumerate(spec.get(key) or ()):
                image = container.get("image") if isinstance(container, dict) else None
                fault = image_fault(image) if isinstance(image, str) else ""
                if fault:
                    place = ("spec", "job", "template", "spec", key, index, "image")
                    message = f"'{str(image)[:80]}' is not an image reference: {fault}"
                    remedy = "write it as HOST/REPOSITORY:TAG, such as contoso.azurecr.io/render:1.4"
                    yield Finding(workload.origin, place, message, remedy)


RULE = Rule(
    code="SCL032",
    name="invalid-image",
    twin="POD044",
    severity=Severity.ERROR,
    summary="The image of a job's container is not an image reference.",
    help="The API server accepts any text; the kubelet does not start the container, and the pod stays in "
    "InvalidImageName. A reference has no scheme, a repository in lower case and a tag of at most 128 characters.",
    sources=(
        "https://github.com/distribution/reference/blob/0965666a6ade2e06035fe352e38344be1e68951a/regexp.go",
        "https://kubernetes.io/docs/concepts/containers/images/",
    ),
    check=_check,
)
