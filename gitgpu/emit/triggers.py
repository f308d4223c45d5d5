"""Triggers, as ScaledObjects and ScaledJobs have them."""

from collections.abc import Iterable

from gitgpu.emit.emitter import Body
from gitgpu.plan.decision import Trigger

API = "keda.sh/v1alpha1"


def triggers(items: Iterable[Trigger]) -> list[Body]:
    """An average is held as it is (Value); a sum is shared among the replicas (AverageValue)."""
    return [
        {
            "type": one.type,
            "metricType": "AverageValue" if one.total else "Value",
            "metadata": dict(one.metadata),
            **({"authenticationRef": {"name": one.authentication}} if one.identity else {}),
        }
        for one in items
    ]
