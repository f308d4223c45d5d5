"""An image without a version, which AKS Automatic rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.automatic import excluded_namespaces
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.aks_automatic._cluster import pods_of_cluster


def _check(objects: Objects) -> Iterator[Finding]:
    severity = None if excluded_namespaces(objects) is None else Severity.ERROR
    for pod in pods_of_cluster(objects):
        for place, container in pod.containers():
            image = str(container.get("image") or "")
            if _is_latest(image):
                message = f"AKS Automatic rejects containers with image {image}: it is the latest one, not a version"
                yield Finding(pod.item, (*place, "image"), message, "name a version as its tag", severity=severity)


def _is_latest(image: str) -> bool:
    name, _, digest = image.partition("@")
    _, colon, tag = name.rpartition("/")[2].partition(":")
    return bool(name) and not digest and (not colon or tag == "latest")


RULE = Rule(
    code="APL107",
    name="latest-image-on-automatic",
    severity=Severity.WARNING,
    summary="A container has an image with tag latest or without a tag, on an AKS Automatic cluster.",
    help="The deployment safeguards of AKS Automatic reject such containers, unless their namespace is excluded, "
    "which no manifest shows.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/deployment-safeguards.md",
    ),
    check=_check,
)
