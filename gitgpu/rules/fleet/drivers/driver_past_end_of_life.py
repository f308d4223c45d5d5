"""The driver of a pool should be of a branch that NVIDIA supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.dates import evidence_day, known_day, over
from gitgpu.model.driver_owner import BY_AKS
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import driver_of_pool
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import installers, place
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools on which AKS installs a driver of an ended branch, according to the catalog."""
    for pool, clusters in pools_with_clusters(inputs):
        for driver, names in installers(inputs, pool, clusters).items():
            for row in _rows(inputs, pool, driver):
                if not over(row["endOfLife"], known_day(row, inputs.today)):
                    continue
                since = f"driver branch {row['branch']} reached end of life in {row['endOfLife']}"
                then = f"AKS installed {row['version']} on {evidence_day(row)} ({join_names(names)})"
                message = f"{since}; {then}, but may install a newer one now"
                where = place(pool, sizes_place(pool))
                yield Finding(pool.origin, where, message, "update gitgpu, or set driver: operator", row)


def _rows(inputs: Inputs, pool: Pool, driver: str) -> list[Facts]:
    """The drivers that AKS installs on the sizes of the pool, without duplicates."""
    if driver not in BY_AKS:
        return []
    drivers = {sku.driver for sku in pool.skus if driver_of_pool(driver, pool, sku, inputs.catalog)}
    return [inputs.catalog.must("drivers", name) for name in sorted(filter(None, drivers))]


RULE = Rule(
    code="DRV017",
    name="driver-past-end-of-life",
    severity=Severity.WARNING,
    summary="AKS is known to install a driver of a branch that NVIDIA no longer supports.",
    help="After its end of life, a branch gets no bug fixes and no security fixes. The node image determines the "
    "driver. The catalog records the driver on the date of its last verification.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/615/supported-drivers-and-cuda-toolkit-versions.html",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
    ),
    check=_check,
)
