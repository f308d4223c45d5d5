"""An image family with a fixed release supports a range of Kubernetes versions."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.software.node_images import release_of, releases
from gitgpu.objects.node.node_images import node_images
from gitgpu.objects.objects import Objects
from gitgpu.rules.inputs.kubernetes import life_cycles
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    versions = life_cycles(objects.catalog)
    for image in node_images(objects):
        row = objects.catalog.facts("images", image.family)
        # Another version may be newer than the catalog.
        if not row or image.kubernetes not in versions:
            continue
        if release_of(image.family, image.kubernetes, objects.catalog, by_karpenter=image.by_karpenter) is None:
            bounds = " or ".join(entry["kubernetes"] for entry in releases(row, by_karpenter=image.by_karpenter))
            message = f"{image.family} is available for Kubernetes {bounds} only, but the nodes run {image.kubernetes}"
            remedy = f"set {image.key}: Ubuntu; AKS then picks the release for the Kubernetes version"
            yield Finding(image.item, image.pointer, message, remedy, row=row)


RULE = Rule(
    code="DRV103",
    name="image-family-not-supported-by-kubernetes",
    twin="DRV014",
    severity=Severity.WARNING,
    summary="AKS does not support the imageFamily or osSKU with the Kubernetes version of the cluster.",
    help="AKS builds images for a given OS release only for certain Kubernetes versions. Karpenter does not check "
    "the family against the version: nodes fail to start or get no updates. For an AKSNodeClass, the version is the "
    "one in "
    "its status; for a node pool, its orchestratorVersion or the kubernetesVersion of its cluster.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/upgrade-os-version.md",
        "https://learn.microsoft.com/azure/aks/upgrade-os-version",
    ),
    check=_check,
)
