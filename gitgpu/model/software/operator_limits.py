"""Conflicts between the pools of a cluster and a release of a GPU Operator: driver branch, GPUs, operating system."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.compatibility import Conflict
from gitgpu.model.software.drivers import OPERATORS, operator_driver, operator_drivers
from gitgpu.model.software.node_images import release, within
from gitgpu.model.syntax.version import minor


class _Release(NamedTuple):
    """A release of an operator, its facts, and the operating systems that the installed release is tested on."""

    software: str
    version: str
    catalog: Catalog
    tested: frozenset[str]

    @property
    def chart(self) -> Facts:
        """The facts about its chart."""
        return self.catalog.must("charts", self.software)

    def conflict(self, other: str, other_version: str, why: str, page: str) -> Conflict:
        """The conflict of this release. Its source is the first link that contains `page`, or else the first link."""
        sources = self.chart["source"]
        source = next((url for url in sources if page in url), sources[0])
        return Conflict(self.software, self.version, other, other_version, excluded=True, why=why, source=source)


def operator_conflicts(inputs: Inputs, cluster: Cluster, software: str, version: str) -> Iterator[Conflict]:
    """Why nodes of the cluster would get no driver, or an untested one, from this release of an operator.

    An operating system is excluded if the installed release is tested on it, and this release is not.
    """
    served = {manufacturer for manufacturer, operator in OPERATORS.items() if operator.chart == software}
    if not served:
        return
    tested = inputs.catalog_for(cluster).must("charts", software)["validated"]
    catalog = inputs.catalog.with_pins({**cluster.stack.versions, software: version})
    new = _Release(software, version, catalog, frozenset(row["os"] for row in tested))
    for pool in inputs.pools_on(cluster):
        if pool.manufacturer in served and driver_on(cluster, pool) == "operator":
            if pool.manufacturer == "nvidia" and not pool.windows:
                yield from _driver_conflicts(pool, new)
            yield from _system_conflicts(pool, cluster, new)


def _driver_conflicts(pool: Pool, new: _Release) -> Iterator[Conflict]:
    by_branch, page = operator_drivers(new.catalog), "life-cycle-policy"
    row = operator_driver(pool.branch, new.catalog)
    if not by_branch:
        return
    if row is None:
        why = f"the release supports the branches {', '.join(sorted(by_branch))}; pool {pool.name} sets another one."
        yield new.conflict("driver branch", str(pool.branch), why, page)
        return
    needed = {sku.gpu.architecture for sku in pool.skus if sku.gpu}
    for gpus in sorted(needed.difference(row["architectures"] or needed)):
        why = f"pool {pool.name} would get driver {row['version']}, which does not support these GPUs."
        yield new.conflict("GPU architecture", gpus, why, "driver-and-architecture-matrix")


def _system_conflicts(pool: Pool, cluster: Cluster, new: _Release) -> Iterator[Conflict]:
    """The operating system of FIPS images is not known."""
    kubernetes = minor(cluster.kubernetes)
    image = release(pool, kubernetes, new.catalog)
    if not image or pool.image.get("fips") or not (rows := new.chart["validated"]):
        return
    name, page = image["os"], "platform-support"
    bounds = [row["kubernetes"] for row in rows if row["os"] == name]
    if not bounds:
        why = f"the release is tested on {', '.join(row['os'] for row in rows)}; pool {pool.name} has a different OS."
        yield new.conflict("OS", name, why, page)._replace(excluded=name in new.tested)
    elif not any(within(kubernetes, bound) for bound in bounds):
        why = f"on {name} (pool {pool.name}), the release is tested with Kubernetes {' or '.join(bounds)}."
        yield new.conflict("kubernetes", cluster.kubernetes, why, page)._replace(excluded=False)
