"""KEDA triggers of ScaledObjects and ScaledJobs."""

from collections.abc import Iterable

from gitgpu.emit.emitter import Body
from gitgpu.plan.decided.cluster import Trigger


def triggers(items: Iterable[Trigger]) -> list[Body]:
    """An average is compared as it is (Value); a sum is divided by the number of replicas (AverageValue)."""
    bodies: list[Body] = []
    for trigger in items:
        metric_type = "AverageValue" if trigger.total else "Value"
        bodies.append({"type": trigger.type, "metricType": metric_type, **_asking(trigger)})
    return bodies


def job_triggers(items: Iterable[Trigger]) -> list[Body]:
    """Without a metricType, a sum is divided among the Jobs anyway; the ScaledJob of KEDA's chart has no such field."""
    return [{"type": trigger.type, **_asking(trigger)} for trigger in items]


def _asking(trigger: Trigger) -> Body:
    authentication = {"authenticationRef": {"name": trigger.authentication}} if trigger.identity else {}
    return {"metadata": dict(trigger.metadata), **authentication}
