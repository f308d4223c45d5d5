"""A dump as rules and the simulator see it: objects that match their schemas, events by object, and the time."""

from collections.abc import Iterator, Mapping, Sequence
from json import dumps
from typing import Any, NamedTuple

from gitgpu.diagnose.reading.clock import latest, minutes
from gitgpu.diagnose.reading.dump import Dump, times
from gitgpu.diagnose.reading.events import Event, by_object
from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.inventory.observed import Azure
from gitgpu.model.names.kinds import POD, group_kind
from gitgpu.objects.items import gather, item_of
from gitgpu.objects.norms import Norms
from gitgpu.objects.objects import Given, Item, Objects, identity
from gitgpu.objects.schema.contract import Scope
from gitgpu.simulate.kubernetes_versions import stated_versions
from gitgpu.source import SourceMap, Span

_NOT_SERVED = "CNF016"
_OWN = ("name", "uid", "creationTimestamp")  # in the metadata of each pod


class State(NamedTuple):
    """The objects and events of a cluster; `now` is the time of the dump in seconds, None if nothing in it has a time.

    `kinds` are the kinds in the dump, and the names of its files, in lower case. `azure` is what az says,
    and `lost` are kinds whose objects could not be read.
    """

    objects: Objects
    events: Mapping[tuple[str, str, str], list[Event]]
    now: float | None
    kinds: frozenset[str]
    unread: tuple[Diagnostic, ...]
    azure: Azure = Azure()
    lost: frozenset[str] = frozenset()

    def events_of(self, item: Item) -> list[Event]:
        """The events of an object, the latest first."""
        return self.events.get((item.identity.kind, item.identity.namespace, item.identity.name), [])

    def has_kind(self, kind: str) -> bool:
        """Whether the dump has objects of a kind, or says that there are none."""
        return not self.kinds.isdisjoint(_names(kind))

    def minutes_since(self, since: object) -> int | None:
        """The minutes from a time to the dump; None if unknown."""
        return minutes(since, self.now)


def _names(kind: str) -> set[str]:
    name = kind.lower()
    return {name, f"{name}s", f"{name}es", f"{name}list"}


def state_of(dump: Dump, norms: Norms) -> State:
    """The state of the cluster of a dump."""
    givens = [Given(body, SourceMap.of(Span(file))) for body, file in dump.bodies]
    named = [Item(given, identity(given.body), Scope.NAMESPACED) for given in givens]
    newest = max(stated_versions(named), key=_number, default="")
    minor = norms.contracts.clamp(newest)
    items: list[Item] = []
    unread: dict[tuple[str, str], list[Unread]] = {}
    for item, faults in _checked(givens, minor, norms):
        items.append(item)
        if not item.sound and faults:
            unread.setdefault((item.identity.kind, faults[0].message), []).append(Unread(item, faults[0]))
    objects = gather(items, minor, norms, closed=False)
    notes = (*dump.faults, *map(_note, unread.values()))
    # A kind whose objects could not be read is as unknown as one that is not in the dump.
    lost = {kind for kind, _ in unread} - {item.identity.kind for item in objects.items}
    kinds = dump.kinds.difference(*map(_names, lost))
    return State(objects, by_object(dump.events), latest(times(dump)), kinds, notes, dump.azure, frozenset(lost))


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _checked(givens: list[Given], minor: str, norms: Norms) -> Iterator[tuple[Item, list[Diagnostic]]]:
    """Each object with its faults. Pods of a workload are equal but for their node, so one of them is checked."""
    sound: set[str] = set()
    for given in givens:
        spec = _template(given.body) if group_kind(given.body) == POD else ""
        if spec and spec in sound:
            yield Item(given, identity(given.body), Scope.NAMESPACED), []
            continue
        # The API server has written the status, perhaps one of a newer release.
        stated = given._replace(body={key: value for key, value in given.body.items() if key != "status"})
        item, faults = item_of(stated, minor, norms)
        if spec and item.sound:
            sound.add(spec)
        yield item._replace(given=given), faults


def _template(body: Mapping[str, Any]) -> str:
    """What the pods of a workload have in common."""
    metadata = {key: value for key, value in body["metadata"].items() if key not in _OWN}
    spec = {key: value for key, value in body["spec"].items() if key != "nodeName"}
    return dumps([metadata, spec], sort_keys=True, default=str)


class Unread(NamedTuple):
    """An object that does not match its schema, and the first fault."""

    item: Item
    fault: Diagnostic


def _note(unread: Sequence[Unread]) -> Diagnostic:
    """The note about objects of a kind that have the same fault."""
    item, fault = unread[0]
    kind, others = item.identity.kind, len(unread) - 1
    names = f"{kind} {item.identity.name}" + (f" and {others:,} more are" if others else " is")
    if fault.code == _NOT_SERVED:
        api_version = item.body["apiVersion"]
        message = f"{names} not read: {api_version} is an old version of the kind"
        remedy = "get a newer version of it, if `kubectl api-versions` lists one: `kubectl get RESOURCE.VERSION.GROUP`"
        return Diagnostic("DIA001", Severity.WARNING, message, remedy, fault.span)
    return Diagnostic(
        "DIA001", Severity.WARNING, f"{names} not read: {fault.message}", "check how the dump was made", fault.span
    )
