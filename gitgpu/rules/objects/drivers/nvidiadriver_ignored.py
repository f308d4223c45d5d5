"""An NVIDIADriver that the GPU Operator ignores because the ClusterPolicy defines the driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import CLUSTER_POLICY, NVIDIA_DRIVER
from gitgpu.objects.gitops.chart_values import operators
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import by_objects, driver_objects_path
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    every_operator = list(operators(objects))
    # An operator in other files, or values from elsewhere, may read the objects.
    if not every_operator or any(not operator.whole or by_objects(operator, objects) for operator in every_operator):
        return
    for item in objects.of(*NVIDIA_DRIVER):
        message = "the GPU Operator ignores NVIDIADrivers and installs the driver of its ClusterPolicy"
        operator = every_operator[0]
        where = (
            "the ClusterPolicy" if operator.item.identity.kind == CLUSTER_POLICY.kind else "the GPU Operator's values"
        )
        remedy = f"set {'.'.join(driver_objects_path(operator))}: true in {where}, or remove the object"
        yield Finding(item, ("spec",), message, remedy, at_key=True)


RULE = Rule(
    code="SHR061",
    name="nvidiadriver-ignored",
    severity=Severity.ERROR,
    summary="There is an NVIDIADriver, but the GPU Operator installs the driver of its ClusterPolicy.",
    help="The GPU Operator reads NVIDIADrivers only with driver.nvidiaDriverCRD.enabled. Otherwise the state of the "
    "object stays disabled, and every node gets the driver of the ClusterPolicy.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nvidiadriver_controller.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    check=_check,
)
