"""Configuration of the DCGM exporter, however it is installed: its list of fields, and two settings."""

import hashlib
from collections.abc import Iterable

from gitgpu.plan.decided.cluster import Counter


def settings(interval: int, *, shared: bool) -> dict[str, str]:
    """Environment variables: the interval in milliseconds and, with `shared`, that several pods may use a GPU."""
    virtual = {"KUBERNETES_VIRTUAL_GPUS": "true"} if shared else {}
    return {"DCGM_EXPORTER_INTERVAL": str(interval), **virtual}


def config_map_name(base: str, counters: Iterable[Counter]) -> str:
    """The name of the ConfigMap with the list; it ends with a hash of the list."""
    # An exporter reads its list only when it starts. A new name changes its pod template, which restarts it.
    return f"{base}-{hashlib.sha256(csv(counters).encode()).hexdigest()[:8]}"


def csv(counters: Iterable[Counter]) -> str:
    """The list in the format of the exporter: field, Prometheus type, help. A line must not contain another comma."""
    return "".join(f"{counter.field}, {counter.type}, {counter.help}\n" for counter in counters)
