"""Where a workload may run on a cluster and what scales it.

The labels of a query are those that DCGM's exporter really sets when the scrape keeps them (honorLabels): `namespace`
and `pod`. There is no label for a Deployment, so the pods are told by how their controller names them.
"""

from collections.abc import Sequence

from gitgpu.model.fleet import Cluster, Scaling, Workload
from gitgpu.plan.decision import PoolPlan, Trigger, WorkloadPlan
from gitgpu.plan.placement import tolerations

PODS = {"Deployment": "-[a-z0-9]+-[a-z0-9]{5}", "StatefulSet": "-[0-9]+", "Job": "-[a-z0-9]{5}"}
QUERIES = {
    "gpu-utilization": "avg(DCGM_FI_DEV_GPU_UTIL{%s})",
    "gpu-memory": "100 * sum(DCGM_FI_DEV_FB_USED{%s}) / (sum(DCGM_FI_DEV_FB_USED{%s}) + sum(DCGM_FI_DEV_FB_FREE{%s}))",
    "tensor-activity": "100 * avg(DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{%s})",
}


def workload_plan(workload: Workload, pools: Sequence[PoolPlan], cluster: Cluster) -> WorkloadPlan | None:
    """The plan of a workload on a cluster, None when the cluster has none of its pools."""
    allowed = [one for one in pools if one.name in workload.pools]
    if not allowed:
        return None
    return WorkloadPlan(
        workload=workload,
        pools=tuple(one.name for one in allowed),
        resource=allowed[0].resource,
        tolerations=tolerations(allowed),
        trigger=_trigger(workload, workload.scaling, cluster) if workload.scaling else None,
    )


def _trigger(workload: Workload, scaling: Scaling, cluster: Cluster) -> Trigger:
    metrics = cluster.stack.metrics
    own = scaling.metric == "query"
    return Trigger(
        server=metrics.server or "",
        query=(scaling.query or "") if own else query(workload, scaling.metric, cluster),
        threshold=f"{scaling.target:g}",
        total=own,
        identity=metrics.identity if metrics.scrape == "azure-managed" else None,
    )


def query(workload: Workload, metric: str, cluster: Cluster) -> str:
    """PromQL for a GPU metric of a workload's pods. An Azure Monitor workspace may hold many clusters' metrics."""
    pods = workload.target_name + PODS[workload.target_kind]
    labels = {"namespace": f'="{workload.namespace}"', "pod": f'=~"{pods}"'}
    if cluster.stack.metrics.scrape == "azure-managed":
        labels = {"cluster": f'="{cluster.name}"', **labels}
    matchers = ",".join(label + match for label, match in labels.items())
    return QUERIES[metric].replace("%s", matchers)
