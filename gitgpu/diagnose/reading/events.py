"""Events, of the API groups "" and events.k8s.io."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, text_at
from gitgpu.inventory.secrets import redact


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
    about = body.get("involvedObject") or body.get("regarding")
    if not isinstance(about, dict):
        return None
    series = mapping_at(body, "series") if "series" in body else {}
    source = mapping_at(body, "source") if "source" in body else {}
    written = (
        about.get("kind"),
        about.get("namespace"),
        about.get("name"),
        body.get("reason"),
        body.get("message") or body.get("note"),
        series.get("lastObservedTime")
        or body.get("lastTimestamp")
        or body.get("eventTime")
        or body.get("deprecatedLastTimestamp"),
        source.get("component") or body.get("reportingController"),
    )
    # There are many events, and one comprehension is faster than `text_at` for each part.
    kind, namespace, name, reason, message, last, by = [value if isinstance(value, str) else "" for value in written]
    if not kind or not name:
        return None
    times = series.get("count") or body.get("count") or body.get("deprecatedCount")
    last = last or text_at(body, "metadata", "creationTimestamp")
    return Event(kind, namespace, name, reason, redact(message), last, times if isinstance(times, int) else 1, by)


def by_object(events: Iterable[Event]) -> dict[tuple[str, str, str], list[Event]]:
    """The events of each object, the latest first."""
    found: dict[tuple[str, str, str], list[Event]] = {}
    for event in sorted(events, key=lambda event: event.last, reverse=True):
        found.setdefault(event.about, []).append(event)
    return found
