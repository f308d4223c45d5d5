"""The GPU Operator's default driver on a size that needs the GRID driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.size.grid_driver import needs_grid_driver
from gitgpu.objects.gitops.chart_values import chart_row, effective_value
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for release, pools, by_objects in operator_drivers(objects):
        # Another repository or image can be a vGPU guest driver.
        defaults = chart_row(release, objects)["defaults"]["driver"]
        is_default = [
            effective_value(release, objects, "driver", key) == defaults[key] for key in ("repository", "image")
        ]
        grid = [pool for pool in pools if _needs_grid(pool, objects)]
        if grid and all(is_default) and not by_objects:
            names = ", ".join(pool.name for pool in grid)
            message = f"the driver image is the NVIDIA data centre driver, but NodePool {names} needs the GRID driver"
            remedy = "let AKS install the driver there, or use the image of a licensed vGPU guest driver"
            yield Finding(*release.locate("driver", "image"), message, remedy)


def _needs_grid(pool: GpuPool, objects: Objects) -> bool:
    # Of several sizes, Karpenter may choose one that needs no GRID driver.
    return bool(pool.skus) and all(needs_grid_driver(sku, objects.catalog) for sku in pool.skus)


RULE = Rule(
    code="STK010",
    name="operator-on-grid-size",
    twin="DRV002",
    severity=Severity.ERROR,
    summary="The GPU Operator installs its default driver on a size for which AKS installs the GRID driver.",
    help="Azure provides these GPUs, or parts of them, through NVIDIA vGPU. The data centre driver in the default "
    "image of the GPU Operator does not support them. The vGPU guest driver needs a licence and your own image.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/install-gpu-operator-vgpu.rst",
    ),
    facts=("drivers/grid",),
    check=_check,
)
