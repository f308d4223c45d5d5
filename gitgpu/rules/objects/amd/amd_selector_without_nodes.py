"""A DeviceConfig whose selector matches no node of AKS."""

from collections.abc import Iterator

from gitgpu.access import mapping_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import DEVICE_CONFIG
from gitgpu.model.names.labels import AMD_VGPU_LABEL
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.gitops.releases import releases
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_BARE = "feature.node.kubernetes.io/amd-gpu"
_REMEDY = f'use {AMD_VGPU_LABEL}: "true" instead'


def _check(objects: Objects) -> Iterator[Finding]:
    message = "GPUs of an Azure VM are virtual functions, which get the label amd-vgpu, not amd-gpu"
    for item in objects.of(*DEVICE_CONFIG):
        if _BARE in (reach(item.body, "spec", "selector") or {}):
            yield Finding(item, ("spec", "selector", _BARE), message, _REMEDY)
    for release in releases(objects):
        # Values from elsewhere may set another selector.
        if chart_row(release, objects).get("name") == "amd-gpu-operator" and release.whole:
            selector = mapping_at(effective_value(release, objects, "deviceConfig", "spec", "selector"))
            if effective_value(release, objects, "crds", "defaultCR", "install") is True and selector.get(_BARE):
                place = release.locate("deviceConfig", "spec", "selector", _BARE)
                yield Finding(*place, f"the chart installs the default DeviceConfig; {message}", _REMEDY)


RULE = Rule(
    code="STK028",
    name="amd-selector-without-nodes",
    severity=Severity.WARNING,
    summary="A DeviceConfig, or the default one of the AMD chart, selects the label of GPUs on bare metal.",
    help="Node Feature Discovery labels a node by its PCI devices, and in an Azure VM the GPU is a virtual function. "
    "A DeviceConfig with the default selector matches no node, so no device plugin runs and amd.com/gpu stays 0.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/docs/usage.rst",
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/configs/amd-device-config/deviceconfig.yaml",
    ),
    check=_check,
)
