"""Where a workload may run on a cluster and what scales it.

Queries use the labels that the exporters of DCGM and AMD set when the scrape keeps them (honorLabels): `namespace` and
`pod`. There is no label for a Deployment, so pods are matched by the names that controllers give them.
"""

from collections.abc import Sequence

from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Cluster, Workload
from gitgpu.model.names.kinds import LEADER_WORKER_SET, ROLLOUT
from gitgpu.model.spec.scaling import VALUE, Signal
from gitgpu.plan.azure_triggers import in_azure, plain
from gitgpu.plan.claims import claim, nic_claim
from gitgpu.plan.decided.cluster import PoolPlan, Trigger, WorkloadPlan
from gitgpu.plan.placeholders import fill
from gitgpu.plan.placement import nodes, tolerations
from gitgpu.plan.rdma import NICS
from gitgpu.plan.scheduler import BINPACK

GENERATED = "[bcdfghjklmnpqrstvwxz2456789]"  # the characters of generated names in Kubernetes
_HASHED = f"-{GENERATED}{{6,10}}-{GENERATED}{{5}}"  # only one template hash in 40,000 has fewer than six
PODS = {
    "Deployment": _HASHED,
    ROLLOUT.kind: _HASHED,
    "StatefulSet": "-[0-9]+",
    "Job": f"-{GENERATED}{{5}}",
    LEADER_WORKER_SET.kind: "-[0-9]+(-[0-9]+)?",  # the leader of a group, and its workers
}
MAX_UNCUT = 46  # characters of a Deployment's name: 58, less "-", ten of the hash and "-"
USED, FREE = "sum(DCGM_FI_DEV_FB_USED{%s})", "sum(DCGM_FI_DEV_FB_FREE{%s})"
# All three are percentages, so that `target` means the same for each of them.
QUERIES = {
    "gpu-utilization": "avg(DCGM_FI_DEV_GPU_UTIL{%s})",
    "gpu-memory": f"100 * {USED} / ({USED} + {FREE})",
    "tensor-activity": "100 * avg(DCGM_FI_PROF_PIPE_TENSOR_ACTIVE{%s})",
}
OF_AMD = QUERIES | {
    "gpu-utilization": "avg(gpu_gfx_activity{%s})",
    "gpu-memory": "100 * sum(gpu_used_vram{%s}) / sum(gpu_total_vram{%s})",
}


def workload_plan(
    workload: Workload, named: Sequence[PoolPlan], cluster: Cluster, catalog: Catalog
) -> WorkloadPlan | None:
    """The plan of a workload on a cluster; None if the cluster has none of its pools. `named` are those it has.

    A retiring pool gets no new pods, unless the workload has no other: then its pods stay on the nodes it has.
    """
    allowed = [pool for pool in named if not pool.pool.retire] or named
    if not allowed:
        return None
    scaling = workload.scaling
    by_keda = scaling.signals if scaling and scaling.engine == "keda" else ()
    # Rules ensure that the pools are alike in this, and in system, resource, NICs and claims.
    maker = allowed[0].pool.manufacturer
    signals = (_with_query(workload, signal, cluster, maker) for signal in by_keda)
    return WorkloadPlan(
        workload=workload,
        pools=nodes(allowed),
        windows=allowed[0].pool.windows,
        manufacturer=maker,
        resource=workload.mig_resource(allowed[0].pool) or allowed[0].resource,
        nics=NICS.get(allowed[0].pool.rdma or "shared", "") if workload.rdma else "",
        claim=claim(workload, allowed, catalog),
        nic_claim=nic_claim(workload, allowed, cluster.stack),
        tolerations=tolerations(allowed),
        triggers=tuple(_trigger(workload, signal, cluster, catalog) for signal in signals),
        scheduler=BINPACK if cluster.binpack and not allowed[0].claimed else "",
    )


def _trigger(workload: Workload, signal: Signal, cluster: Cluster, catalog: Catalog) -> Trigger:
    """A KEDA trigger. The value of a GPU metric is an average; all others are sums unless the spec says otherwise."""
    scaling, metrics = workload.scaling, cluster.stack.metrics
    is_gpu_metric = signal.metric in QUERIES
    row = catalog.must("triggers", "keda")["sources"][signal.metric if signal.in_azure else "prometheus"]
    settings = in_azure(signal) if signal.in_azure else {"server": metrics.server or "", "query": signal.query or ""}
    metadata = {row["keys"][key]: fill(value, workload, cluster) for key, value in settings.items()}
    metadata[row["target"]] = plain(signal.target)
    if signal.activation is not None:
        metadata[row["activation"]] = plain(signal.activation)
    # Without any GPU metric something is broken, unless it is possible that no pod has one.
    if is_gpu_metric and scaling and scaling.lowest > 0:
        metadata["ignoreNullValues"] = "false"
    elif signal.ignores_null is not None:
        metadata["ignoreNullValues"] = str(signal.ignores_null).lower()
    identity = scaling.identity if scaling and signal.in_azure else metrics.reader
    name = f"{workload.name}-azure" if signal.in_azure else workload.name
    total = not is_gpu_metric and signal.metric_type != VALUE
    return Trigger(row["type"], metadata, total, identity, name)


def _with_query(workload: Workload, signal: Signal, cluster: Cluster, maker: str) -> Signal:
    """The signal with the query of its GPU metric, which depends on the manufacturer of the GPUs."""
    template = (OF_AMD if maker == "amd" else QUERIES).get(signal.metric)
    return signal._replace(settings={"query": query(workload, template, cluster)}) if template else signal


def query(workload: Workload, template: str, cluster: Cluster) -> str:
    """PromQL about the GPUs of a workload's pods, from a template with %s in place of the matchers."""
    labels = {"namespace": f'="{workload.namespace}"', "pod": f'=~"{_pods(workload)}"'}
    if cluster.stack.metrics.scrape == "azure-managed":  # a workspace may hold the metrics of many clusters
        labels = {"cluster": f'="{cluster.aks_name}"', **labels}
    matchers = ",".join(label + match for label, match in labels.items())
    return template.replace("%s", matchers)


def _pods(workload: Workload) -> str:
    """A pattern for the names of a workload's pods: the API server keeps 58 characters and generates five."""
    name = workload.target_name
    if PODS[workload.target_kind] == _HASHED and len(name) > MAX_UNCUT:
        return f"{name}-"[:58] + f"{GENERATED}{{0,10}}-?{GENERATED}{{5}}"
    return name + PODS[workload.target_kind]
