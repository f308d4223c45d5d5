"""The driver of a pool must support the architecture of its GPUs."""

from collections.abc import Collection, Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.drivers import InstalledDriver, driver_of_pool, operator_drivers
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import conflict_with_place, installations, place
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

NEWER = "use a size with a newer GPU"


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        for driver, catalog, names in installations(inputs, pool, clusters):
            remedy = _remedy(driver, pool, catalog)
            for where, message in _faults(pool, driver, catalog):
                conflict = conflict_with_place(pool, message, where)
                yield Finding(pool.origin, place(pool, where), f"{conflict}, on {join_names(names)}", remedy)


def _faults(pool: Pool, driver: str, catalog: Catalog) -> Iterator[tuple[Pointer, str]]:
    faults = {sku.name: _unsupported(driver_of_pool(driver, pool, sku, catalog), sku) for sku in pool.skus}
    for fault in dict.fromkeys(filter(None, faults.values())):
        same = [name for name, other in faults.items() if other == fault]
        for where, sizes in wrong_sizes(pool, catalog, partial(_among, same)):
            yield where, f"{fault} of {sizes}"


def _unsupported(driver: InstalledDriver | None, sku: Sku) -> str:
    """Which driver does not support which architecture; "" if it is supported or unknown."""
    if not driver or not driver.architectures or not sku.gpu or sku.gpu.architecture in driver.architectures:
        return ""
    return f"driver {driver.version}, which {driver.owner} installs, does not support the {sku.gpu.architecture} GPUs"


def _remedy(driver: str, pool: Pool, catalog: Catalog) -> str:
    """Suggests the newest branch of the operator that supports all GPUs of the pool, if there is one."""
    # AKS has no setting for the version of its driver.
    if driver != "operator" or pool.windows:
        return NEWER
    architectures = {sku.gpu.architecture for sku in pool.skus if sku.gpu}
    branches = []
    for branch, row in operator_drivers(catalog).items():
        # A branch without a list supports every architecture.
        if not row["architectures"] or architectures.issubset(row["architectures"]):
            branches.append(int(branch))
    return f'set driverBranch: "{max(branches)}", or {NEWER}' if branches else NEWER


def _among(names: Collection[str], sku: Sku) -> bool:
    return sku.name in names


RULE = Rule(
    code="DRV004",
    name="gpu-not-supported-by-driver",
    twin="STK011",
    severity=Severity.ERROR,
    summary="The driver of a pool does not support the architecture of its GPUs.",
    help="NVIDIA drops old architectures with new driver branches. A newer driver loads but finds no GPU, so the "
    "node never advertises one.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/platform-support.rst",
    ),
    facts=("skus",),
    check=_check,
)
