"""Queues: Kueue's objects, and the workloads in front of them."""

from gitgpu.model.names.kinds import (
    ADMISSION_CHECK,
    AKS_NODE_CLASS,
    CLUSTER_QUEUE,
    COHORT,
    LOCAL_QUEUE,
    MANAGED_CLUSTER,
    MANAGED_CLUSTERS_AGENT_POOL,
    NAMESPACE,
    NODE_POOL,
    PROVISIONING_REQUEST_CONFIG,
    RESOURCE_FLAVOR,
    TOPOLOGY,
    WORKLOAD_PRIORITY_CLASS,
)
from gitgpu.rules.kinds import PODS, kinds

PREFIX = "QUE"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        ADMISSION_CHECK,
        CLUSTER_QUEUE,
        COHORT,
        LOCAL_QUEUE,
        RESOURCE_FLAVOR,
        TOPOLOGY,
    ],
    context=[
        MANAGED_CLUSTER,
        MANAGED_CLUSTERS_AGENT_POOL,
        NAMESPACE,
        NODE_POOL,
        AKS_NODE_CLASS,
        PROVISIONING_REQUEST_CONFIG,
        WORKLOAD_PRIORITY_CLASS,
    ],
    first={
        "admission_check_without_config": (ADMISSION_CHECK,),
        "cohort_cycle": (COHORT,),
        "cohort_of_one_queue": (CLUSTER_QUEUE,),
        "contradictory_preemption": (CLUSTER_QUEUE,),
        "flavor_label_of_other_cloud": (RESOURCE_FLAVOR,),
        "flavor_label_on_no_pool": (RESOURCE_FLAVOR,),
        "invalid_flavor": (RESOURCE_FLAVOR,),
        "invalid_quota": (CLUSTER_QUEUE, COHORT),
        "invalid_topology": (TOPOLOGY,),
        "misplaced_queue_label": PODS,
        "missing_admission_check": (CLUSTER_QUEUE,),
        "missing_cluster_queue": (LOCAL_QUEUE,),
        "missing_local_queue": PODS,
        "missing_resource_flavor": (CLUSTER_QUEUE,),
        "missing_topology": (RESOURCE_FLAVOR,),
        "missing_workload_priority": PODS,
        "namespace_not_selected": (CLUSTER_QUEUE, LOCAL_QUEUE),
        "no_flavor_for_workload": (CLUSTER_QUEUE,),
        "provisioning_request_with_karpenter": (CLUSTER_QUEUE,),
        "resource_not_in_queue": (CLUSTER_QUEUE,),
        "topology_label_on_no_node": (TOPOLOGY,),
        "workload_above_quota": (CLUSTER_QUEUE,),
    },
)
