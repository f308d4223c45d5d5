"""Configuration of the DCGM exporter, however it is installed: its list of fields, and two settings."""

import hashlib
from collections.abc import Iterable

from gitgpu.plan.decided.cluster import Counter


def settings(interval: int, *, shared: bool) -> dict[str, str]:
    """Environment variables: how often it measures, and that a GPU may serve several pods."""
    virtual = {"KUBERNETES_VIRTUAL_GPUS": "true"} if shared else {}
    return {"DCGM_EXPORTER_INTERVAL": str(interval), **virtual}


def named(base: str, counters: Iterable[Counter]) -> str:
    """The name of the ConfigMap that holds the list, with a hash of its content."""
    # An exporter reads its list once, when it starts: another name in its pod template restarts it.
    return f"{base}-{hashlib.sha256(csv(counters).encode()).hexdigest()[:8]}"


def csv(counters: Iterable[Counter]) -> str:
    """The list as the exporter reads it: field, Prometheus type, help; no further comma on a line."""
    return "".join(f"{counter.field}, {counter.type}, {counter.help}\n" for counter in counters)
