"""AKS must still offer the node image of an AKSNodeClass or node pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.dates import has_begun, known_day, over
from gitgpu.model.software.node_images import life_of, releases
from gitgpu.objects.node.node_images import NodeImage, node_images
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for image in node_images(objects):
        row, system = _life(image, image.family, objects)
        message, severity = _end(system, known_day(row, objects.today)) if row else ("", None)
        if not message:
            continue
        ubuntu, ubuntu_system = _life(image, "Ubuntu", objects)
        remedy = f"set {image.key}: Ubuntu"
        if ubuntu and _end(ubuntu_system, known_day(ubuntu, objects.today))[0]:
            remedy = f"upgrade the cluster, and {remedy}"
        elif releases(row, by_karpenter=image.by_karpenter)[-1]["os"] != system["os"]:
            remedy = f"upgrade the cluster, or {remedy}"
        reason = f"{message}, which nodes with Kubernetes {image.kubernetes} use"
        yield Finding(image.item, image.pointer, reason, remedy, severity=severity, row=row)


def _life(image: NodeImage, family: str, objects: Objects) -> tuple[Facts, Facts]:
    """The row of a family, and how long AKS supports its system with the version of an image; {} if unknown."""
    return life_of(family, image.kubernetes, objects.catalog, by_karpenter=image.by_karpenter) or ({}, {})


def _end(system: Facts, today: str) -> tuple[str, Severity]:
    """What AKS has ended, as a message: the images, or only the support for the system; "" if neither."""
    if has_begun(system["imagesRemoved"], today):
        return f"AKS removed the images of {system['os']} on {system['imagesRemoved']}", Severity.ERROR
    if over(system["endOfSupport"], today):
        return f"AKS support ended on {system['endOfSupport']} for {system['os']}", Severity.WARNING
    return "", Severity.WARNING


RULE = Rule(
    code="DRV104",
    name="removed-image",
    twin="DRV015",
    severity=Severity.ERROR,
    summary="AKS has removed the node images that an AKSNodeClass or node pool needs.",
    help="The image family or osSKU and the Kubernetes version determine the operating system. Some time after its end "
    "of support, AKS removes the images, and no node can start. From the end of support on, the finding is a warning. "
    "For an AKSNodeClass, the version is the one in its status; for a node pool, its orchestratorVersion or the "
    "kubernetesVersion of its cluster.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/azure-linux-retirement.md",
        "https://learn.microsoft.com/azure/aks/upgrade-os-version",
    ),
    check=_check,
)
