"""What a workload scales on, and its bounds, as frozen values."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.source import Pointer

AZURE = ("serviceBus", "storageQueue", "azureMonitor")  # what KEDA reads from Azure, as the spec calls it
OF_EVERY_TRIGGER = ("target", "metricType", "activation", "ignoreNullValues")
VALUE = "Value"  # the metric type of a value that is not divided by the number of replicas
Spec = Mapping[str, Any]


class Signal(NamedTuple):
    """What the number of replicas depends on. `metric` is a GPU metric, "query", or a member of `AZURE`.

    `settings` keeps the keys in the spec, and `place` is their place in the workload's document. `metric_type` is
    AverageValue, Value, or None if the spec does not set it. `ignores_null` is None for KEDA's default.
    """

    metric: str
    settings: Mapping[str, Any]
    target: float
    activation: float | None
    place: Pointer
    metric_type: str | None = None
    ignores_null: bool | None = None

    @property
    def in_azure(self) -> bool:
        """Whether KEDA reads it from Azure, and not from Prometheus."""
        return self.metric in AZURE

    @property
    def query(self) -> str | None:
        """The author's PromQL query, or None."""
        query: str | None = self.settings.get("query")
        return query


class Fallback(NamedTuple):
    """The number of replicas after so many failures to read the signal."""

    failures: int
    replicas: int


class Scaling(NamedTuple):
    """The number of replicas. `idle` is the number while there is no work, or None if that is `min`.

    `behavior` keeps the keys of a HorizontalPodAutoscaler's behavior.
    """

    engine: str
    signals: tuple[Signal, ...]
    min: int
    max: int
    idle: int | None
    cooldown: str | None
    polling_interval: str | None
    behavior: Mapping[str, Any] | None
    fallback: Fallback | None
    identity: str | None

    @property
    def lowest(self) -> int:
        """The minimum number of replicas, even without work."""
        return self.min if self.idle is None else self.idle


def scaling(spec: Spec, *, jobs: bool) -> Scaling:
    """The scaling of a workload from its normalised spec. By default, one replica is kept, but no Job without work."""
    fallback = spec.get("fallback")
    default_minimum = 0 if jobs else 1
    return Scaling(
        engine=spec["engine"],
        signals=_signals(spec),
        min=spec.get("min", default_minimum),
        max=spec["max"],
        idle=spec.get("idle"),
        cooldown=spec.get("cooldown"),
        polling_interval=spec.get("pollingInterval"),
        behavior=spec.get("behavior"),
        fallback=Fallback(fallback["failures"], fallback["replicas"]) if fallback else None,
        identity=spec.get("identity"),
    )


def _signals(spec: Spec) -> tuple[Signal, ...]:
    """The triggers in the list, or the only one, which is written without a list."""
    place: Pointer = ("spec", "scaling")
    if "triggers" not in spec:
        return (_signal(spec["metric"], {"query": spec["query"]} if "query" in spec else {}, spec, place),)
    return tuple(_trigger(trigger, (*place, "triggers", index)) for index, trigger in enumerate(spec["triggers"]))


def _trigger(spec: Spec, place: Pointer) -> Signal:
    """A metric, a query, or something in Azure."""
    [(source, settings)] = ((key, value) for key, value in spec.items() if key not in OF_EVERY_TRIGGER)
    if source == "metric":
        return _signal(settings, {}, spec, place)
    return _signal(source, {"query": settings} if source == "query" else settings, spec, place)


def _signal(metric: str, settings: Spec, spec: Spec, place: Pointer) -> Signal:
    return Signal(
        metric,
        settings,
        spec["target"],
        spec.get("activation"),
        place,
        spec.get("metricType"),
        spec.get("ignoreNullValues"),
    )
