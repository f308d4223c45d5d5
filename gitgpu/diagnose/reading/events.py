"""Events, of the API groups "" and events.k8s.io."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, text_at
from gitgpu.inventory.secrets import redacted

_TIMES = ("lastTimestamp", "eventTime", "deprecatedLastTimestamp")


class Event(NamedTuple):
    """An event about an object; `last` is when it was last seen, or "". `times` is how often."""

    kind: str
    namespace: str
    name: str
    reason: str
    message: str
    last: str
    times: int
    source: str

    @property
    def about(self) -> tuple[str, str, str]:
        """The kind, namespace and name of the object."""
        return self.kind, self.namespace, self.name


def event_of(body: Mapping[str, Any]) -> Event | None:
    """An event; None if it names no object."""
    about = mapping_at(body, "involvedObject") or mapping_at(body, "regarding")
    kind, name = about.get("kind"), about.get("name")
    if not (isinstance(kind, str) and isinstance(name, str)):
        return None
    series = mapping_at(body, "series")
    last = series.get("lastObservedTime") or next(filter(None, map(body.get, _TIMES)), "")
    count = series.get("count") or body.get("count") or body.get("deprecatedCount")
    return Event(
        kind=kind,
        namespace=text_at(about, "namespace"),
        name=name,
        reason=text_at(body, "reason"),
        message=redacted(text_at(body, "message") or text_at(body, "note")),
        last=str(last or text_at(body, "metadata", "creationTimestamp")),
        times=count if isinstance(count, int) else 1,
        source=text_at(body, "source", "component") or text_at(body, "reportingController"),
    )


def by_object(events: Iterable[Event]) -> dict[tuple[str, str, str], list[Event]]:
    """The events of each object, the latest first."""
    found: dict[tuple[str, str, str], list[Event]] = {}
    for event in sorted(events, key=lambda event: event.last, reverse=True):
        found.setdefault(event.about, []).append(event)
    return found
