"""The stack of a running cluster, inferred from its objects: the inverse of what gitgpu emits for a stack.

Without evidence, a setting counts as absent. If the default of the spec would then install something, the stack says
`none`, so that an import adds no software.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from typing import Any

from gitgpu.adopt.adoption import Fate, GpuNodes, StackPart
from gitgpu.adopt.stack.conflicts import conflicts
from gitgpu.adopt.stack.drivers import pool_drivers, pool_keys, stack_driver
from gitgpu.adopt.stack.evidence import Evidence, default_of, outcome
from gitgpu.adopt.stack.partitions import partitions
from gitgpu.adopt.stack.rdma import fabrics
from gitgpu.adopt.stack.settings import (
    adapter,
    alerts,
    allocation,
    container_insights,
    counters,
    discovery,
    endpoint,
    exporter,
    guard,
    health,
    kaito,
    keda,
    node_selection,
    queues,
    rdma_device_class,
    scrape,
    service_operator,
)
from gitgpu.adopt.stack.software import software
from gitgpu.adopt.stack.values import chart_values, decided_values, running_charts
from gitgpu.adopt.stack.versions import PATH, pinned_versions, unknown_versions
from gitgpu.adopt.stack.view import View, with_pools
from gitgpu.source import Pointer, dotted_text

_ORDER = (
    "driver",
    "allocation",
    "rdmaDeviceClass",
    "aso",
    "nodeSelection",
    "discovery",
    "metrics",
    "keda",
    "adapter",
    "kaito",
    "queues",
    "guard",
    "health",
    "versions",
    "values",
    "exporter",
    "scrape",
    "interval",
    "counters",
    "probes",
    "containerInsights",
    "alerts",
    "dashboards",
    "labels",
    "server",
    "identity",
)
_RANKS = {key: rank for rank, key in enumerate(_ORDER)}
_DETAILS = (("metrics", "interval"), ("metrics", "probes"))
_INFER: tuple[Callable[[View], Iterator[Evidence]], ...] = (
    allocation.infer,
    rdma_device_class.infer,
    discovery.infer,
    exporter.infer,
    scrape.infer,
    counters.infer,
    container_insights.infer,
    alerts.infer,
    endpoint.infer,
    keda.infer,
    adapter.infer,
    kaito.infer,
    queues.infer,
    guard.infer,
    health.infer,
    service_operator.infer,
    node_selection.infer,
)


def stack(cluster: View, pools: Sequence[GpuNodes]) -> StackPart:
    """The stack of a cluster without defaults, the keys of single pools, and the outcomes that explain both."""
    view = with_pools(cluster, pools)
    if not pools:
        return StackPart({}, {}, tuple(software(view)))
    drivers = pool_drivers(view)
    view = view._replace(drivers={name: evidence.value for name, evidence in drivers.items()})
    driver = stack_driver(drivers)
    first = [evidence._replace(pool="") for evidence in drivers.values() if evidence.value == driver]
    inferred = chain.from_iterable(infer(view) for infer in _INFER)
    # That something is absent counts only if nothing shows its presence.
    gathered = [*first, *sorted(inferred, key=_is_absence)]
    pins = list(pinned_versions(view))
    # From here on, the version that gitgpu installs is the pinned one.
    view = view._replace(catalog=view.catalog.with_pins(_pinned(pins)))
    gathered += [*pins, *chart_values(view)]
    keys_of_pools = [*pool_keys(view, drivers), *partitions(view), *fabrics(view)]
    outcomes = [outcome(evidence, cluster.cluster.name) for evidence in (*_decided(gathered), *keys_of_pools)]
    outcomes += [*conflicts(view), *software(view), *unknown_versions(cluster), *decided_values(view)]
    return StackPart(_stack(gathered), _pools(keys_of_pools), tuple(outcomes), tuple(running_charts(view)))


def _decided(gathered: Iterable[Evidence]) -> Iterator[Evidence]:
    """The first evidence of each key. Later evidence for another value is INEXPRESSIBLE: a key has one value."""
    values: dict[Pointer, Evidence] = {}
    for evidence in gathered:
        if evidence.fate is Fate.INEXPRESSIBLE:
            yield evidence
            continue
        first = values.setdefault(evidence.path, evidence)
        if evidence is first:
            if not _is_written_default(evidence):
                yield evidence
        elif evidence.value != first.value and not _is_absence(evidence):
            reason = f"{evidence.reason}, but {first.reason}: the cluster has one value for {_dotted(first)}"
            yield evidence._replace(fate=Fate.INEXPRESSIBLE, reason=reason)


def _pinned(pins: Iterable[Evidence]) -> dict[str, str]:
    """The pinned versions by name; the first pin of each name decides."""
    return {str(pin.path[1]): pin.value for pin in reversed(list(pins))}


def _is_written_default(evidence: Evidence) -> bool:
    """Whether it is a default that an object writes out, of a key that configures what is installed anyway."""
    return evidence.path[:2] in _DETAILS and evidence.value == default_of(evidence.path)


def _is_absence(evidence: Evidence) -> bool:
    """Whether it only says that nothing was found."""
    return evidence.value in ("none", False)


def _dotted(evidence: Evidence) -> str:
    return dotted_text(("stack", *evidence.path))


def _stack(gathered: Iterable[Evidence]) -> dict[str, Any]:
    """The first value of each key, without defaults, in the order of the spec."""
    values: dict[Pointer, Any] = {}
    for evidence in gathered:
        if evidence.fate is not Fate.INEXPRESSIBLE:
            values.setdefault(evidence.path, evidence.value)
    written = {path: value for path, value in values.items() if value != default_of(path)}
    result: dict[str, Any] = {}
    for path in sorted(written, key=_rank):
        below = result
        for part in path[:-1]:
            below = below.setdefault(str(part), {})
        below[str(path[-1])] = written[path]
    return result


def _rank(path: Pointer) -> tuple[int, ...]:
    """The position of a path in the spec; chart values and pins keep the order in which they were gathered."""
    parts = path[:1] if path[0] in (PATH, "values") else path
    return tuple(_RANKS.get(str(part), len(_RANKS)) for part in parts)


def _pools(keys_of_pools: Iterable[Evidence]) -> dict[str, dict[str, Any]]:
    by_pool: dict[str, dict[str, Any]] = {}
    for evidence in keys_of_pools:
        if evidence.fate is not Fate.INEXPRESSIBLE:
            by_pool.setdefault(evidence.pool, {}).setdefault(str(evidence.path[0]), evidence.value)
    return dict(sorted(by_pool.items()))
