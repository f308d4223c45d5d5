"""What a cluster and its subscription must have before the fleet can work on it."""

from collections.abc import Iterator, Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster
from gitgpu.plan.decision import PoolPlan, Prerequisite, WorkloadPlan


def prerequisites(
    cluster: Cluster, pools: Sequence[PoolPlan], workloads: Sequence[WorkloadPlan], catalog: Catalog
) -> tuple[Prerequisite, ...]:
    """In the order in which they are turned on: features of the subscription first."""
    rows = [catalog.must("prerequisites", name) for name in _names(cluster, pools, workloads)]
    found = (Prerequisite(row["what"], tuple(row.get("update", ())), row.get("feature", "")) for row in rows)
    return tuple(sorted(found, key=lambda one: not one.feature))


def _names(cluster: Cluster, pools: Sequence[PoolPlan], workloads: Sequence[WorkloadPlan]) -> Iterator[str]:
    metrics, scalings = cluster.stack.metrics, [one.workload.scaling for one in workloads if one.workload.scaling]
    engines, readers = {one.engine for one in scalings}, {metrics.reader, *(one.identity for one in scalings)}
    wanted = {
        "infiniband": any(one.pool.rdma for one in pools),
        "managed-gpu-nodes": any(one.driver == "managed" for one in pools),
        "windows-gpus": any(one.pool.windows for one in pools),
        "node-auto-provisioning": cluster.provisioner == "nap",
        "managed-prometheus": metrics.scrape == "azure-managed",
        "workload-identity": bool(readers - {None}),
        "kaito-addon": cluster.stack.kaito == "addon",
        "keda-addon": cluster.stack.keda == "addon" and "keda" in engines,
    }
    return (name for name, asked in wanted.items() if asked)
