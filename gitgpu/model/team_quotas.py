"""What the quota of a team counts on a cluster: a resource on the nodes of one pool."""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from gitgpu.model.catalog import Catalog
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.linking.teams import model_of
from gitgpu.model.mig import resource
from gitgpu.model.size.size_selection import plain
from gitgpu.model.software.names import DRA_DRIVER
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


class Units:
    """What quotas can count on a cluster, by the name of the pool and by the model of its GPUs."""

    def __init__(self, inputs: Inputs, cluster: Cluster) -> None:
        catalog = inputs.catalog_for(cluster)
        self._by_pool: dict[str, list[Unit]] = {}
        self._by_model: dict[str, list[Unit]] = {}
        for pool in inputs.pools_on(cluster):
            own = list(units(pool, cluster, catalog))
            self._by_pool[pool.name] = own
            self._by_model.setdefault(model_of(pool), []).extend(own)

    def matching(self, entry: Quota) -> tuple[Unit, ...]:
        """What an entry of a quota may mean; of several, the first two.

        Rules ensure that it is one, or none if the pool is elsewhere.
        """
        found = self._by_model.get(plain(entry.model), ()) if entry.model else self._by_pool.get(entry.pool or "", ())
        return tuple(islice((unit for unit in found if _has_capacity(unit, entry) and _has_profile(unit, entry)), 2))


def quotas_on(inputs: Inputs, cluster: Cluster) -> Iterator[UnitQuota]:
    """The quotas of all teams on a cluster, in order of the teams' names. Ambiguous entries are omitted."""
    teams = inputs.teams_on(cluster)
    if not teams:
        return
    all_units = Units(inputs, cluster)
    for team in teams:
        for entry in team.quota:
            matching = all_units.matching(entry)
            if len(matching) == 1:
                yield UnitQuota(team, entry, matching[0])


def device_class(catalog: Catalog) -> str:
    """The DeviceClass of whole GPUs that pods claim."""
    return str(catalog.must("charts", DRA_DRIVER)["deviceClasses"]["gpus"])


def _resources(pool: Pool, catalog: Catalog, *, claimed: bool) -> list[str]:
    if claimed:
        return [device_class(catalog)]
    if pool.mig and not pool.mig.single:
        return sorted(pool.mig.resources)
    return [pool.resource(pool.skus[0])] if pool.skus else []


def _has_capacity(unit: Unit, entry: Quota) -> bool:
    return entry.capacity in (None, unit.capacity or unit.pool.capacity[0])


def _has_profile(unit: Unit, entry: Quota) -> bool:
    """Whether the unit is an instance of the profile that the entry names, if it names one."""
    mig = unit.pool.mig
    if entry.mig is None or mig is None:
        return entry.mig is None
    names = {name for layout in mig.layouts for name in layout}
    return entry.mig in names and (mig.single or resource(entry.mig) == unit.resource)
