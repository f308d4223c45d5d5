"""The namespaces that a cluster's overlays need: for the GPU software, workloads and models."""

from collections.abc import Mapping

from gitgpu.model.names.labels import POD_SECURITY_ENFORCE_LABEL
from gitgpu.model.software.names import NAMESPACE
from gitgpu.plan.decided.cluster import ClusterPlan

PRIVILEGED = {POD_SECURITY_ENFORCE_LABEL: "privileged"}
VERIFICATION = "gitgpu-verify"  # of the Jobs that test pools
_RESERVED = "kube-"  # the prefix that Kubernetes reserves


def has_own_node_pools(plan: ClusterPlan) -> bool:
    """Whether the node pools of the cluster are in the namespace of what gitgpu installs."""
    return bool(plan.node_pools) and plan.cluster.stack.aso.namespace == NAMESPACE


def own(plan: ClusterPlan) -> dict[str, Mapping[str, str]]:
    """The namespaces of what gitgpu installs, with their labels: drivers and device plugins need host paths."""
    installed = (
        plan.device_plugin,
        plan.amd_plugin,
        plan.exporters,
        has_own_node_pools(plan),
        plan.care.health,
        plan.node_monitor,
    )
    labels: dict[str, Mapping[str, str]] = {NAMESPACE: PRIVILEGED} if any(installed) else {}
    for operator in (plan.operator, plan.amd, plan.fabric, plan.dra):
        if operator:
            labels[operator.chart.namespace] = PRIVILEGED
    if plan.discovery and plan.discovery.chart:
        # Its worker reads directories of the host.
        labels[plan.discovery.chart.namespace] = PRIVILEGED if plan.discovery.placement.pools else {}
    if plan.keda:
        labels[plan.keda.namespace] = {}
    if plan.queues.chart:
        labels[plan.queues.chart.namespace] = {}
    if plan.adapter:
        labels[plan.adapter.chart.namespace] = {}
    for chart in plan.serving.charts or ():
        if chart:
            labels.setdefault(chart.namespace, {})
    return labels


def foreign(plan: ClusterPlan) -> list[str]:
    """The namespaces of workloads, models, teams and node pools, without those that always exist or are gitgpu's."""
    names = {model.model.namespace for model in plan.serving.models}
    for workload in plan.workloads:
        if workload.workload.scaling or workload.claims or workload.workload.compute_domain:
            names.add(workload.workload.namespace)
    if any(pool.by_operator for pool in plan.node_pools):
        names.add(plan.cluster.stack.aso.namespace)
    for queue in plan.queues.teams:
        names.update(queue.team.namespaces)
    existing = {*own(plan), "default", plan.cluster.delivery.namespace}
    return sorted(name for name in names - existing if not name.startswith(_RESERVED))


def created_namespaces(plan: ClusterPlan) -> list[str]:
    """The namespaces of workloads and models that the overlays create."""
    return foreign(plan) if plan.cluster.delivery.namespaces == "create" else []
