"""What the quota of a team counts on a cluster: a resource on the nodes of one pool."""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.teams import has_model
from gitgpu.model.mig import resource
from gitgpu.model.spec.team import Quota, Team


class Unit(NamedTuple):
    """A resource of a pool, such as nvidia.com/gpu, or a DeviceClass if pods claim its GPUs.

    `capacity` is spot or on-demand if the pool has both, else "". `claimed` says whether `resource` is a DeviceClass.
    """

    pool: Pool
    capacity: str
    resource: str
    claimed: bool

    @property
    def flavor(self) -> str:
        """The name of the ResourceFlavor that gitgpu generates for these nodes."""
        return f"{self.pool.name}-{self.capacity}" if self.capacity else self.pool.name


class UnitQuota(NamedTuple):
    """An entry of a team's quota with what it counts on a cluster."""

    team: Team
    entry: Quota
    unit: Unit

    @property
    def flavor(self) -> str:
        """The name of its ResourceFlavor: the one in the spec, or that of gitgpu."""
        return self.entry.flavor or self.unit.flavor


def units(pool: Pool, cluster: Cluster, catalog: Catalog) -> Iterator[Unit]:
    """Everything in a pool that a quota can count: each resource, for spot and on-demand nodes apart."""
    claimed = is_claimed(cluster, pool)
    for capacity in pool.capacity if len(pool.capacity) > 1 else ("",):
        for name in _resources(pool, catalog, claimed=claimed):
            yield Unit(pool, capacity, name, claimed)


def matching_units(entry: Quota, inputs: Inputs, cluster: Cluster) -> tuple[Unit, ...]:
    """What an entry of a quota may mean on a cluster. Rules ensure that it is one, or none if the pool is elsewhere."""
    return tuple(
        unit
        for pool in inputs.pools_on(cluster)
        if (entry.pool == pool.name or has_model(pool, entry.model))
        for unit in units(pool, cluster, inputs.catalog_for(cluster))
        if entry.capacity in (None, unit.capacity, *_only(unit.pool.capacity)) and entry.mig in (None, *_profiles(unit))
    )


def quotas_on(inputs: Inputs, cluster: Cluster) -> Iterator[UnitQuota]:
    """The quotas of all teams on a cluster, in order of the teams' names. Ambiguous entries are omitted."""
    for team in inputs.teams_on(cluster):
        for entry in team.quota:
            matching = matching_units(entry, inputs, cluster)
            if len(matching) == 1:
                yield UnitQuota(team, entry, matching[0])


def _resources(pool: Pool, catalog: Catalog, *, claimed: bool) -> list[str]:
    if claimed:
        return [catalog.must("charts", "dra-driver-nvidia-gpu")["deviceClasses"]["gpus"]]
    if pool.mig and not pool.mig.single:
        return sorted(pool.mig.resources)
    return [pool.resource(pool.skus[0])] if pool.skus else []


def _only(capacity: tuple[str, ...]) -> tuple[str, ...]:
    return capacity if len(capacity) == 1 else ()


def _profiles(unit: Unit) -> tuple[str, ...]:
    """The MIG profiles that the unit is an instance of; () for whole GPUs."""
    mig = unit.pool.mig
    if not mig:
        return ()
    names = {name for layout in mig.layouts for name in layout}
    return tuple(sorted(name for name in names if mig.single or resource(name) == unit.resource))
