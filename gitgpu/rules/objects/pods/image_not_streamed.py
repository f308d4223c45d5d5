"""An image that is pulled in full on nodes with artifact streaming."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.software.registries import azure_name
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.placement import cases
from gitgpu.objects.workload.pods import Pod
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    streaming: set[str] = set()
    for item, spec in node_classes(objects):
        if reach(spec, "artifactStreaming", "enabled") is True:
            streaming.add(item.identity.name)
    if not streaming:
        return
    for case in cases(objects):
        bodies = [offer.pool.item.body for offer in case.agreeing]
        classes = {reach(body, "spec", "template", "spec", "nodeClassRef", "name") for body in bodies}
        if classes and classes <= streaming:
            yield from _full_pulls(case.pod, objects.catalog)


def _full_pulls(pod: Pod, catalog: Catalog) -> Iterator[Finding]:
    for place, container in pod.containers():
        image = str(container.get("image") or "")
        if not azure_name(image, catalog):  # images of other registries are never streamed
            continue
        if "@sha256:" in image:
            message = "the nodes have artifact streaming, but an image with a digest is pulled in full"
            yield Finding(
                pod.item, (*place, "image"), message, "use a tag that is never overwritten instead of the digest"
            )
        elif pod.spec.get("imagePullSecrets"):
            message = "the nodes have artifact streaming, but an image is pulled in full with imagePullSecrets"
            remedy = "remove imagePullSecrets, and let the kubelet identity pull the image (az aks update --attach-acr)"
            yield Finding(pod.item, (*place, "image"), message, remedy)


RULE = Rule(
    code="POD060",
    name="image-not-streamed",
    severity=Severity.WARNING,
    summary="The image of a pod is pulled in full, although its nodes support artifact streaming.",
    help="Artifact streaming redirects a pull by tag, with the identity of the kubelet, to a streaming variant of "
    "the image. A pull by digest, or with a secret or a token, is not redirected: the container starts only when the "
    "complete image is pulled.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/artifact-streaming.md",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
    ),
    check=_check,
)
