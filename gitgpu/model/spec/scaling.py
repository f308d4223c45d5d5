"""What a workload scales on and between which bounds, as frozen values."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.source import Pointer

AZURE = ("serviceBus", "storageQueue", "azureMonitor")  # what KEDA reads in Azure, by the spec's words
Spec = Mapping[str, Any]


class Signal(NamedTuple):
    """What replicas follow: `metric` is a GPU metric, query, or the spec's word for something in Azure.

    `settings` is what the spec says of it, by its own keys; `place` where, in the workload's document.
    """

    metric: str
    settings: Mapping[str, Any]
    target: float
    activation: float | None
    place: Pointer

    @property
    def in_azure(self) -> bool:
        """Does KEDA read it in Azure, and not ask a Prometheus?"""
        return self.metric in AZURE

    @property
    def query(self) -> str | None:
        """The PromQL of the author's own; None without."""
        query: str | None = self.settings.get("query")
        return query


class Fallback(NamedTuple):
    """How many replicas there are after so many failures to read what they follow."""

    failures: int
    replicas: int


class Scaling(NamedTuple):
    """How many replicas there are. `idle` is the number while nothing is to do, None where that is `min`."""

    engine: str
    signals: tuple[Signal, ...]
    min: int
    max: int
    idle: int | None
    cooldown: str | None
    fallback: Fallback | None
    identity: str | None

    @property
    def lowest(self) -> int:
        """The fewest replicas that there ever are."""
        return self.min if self.idle is None else self.idle


def scaling(spec: Spec, *, jobs: bool) -> Scaling:
    """The scaling of a workload from its normalised spec; a replica is kept, but no Job runs without work."""
    fallback = spec.get("fallback")
    usual_minimum = 0 if jobs else 1
    return Scaling(
        engine=spec["engine"],
        signals=_signals(spec),
        min=spec.get("min", usual_minimum),
        max=spec["max"],
        idle=spec.get("idle"),
        cooldown=spec.get("cooldown"),
        fallback=Fallback(fallback["failures"], fallback["replicas"]) if fallback else None,
        identity=spec.get("identity"),
    )


def _signals(spec: Spec) -> tuple[Signal, ...]:
    """The triggers of the list, or the only one, which is written without a list."""
    place: Pointer = ("spec", "scaling")
    if "triggers" not in spec:
        return (_signal(spec["metric"], {"query": spec["query"]} if "query" in spec else {}, spec, place),)
    return tuple(_trigger(trigger, (*place, "triggers", at)) for at, trigger in enumerate(spec["triggers"]))


def _trigger(spec: Spec, place: Pointer) -> Signal:
    """One of a metric, a query, or something in Azure."""
    [(way, settings)] = ((key, value) for key, value in spec.items() if key not in ("target", "activation"))
    if way == "metric":
        return _signal(settings, {}, spec, place)
    return _signal(way, {"query": settings} if way == "query" else settings, spec, place)


def _signal(metric: str, settings: Spec, spec: Spec, place: Pointer) -> Signal:
    return Signal(metric, settings, spec["target"], spec.get("activation"), place)
