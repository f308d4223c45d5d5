"""Teams from ResourceQuotas, on clusters without Kueue."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.adopt.teams.draft import Draft
from gitgpu.adopt.teams.equality import amount
from gitgpu.adopt.teams.running import Running
from gitgpu.adopt.teams.site import Site, selection
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import PRIORITY_CLASS, RESOURCE_QUOTA
from gitgpu.model.team_quotas import Unit

_DEVICES = ".deviceclass.resource.k8s.io/devices"
_REQUESTS = "requests."


def quota_drafts(running: Running, site: Site) -> Iterator[Draft]:
    """A team for all ResourceQuotas of a name, if they count GPUs that pods of the fleet request."""
    units: dict[str, list[Unit]] = {}
    for unit in site.units:
        units.setdefault(f"{unit.resource}{_DEVICES}" if unit.claimed else f"{_REQUESTS}{unit.resource}", []).append(
            unit
        )
    by_name: dict[str, dict[str, Observed]] = {}
    for (_, namespace, name), observed in running.of(RESOURCE_QUOTA.kind):
        if units.keys() & _hard(observed).keys():
            by_name.setdefault(name, {})[namespace] = observed
    for name, quotas in by_name.items():
        first = next(iter(quotas.values()))
        found = _entries(quotas, units)
        if isinstance(found, str):
            yield Draft(name, first, {}, found)
            continue
        spec: dict[str, Any] = {"namespaces": sorted(quotas), "quota": found}
        if priorities := running.priorities(PRIORITY_CLASS.kind, name, by_name):
            spec["priorities"] = priorities
        yield Draft(name, first, spec)


def _hard(observed: Observed) -> Mapping[str, Any]:
    return mapping_at(observed.body, "spec", "hard")


def _entries(quotas: Mapping[str, Observed], units: Mapping[str, list[Unit]]) -> list[Mapping[str, Any]] | str:
    """The quota of a team, or why it cannot be said."""
    first, *others = quotas.values()
    entries: list[Mapping[str, Any]] = []
    for key, written in _hard(first).items():
        if key not in units:
            continue
        number = amount(written)
        if number is None or number != int(number):
            return f"its {key} is not a whole number"
        if any(amount(_hard(other).get(key)) != number for other in others):
            return f"its {key} differs between namespaces: a GpuTeam has the same quota in each"
        [unit, *more] = units[key]
        if more:
            names = " and ".join(dict.fromkeys(unit.pool.name for unit in units[key]))
            return f"pods request {key.removeprefix(_REQUESTS)} on {names}: an entry of a quota counts one pool"
        entries.append({**selection(unit), "gpus": int(number)})
    return entries
