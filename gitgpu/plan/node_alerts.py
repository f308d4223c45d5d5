"""Alerts on GPU nodes as kube-state-metrics sees them, for all drivers and device plugins.

A node that has never had GPUs has no series about them, and node labels are series only where that is configured. So a
GPU node is recognised by the taint of its pool, if that taint names GPUs: other taints may be on other nodes too.
"""

import re
from collections.abc import Mapping, Sequence

from gitgpu.model.catalog import Catalog, Facts
from gitgpu.model.spec.stack import Metrics
from gitgpu.model.spec.taint import Taint
from gitgpu.plan.decided.cluster import PoolPlan
from gitgpu.plan.decided.monitoring import Alert

STARTING = "node.cloudprovider.kubernetes.io/uninitialized"  # until the cloud provider has initialised a node


def node_alerts(pools: Sequence[PoolPlan], metrics: Metrics, catalog: Catalog) -> tuple[Alert, ...]:
    """The alerts on nodes of these pools, sorted by name; () if alerts are off or nothing is scraped."""
    if not metrics.alerts or metrics.scrape == "none":
        return ()
    tainted_pools = [pool for pool in pools if _gpu_taints(pool)]
    by_scope = {
        "tainted": [pool for pool in tainted_pools if not pool.claimed],
        "initialized": [pool for pool in tainted_pools if pool.pool.by_karpenter],
    }
    alerts = []
    for name, row in catalog.rows("alerts").items():
        if watched := by_scope.get(row.get("scope", "")):
            alerts.append(_alert(row, watched, catalog, catalog.own("alerts", name)))
    return tuple(sorted(alerts, key=lambda alert: alert.name))


def _alert(row: Facts, pools: Sequence[PoolPlan], catalog: Catalog, rows: tuple[str, ...]) -> Alert:
    expr = " or ".join(term["expr"] for term in row["terms"])
    for name, text in _names(pools, catalog).items():
        expr = expr.replace(name, text)
    return Alert(row["alert"], expr, row.get("for", ""), row["severity"], row["summary"], row["description"], rows)


def _names(pools: Sequence[PoolPlan], catalog: Catalog) -> Mapping[str, str]:
    """The values for the names in an expression."""
    taints: set[Taint] = set()
    starting = {STARTING}
    resources: set[str] = set()
    for pool in pools:
        taints.update(_gpu_taints(pool))
        starting.update(taint.key for taint in pool.pool.startup_taints)
        resources.update(_resources(pool, catalog))
    tainted = [f'kube_node_spec_taint{{key="{taint.key}",value="{taint.value}"}}' for taint in sorted(taints)]
    # A string of PromQL has escapes of its own, so each backslash of the pattern is written twice.
    patterns = [re.escape(key).replace("\\", "\\\\") for key in sorted(starting)]
    return {
        "$tainted": " or ".join(tainted),
        "$resources": "|".join(sorted(resources)),
        "$waiting": "|".join(patterns),
    }


def _gpu_taints(pool: PoolPlan) -> tuple[Taint, ...]:
    """The taints of the pool that name GPUs, such as sku=gpu and nvidia.com/gpu."""
    return tuple(taint for taint in pool.taints if taint.value == "gpu" or taint.key.endswith("/gpu"))


def _resources(pool: PoolPlan, catalog: Catalog) -> list[str]:
    """Patterns for all resources that the GPUs of a pool may be advertised as, as kube-state-metrics writes them."""
    maker = None if pool.pool.windows else pool.pool.manufacturer
    domain = _domain(pool.resource)
    whole, parts = [], []
    for row in catalog.rows("devices").values():
        if row["manufacturer"] == maker and domain in map(_domain, row["resources"]):
            whole += [_written(name) for name in (*row["resources"], row["shared"]) if name]
            if row["parts"]:
                parts.append(f"{_written(row['parts'])}.+")
    return [*whole, *parts]


def _domain(resource: str) -> str:
    return resource.partition("/")[0]


def _written(resource: str) -> str:
    return re.sub("[^a-zA-Z0-9_]", "_", resource)
