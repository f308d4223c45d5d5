"""A claim for GPUs that the NVIDIA DRA driver does not publish."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.groups import RESOURCE_GROUP
from gitgpu.model.names.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE
from gitgpu.objects.gitops.chart_values import DRA, chart_row, effective_value, title
from gitgpu.objects.gitops.releases import Release, releases
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.resource_claims import requests
from gitgpu.rules.object_rule import Finding, Rule

_OF_GPUS = ("gpus", "mig", "passthrough")  # keys of `deviceClasses` in the chart's row


def _check(objects: Objects) -> Iterator[Finding]:
    drivers = [release for release in releases(objects) if chart_row(release, objects).get("name") == DRA]
    # One driver that publishes GPUs is enough.
    if not drivers or not all(_is_without_gpus(driver, objects) for driver in drivers):
        return
    missing = _missing_classes(drivers[0], objects)
    reason = f"{title(drivers[0])} sets resources.gpus.enabled: false, so there is no device class"
    remedy = "set resources.gpus.enabled: true and gpuResourcesEnabledOverride: true in the values of the driver"
    for kind in (RESOURCE_CLAIM_TEMPLATE.kind, RESOURCE_CLAIM.kind):
        for item in objects.of(RESOURCE_GROUP, kind):
            for request in requests(item):
                if request.device_class in missing:
                    yield Finding(item, request.pointer, f"{reason} {request.device_class}", remedy)


def _is_without_gpus(driver: Release, objects: Objects) -> bool:
    return driver.whole and effective_value(driver, objects, "resources", "gpus", "enabled") is False


def _missing_classes(driver: Release, objects: Objects) -> set[str]:
    """The device classes that the driver would create for GPUs and that are not among the objects."""
    existing = {
        identity.name
        for identity in objects.present
        if (identity.group, identity.kind) == (RESOURCE_GROUP, "DeviceClass")
    }
    classes = chart_row(driver, objects)["deviceClasses"]
    return {classes[part] for part in _OF_GPUS} - existing


RULE = Rule(
    code="RSC008",
    name="claim-of-unpublished-gpus",
    severity=Severity.ERROR,
    summary="A claim requests a GPU, but the NVIDIA DRA driver is configured not to publish GPUs.",
    help="With resources.gpus.enabled: false, the chart creates neither the device classes of GPUs nor the container "
    "that publishes them. A pod with such a claim stays Pending.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/issues/438",
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/deployments/helm/dra-driver-nvidia-gpu/templates/deviceclass-gpu.yaml",
    ),
    check=_check,
)
