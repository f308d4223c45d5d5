"""The GPU Operator cannot install the driver of a size that needs the GRID driver."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.size.grid_driver import needs_grid_driver
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import installers, place
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        names = installers(inputs, pool, clusters).get("operator")
        if not names or pool.windows:  # the operator does not run on Windows: WIN002 reports that
            continue
        for where, sizes in wrong_sizes(pool, inputs.catalog, lambda sku: needs_grid_driver(sku, inputs.catalog)):
            message = f"the GPU Operator ({join_names(names)}) does not install the GRID driver, which {sizes} needs"
            yield Finding(pool.origin, place(pool, where), message, "set driver: aks")


RULE = Rule(
    code="DRV002",
    name="operator-on-grid-size",
    twin="STK010",
    severity=Severity.ERROR,
    summary="The GPU Operator installs the driver on a size that needs the GRID driver.",
    help="Sizes with the GRID driver are vGPU guests. The GPU Operator installs the data centre driver, which does "
    "not start there. A vGPU guest driver needs a private image and your own licence.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/install-gpu-operator-vgpu.rst",
    ),
    facts=("drivers/grid",),
    check=_check,
)
