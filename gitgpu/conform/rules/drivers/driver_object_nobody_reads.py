"""An NVIDIADriver where the GPU Operator takes its driver from the cluster policy."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import operators
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.operator_drivers import by_objects
from gitgpu.diagnostic import Severity


def _check(objects: Objects) -> Iterator[Finding]:
    known = list(operators(objects))
    if not known or any(not one.whole or by_objects(one, objects) for one in known):
        return
    for item in objects.of("nvidia.com", "NVIDIADriver"):
        message = "the GPU Operator does not look at NVIDIADrivers"
        remedy = "write driver.nvidiaDriverCRD.enabled: true in the operator's values, or remove the object"
        yield Finding(item, ("spec",), message, remedy, at_key=True)


RULE = Rule(
    code="SHR061",
    name="driver-object-nobody-reads",
    severity=Severity.ERROR,
    summary="There is an NVIDIADriver, and the GPU Operator installs the driver that its cluster policy says.",
    help=(
        "The operator reads NVIDIADrivers only where it is told to. Otherwise the object's state stays disabled, "
        "and every node gets the one driver of the cluster policy."
    ),
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nvidiadriver_controller.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
    ),
    check=_check,
    bad="""
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r580}
spec: {driverType: gpu, version: "580.173.02", nodeSelector: {karpenter.sh/nodepool: h100}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    driver: {nvidiaDriverCRD: {enabled: false}}
""",
    good="""
apiVersion: nvidia.com/v1alpha1
kind: NVIDIADriver
metadata: {name: r580}
spec: {driverType: gpu, version: "580.173.02", nodeSelector: {karpenter.sh/nodepool: h100}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    driver: {nvidiaDriverCRD: {enabled: true}}
""",
)
