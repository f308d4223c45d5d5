"""Teams from ClusterQueues of Kueue, with their LocalQueues and priority classes."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.access import list_at, mapping_at, reach, rows, text_at
from gitgpu.adopt.teams.compiled import equal_flavors
from gitgpu.adopt.teams.draft import Draft
from gitgpu.adopt.teams.equality import amount, namespaces_of
from gitgpu.adopt.teams.running import Running, spec_of
from gitgpu.adopt.teams.site import Site, selection
from gitgpu.inventory.observed import Observed
from gitgpu.model.names.kinds import CLUSTER_QUEUE, RESOURCE_FLAVOR, WORKLOAD_PRIORITY_CLASS
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL
from gitgpu.model.spec.team import UNLIMITED
from gitgpu.model.team_quotas import Unit


class _Entries(NamedTuple):
    """The quota of a team, or why it has none. `unrelated` says that it has no GPUs of the fleet."""

    quota: tuple[Mapping[str, Any], ...]
    reason: str = ""
    unrelated: bool = False


def queue_drafts(running: Running, site: Site) -> Iterator[Draft]:
    """A team for each ClusterQueue."""
    own = equal_flavors(running, site)
    names = [name for (_, _, name), _ in running.of(CLUSTER_QUEUE.kind)]
    for (_, _, name), observed in running.of(CLUSTER_QUEUE.kind):
        entries = _quota(observed, running, site, own)
        namespaces = _namespaces(name, observed, running)
        reason = entries.reason
        if not reason and not namespaces:
            reason = "it has no LocalQueue, and its namespaceSelector names no namespace"
        spec: dict[str, Any] = {"namespaces": list(namespaces), "quota": list(entries.quota)}
        if priorities := running.priorities(WORKLOAD_PRIORITY_CLASS.kind, name, names):
            spec["priorities"] = priorities
        weight = amount(reach(observed.body, "spec", "fairSharing", "weight"))
        if weight is not None:
            spec["fairShare"] = int(weight) if weight == int(weight) else float(weight)
        yield Draft(name, observed, spec, reason, entries.unrelated)


def _namespaces(name: str, observed: Observed, running: Running) -> Sequence[str]:
    """The namespaces with its LocalQueue, or else those that its selector names."""
    queues = running.local_queues(name)
    own = {namespace for _, namespace, queue in queues if queue == name}
    named = namespaces_of(spec_of(observed).get("namespaceSelector"))
    return sorted(own) or named or sorted({namespace for _, namespace, _ in queues})


def _quota(observed: Observed, running: Running, site: Site, own: set[str]) -> _Entries:
    resources = {unit.resource for unit in site.units}
    groups = [
        group
        for group in rows(observed.body, "spec", "resourceGroups")
        if resources.intersection(map(str, list_at(group, "coveredResources")))
    ]
    if not groups:
        return _Entries((), "its quota has no GPUs of an adopted pool", unrelated=True)
    if len(groups) > 1:
        return _Entries((), "its GPUs are in several resource groups")
    entries: list[Mapping[str, Any]] = []
    for flavor in rows(groups[0], "flavors"):
        name = text_at(flavor, "name")
        found = _flavor_entries(name, flavor, running, site)
        if isinstance(found, str):
            return _Entries((), f"its flavor {name} {found}")
        # Without `flavor`, gitgpu generates one with the name of the pool.
        entries += found if name in own else [{**entry, "flavor": name} for entry in found]
    return _Entries(tuple(entries))


def _flavor_entries(
    name: str, flavor: Mapping[str, Any], running: Running, site: Site
) -> list[Mapping[str, Any]] | str:
    """The entries of a flavor; or why there are none, as the end of a sentence."""
    seen = running.objects.get((RESOURCE_FLAVOR.kind, "", name))
    if seen is None:
        return "was not read"
    labels = mapping_at(seen.body, "spec", "nodeLabels")
    pools = site.pools_with(labels) if labels else []
    if len(pools) != 1:
        names = " and ".join(pool.name for pool in pools[:2])
        return (
            f"stands for the pools {names}: an entry of a quota counts one" if pools else "stands for no adopted pool"
        )
    capacity = str(labels.get(CAPACITY_TYPE_LABEL, ""))
    mine = {
        unit.resource: unit for unit in site.units if unit.pool is pools[0].pool and unit.capacity in ("", capacity)
    }
    if not mine:
        return f"stands for spot and on-demand nodes of pool {pools[0].name}: an entry of a quota counts one of them"
    entries = []
    counted_rows = [row for row in rows(flavor, "resources") if text_at(row, "name") in mine]
    for row in counted_rows:
        entry = _entry(mine[text_at(row, "name")], row)
        if entry is None:
            return "has a quota that is not a whole number"
        entries.append(entry)
    return entries or "has no quota of GPUs"


def _entry(unit: Unit, row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """An entry of the quota; None if an amount is not a whole number."""
    nominal, borrow, lend = (amount(row.get(key)) for key in ("nominalQuota", "borrowingLimit", "lendingLimit"))
    if nominal is None or any(not _is_whole(number) for number in (nominal, borrow, lend)):
        return None
    entry = {**selection(unit), "gpus": int(nominal)}
    if borrow is None:
        entry["borrow"] = UNLIMITED
    elif borrow:
        entry["borrow"] = int(borrow)
    if lend is not None:
        entry["lend"] = int(lend)
    return entry


def _is_whole(number: Decimal | None) -> bool:
    return number is None or number == int(number)
