"""A GPU driver that is too old for the DRA driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.version import NUMBERS, version
from gitgpu.objects.gitops.chart_values import DRA, chart_row, effective_dotted_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import driver_version, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    complete = [release for release in releases(objects) if release.whole]
    dra_drivers = [release for release in complete if chart_row(release, objects).get("name") == DRA]
    if not dra_drivers:
        return
    for operator, _, by_objects in operator_drivers(objects):
        # An NVIDIADriver has its own version, regardless of the chart values.
        installed = "" if by_objects else driver_version(operator, objects)
        if not NUMBERS.match(installed):  # an unknown version, or a tag without numbers
            continue
        for release in dra_drivers:
            for path, minimum in chart_row(release, objects)["leastDriver"].items():
                if effective_dotted_value(release, objects, path) is True and version(installed) < version(minimum):
                    message = (
                        f"the DRA driver needs NVIDIA driver {minimum} or later for {path}, but the GPU Operator "
                        f"installs {installed}"
                    )
                    place = operator.locate("driver", "version")
                    yield Finding(*place, message, f"set driver.version to {minimum} or later")


RULE = Rule(
    code="STK032",
    name="driver-too-old-for-dra",
    severity=Severity.ERROR,
    summary="The GPU Operator installs a driver that is too old for the NVIDIA DRA driver.",
    help="The plugin of the DRA driver calls functions of the GPU driver that older branches do not have, and does "
    "not start.",
    sources=(
        "https://github.com/kubernetes-sigs/dra-driver-nvidia-gpu/blob/95932046683719c43b6a0dd9613c2e5aad5d6703/site/content/docs/prerequisites.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/dra-intro-install.rst",
    ),
    check=_check,
)
