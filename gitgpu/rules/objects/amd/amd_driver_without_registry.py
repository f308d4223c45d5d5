"""A DeviceConfig that builds the driver but has no image repository for it."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_BY_OPERATOR = ("container", "vf-passthrough")  # the types of driver that the operator builds and pushes


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*DEVICE_CONFIG):
        driver = reach(item.body, "spec", "driver") or {}
        # Both are the operator's defaults.
        builds = driver.get("enable", True) is not False and driver.get("driverType", "container") in _BY_OPERATOR
        if builds and not driver.get("image"):
            place = ("spec", "driver", "enable") if "enable" in driver else ("spec",)
            message = (
                "the AMD GPU Operator builds the driver (the default), but driver.image is not set, so it cannot "
                "push the image"
            )
            remedy = (
                "set driver.enable: false if the driver is installed in another way, or set driver.image to a "
                "repository"
            )
            yield Finding(item, place, message, remedy)


RULE = Rule(
    code="STK060",
    name="amd-driver-without-registry",
    severity=Severity.ERROR,
    summary="A DeviceConfig lets the AMD GPU Operator build the driver but sets no repository for the image.",
    help="The AMD GPU Operator builds the driver as an image for each kernel on the cluster, and pushes it. Without "
    "a repository it pushes to image-registry:5000, which does not exist on AKS: the build fails, no driver is "
    "installed, and amd.com/gpu stays 0.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/drivers/installation.md",
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/internal/kmmmodule/kmmmodule.go",
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/helm-charts-k8s/crds/deviceconfig-crd.yaml",
    ),
    check=_check,
)
