"""A workload whose CUDA is newer than the driver of one of its pools."""

from collections.abc import Iterator, Mapping, Sequence

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import InstalledDriver, driver_of_pool
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.drivers import ClusterWithPlace, installations
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    drivers: dict[tuple[str, tuple[str, ...]], dict[InstalledDriver, list[ClusterWithPlace]]] = {}
    by_name = {cluster.name: cluster for cluster in inputs.clusters}
    for workload in inputs.workloads:
        if workload.cuda is None:
            continue
        row = inputs.catalog.facts("cuda", str(version(workload.cuda)[0]))
        minimum = str(row["minimumDriver"]) if row else ""  # the oldest driver that runs every minor version
        for pool in inputs.pools_of(workload):
            key = (pool.name, pool.clusters)
            if key not in drivers:  # many workloads share a pool
                drivers[key] = _drivers(inputs, pool, [by_name[name] for name in pool.clusters])
            for message, remedy in _faults(workload.cuda, minimum, pool, drivers[key]):
                yield Finding(workload.origin, ("spec", "cuda"), message, remedy, row)


def _faults(
    cuda: str, minimum: str, pool: Pool, drivers: Mapping[InstalledDriver, Sequence[ClusterWithPlace]]
) -> Iterator[Problem]:
    """A message and a remedy for each driver of a pool that is too old."""
    for driver, clusters in drivers.items():
        if _too_old(driver, cuda, minimum):
            needs = f"driver {minimum} or newer" if minimum else "a newer driver"
            message = (
                f"CUDA {cuda} needs {needs}, but {driver.owner} installs {driver.version} "
                f"in pool {pool_with_sizes_place(pool)} on {join_names(clusters)}"
            )
            older = f"CUDA {driver.cuda} or older" if driver.cuda else "an older CUDA"
            yield Problem(message, f"build the image with {older}, or remove {pool.name} from spec.pools")


def _too_old(driver: InstalledDriver, cuda: str, minimum: str) -> bool:
    """Whether the driver is too old. A CUDA major that is not in the catalog is newer than those that are."""
    if minimum:
        return version(driver.version) < version(minimum)
    return driver.cuda is not None and version(cuda)[0] > version(driver.cuda)[0]


def _drivers(inputs: Inputs, pool: Pool, clusters: Sequence[Cluster]) -> dict[InstalledDriver, list[ClusterWithPlace]]:
    """The drivers that nodes of the pool may get, and on which clusters."""
    drivers: dict[InstalledDriver, list[ClusterWithPlace]] = {}
    for owner, catalog, names in installations(inputs, pool, clusters):
        for sku in pool.skus:
            if driver := driver_of_pool(owner, pool, sku, catalog):
                drivers[driver] = names
    return drivers


RULE = Rule(
    code="DRV005",
    name="cuda-newer-than-driver",
    severity=Severity.ERROR,
    summary="The CUDA of a workload is newer than the driver of one of its pools.",
    help="A driver supports CUDA of its own major version and of older ones. With a newer major version the container "
    "starts, and the first CUDA call fails: the driver is insufficient for the runtime.",
    sources=(
        "https://docs.nvidia.com/deploy/cuda-compatibility/minor-version-compatibility.html",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/gpu.go",
    ),
    facts=("cuda/*",),
    check=_check,
)
