"""A claim for devices of an unknown class."""

from collections.abc import Collection, Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RESOURCE_GROUP
from gitgpu.model.names.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE
from gitgpu.objects.gitops.chart_values import DRA
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.resource_claims import requests
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest, one_of

_OURS = ".nvidia.com"
_CUTOFF = 0.7  # gpus is similar to gpu; imex is not similar to any class
_OF_DOMAINS = ("imex", "compute-domain", "computedomain")  # words for what a compute domain claims by itself


def _check(objects: Objects) -> Iterator[Finding]:
    classes = {*objects.catalog.must("charts", DRA)["deviceClasses"].values()}
    classes |= {
        identity.name
        for identity in objects.present
        if (identity.group, identity.kind) == (RESOURCE_GROUP, "DeviceClass")
    }
    for kind in (RESOURCE_CLAIM_TEMPLATE.kind, RESOURCE_CLAIM.kind):
        for item in objects.of(RESOURCE_GROUP, kind):
            for request in requests(item):
                # Classes of other drivers are not in the catalog.
                if request.device_class not in classes and request.device_class.endswith(_OURS):
                    remedy = _remedy(request.device_class, classes)
                    message = f"unknown device class {request.device_class}; no chart installs it"
                    yield Finding(item, request.pointer, message, remedy)


def _remedy(device_class: str, classes: Collection[str]) -> str:
    """Suggests the class that is meant. Channels and daemons of compute domains have their own templates."""
    if any(word in device_class for word in _OF_DOMAINS):
        return "remove the claim, and use the template in spec.channel.resourceClaimTemplate of a ComputeDomain"
    ours = {name.removesuffix(_OURS): name for name in classes if name.endswith(_OURS)}
    closest = nearest(device_class.removesuffix(_OURS), ours, _CUTOFF)
    return f"use {ours[closest]}" if closest else f"use {one_of(sorted(classes))}"


RULE = Rule(
    code="RSC004",
    name="unknown-device-class",
    severity=Severity.WARNING,
    summary="A claim uses an NVIDIA device class that no chart of the catalog installs.",
    help="The chart of the NVIDIA DRA driver installs the device classes of NVIDIA GPUs. The API server accepts a "
    "claim for a class that does not exist, and its pod stays Pending.",
    sources=(
        "https://kubernetes.io/docs/concepts/scheduling-eviction/dynamic-resource-allocation/",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-gpu.yaml",
    ),
    facts=("charts/dra-driver-nvidia-gpu",),
    check=_check,
)
