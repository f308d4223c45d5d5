"""Drivers: who installs them, and where the spec sets it."""

from collections.abc import Iterable
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.drivers import OPERATOR, OPERATORS, operator_version
from gitgpu.model.spec.origin import SpecPlace
from gitgpu.model.value_origins import pool_place, stack_place, stack_with_place, with_place
from gitgpu.source import Pointer


class ClusterWithPlace(NamedTuple):
    """A cluster as findings name it: with the place that sets who installs the pool's driver, unless the pool sets it.

    The place is looked up only if a message names the cluster, not for every cluster of a fleet.
    """

    inputs: Inputs
    pool: Pool
    cluster: Cluster

    def __str__(self) -> str:
        return self.cluster.name if self.pool.driver else stack_with_place(self.cluster, "driver")


def operator(pool: Pool, catalog: Catalog) -> tuple[Facts, str]:
    """The GPU Operator's chart for the pool, and the company that tests it."""
    name, maker = OPERATORS[pool.manufacturer or "nvidia"]
    return catalog.must("charts", name), maker


def has_known_operator(inputs: Inputs, pool: Pool, cluster: Cluster) -> bool:
    """Whether a GPU Operator serves the pool on a cluster, in a version that is in the catalog."""
    name, _ = OPERATORS[pool.manufacturer or "nvidia"]
    return driver_on(cluster, pool) == "operator" and inputs.knows_version(cluster, name)


def installers(inputs: Inputs, pool: Pool, clusters: Iterable[Cluster]) -> dict[str, list[ClusterWithPlace]]:
    """Who installs the pool's driver, and on which clusters."""
    by_installer: dict[str, list[ClusterWithPlace]] = {}
    for cluster in clusters:
        by_installer.setdefault(driver_on(cluster, pool), []).append(ClusterWithPlace(inputs, pool, cluster))
    return by_installer


def installations(
    inputs: Inputs, pool: Pool, clusters: Iterable[Cluster]
) -> list[tuple[str, Catalog, list[ClusterWithPlace]]]:
    """Who installs the pool's driver, with the facts of the GPU Operator's version there, and on which clusters.

    A GPU Operator in a version that is not in the catalog is omitted.
    """
    by_installer: dict[tuple[str, str], tuple[str, Catalog, list[ClusterWithPlace]]] = {}
    for cluster in clusters:
        driver = driver_on(cluster, pool)
        if driver == "operator" and not inputs.knows_version(cluster, OPERATOR):
            continue
        catalog = inputs.catalog_for(cluster) if driver == "operator" else inputs.catalog
        key = (driver, operator_version(catalog))
        _, _, own = by_installer.setdefault(key, (driver, catalog, []))
        own.append(ClusterWithPlace(inputs, pool, cluster))
    return list(by_installer.values())


def place(pool: Pool, otherwise: Pointer) -> Pointer:
    """The place where the pool sets who installs its driver; `otherwise` if its clusters set it."""
    return ("spec", "driver") if pool.driver else otherwise


def conflict_with_place(pool: Pool, text: str, where: Pointer) -> str:
    """The text about what conflicts with the pool's driver, with its place if the finding is at the driver."""
    return with_place(text, pool.origin, where) if pool.driver else text


def driver_place(cluster: Cluster, pool: Pool) -> SpecPlace:
    """The place in the spec that sets who installs the driver of a pool on a cluster."""
    return pool_place(pool, "driver") if pool.driver else stack_place(cluster, "driver")


def driver_with_place(pool: Pool, text: str) -> str:
    """The text about the pool's driver, with the place where the pool sets it."""
    return with_place(text, *pool_place(pool, "driver"))
