"""Events, of the API groups "" and events.k8s.io."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gitgpu.access import mapping_at, text_at
from gitgpu.inventory.secrets import redact

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
    about = body.get("involvedObject") or body.get("regarding")
    if not isinstance(about, dict) or not (_text(about.get("kind")) and _text(about.get("name"))):
        return None
    series = mapping_at(body, "series") if "series" in body else {}
    last = series.get("lastObservedTime") or next(filter(None, map(body.get, _TIMES)), "")
    source = mapping_at(body, "source") if body.get("source") else {}
    times = series.get("count") or body.get("count") or body.get("deprecatedCount")
    return Event(
        kind=about["kind"],
        namespace=_text(about.get("namespace")),
        name=about["name"],
        reason=_text(body.get("reason")),
        message=redact(_text(body.get("message") or body.get("note"))),
        last=_text(last) or text_at(body, "metadata", "creationTimestamp"),
        times=times if isinstance(times, int) else 1,
        source=_text(source.get("component")) or _text(body.get("reportingController")),
    )


def _text(value: object) -> str:
    """The text, or "" for anything else. There are many events, and this is faster than `text_at`."""
    return value if isinstance(value, str) else ""


def by_object(events: Iterable[Event]) -> dict[tuple[str, str, str], list[Event]]:
    """The events of each object, the latest first."""
    found: dict[tuple[str, str, str], list[Event]] = {}
    for event in sorted(events, key=lambda event: event.last, reverse=True):
        found.setdefault(event.about, []).append(event)
    return found
