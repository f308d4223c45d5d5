"""Where a workload may run on a cluster and what scales it.

The labels of a query are those that DCGM's exporter really sets when the scrape keeps them (honorLabels): `namespace`
and `pod`. There is no label for a Deployment, so the pods are told by how their controller names them.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Scaling, Workload
from gitgpu.plan.claims import claim
from gitgpu.plan.decision import PoolPlan, Trigger, WorkloadPlan
from gitgpu.plan.placement import nodes, tolerations

DRAWN = "[bcdfghjklmnpqrstvwxz2456789]"  # what Kubernetes draws generated parts of names from
PODS = {
    "Deployment": f"-{DRAWN}{{6,10}}-{DRAWN}{{5}}",  # a template's hash of fewer than six is one in 40,000
    "StatefulSet": "-[0-9]+",
    "Job": f"-{DRAWN}{{5}}",
}
UNCUT = 46  # characters of a Deployment's name that leave room for "-", ten of the hash and "-" among 58
QUERIES = {
    "gpu-utilization": "avg(DCGM_FI_DEV_GPU_UTIL{%s})",
    "gpu-memory": "100 * sum(DCGM_FI_DEV_FB_USED{%s}) / (sum(DCGM_FI_DEV_FB_USED{%s}) + sum(DCGM_FI_DEV_FB_FREE{%s}))",
    "tensor-activity": "100 * avg(DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{%s})",
}


def workload_plan(
    workload: Workload, pools: Sequence[PoolPlan], cluster: Cluster, catalog: Catalog
) -> WorkloadPlan | None:
    """The plan of a workload on a cluster, None when the cluster has none of its pools."""
    allowed = [one for one in pools if one.name in workload.pools]
    if not allowed:
        return None
    return WorkloadPlan(
        workload=workload,
        pools=nodes(allowed),
        windows=allowed[0].pool.windows,
        resource=allowed[0].resource,
        claim=claim(workload, allowed, catalog),
        tolerations=tolerations(allowed),
        trigger=_trigger(workload, workload.scaling, cluster) if workload.scaling else None,
    )


def _trigger(workload: Workload, scaling: Scaling, cluster: Cluster) -> Trigger:
    metrics = cluster.stack.metrics
    own = scaling.metric == "query"
    return Trigger(
        server=metrics.server or "",
        query=(scaling.query or "") if own else query(workload, scaling.metric, cluster),
        threshold=str(scaling.target).removesuffix(".0"),
        total=own,
        identity=metrics.identity if metrics.scrape == "azure-managed" else None,
    )


def query(workload: Workload, metric: str, cluster: Cluster) -> str:
    """PromQL for a GPU metric of a workload's pods. An Azure Monitor workspace may hold many clusters' metrics."""
    labels = {"namespace": f'="{workload.namespace}"', "pod": f'=~"{_pods(workload)}"'}
    if cluster.stack.metrics.scrape == "azure-managed":
        labels = {"cluster": f'="{cluster.name}"', **labels}
    matchers = ",".join(label + match for label, match in labels.items())
    return QUERIES[metric].replace("%s", matchers)


def _pods(workload: Workload) -> str:
    """The names of a workload's pods: the API server keeps 58 characters and draws five of its own."""
    name = workload.target_name
    if workload.target_kind == "Deployment" and len(name) > UNCUT:
        return f"{name}-"[:58] + f"{DRAWN}{{0,10}}-?{DRAWN}{{5}}"
    return name + PODS[workload.target_kind]
