"""PromQL queries over GPU metrics."""

from gitgpu.model.names.kinds import (
    AKS_NODE_CLASS,
    APPLICATION,
    APPLICATION_SET,
    AZURE_POD_MONITOR,
    AZURE_SERVICE_MONITOR,
    CLUSTER_POLICY,
    CONFIG_MAP,
    HELM_RELEASE,
    HELM_VALUES,
    NODE_POOL,
    POD_MONITOR,
    PROMETHEUS_RULE,
    PROMETHEUS_RULE_GROUP,
    SCALED_OBJECT,
    SERVICE_MONITOR,
)
from gitgpu.rules.kinds import ALERTS, PODS, RELEASES, SCALED, kinds

PREFIX = "MON"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        CONFIG_MAP,
        PROMETHEUS_RULE_GROUP,
        APPLICATION,
        APPLICATION_SET,
        AZURE_POD_MONITOR,
        AZURE_SERVICE_MONITOR,
        HELM_VALUES,
        HELM_RELEASE,
        SCALED_OBJECT,
        POD_MONITOR,
        PROMETHEUS_RULE,
        SERVICE_MONITOR,
        CLUSTER_POLICY,
    ],
    context=[AKS_NODE_CLASS, NODE_POOL],
    first={
        "counter_not_exported": (*RELEASES, *SCALED, *ALERTS),
        "invalid_promql": (*RELEASES, *SCALED, *ALERTS),
        "label_never_set": (*RELEASES, *SCALED, *ALERTS),
        "memory_in_bytes": (*RELEASES, *SCALED, *ALERTS),
        "misspelt_metric": (*RELEASES, *SCALED, *ALERTS),
        "percentage_as_ratio": SCALED,
        "ratio_as_percentage": (*RELEASES, *SCALED, *ALERTS),
        "operation_without_match": (*RELEASES, *SCALED, *ALERTS),
        "pod_label_on_shared_gpu": (*RELEASES, *SCALED, *ALERTS),
        "rate_of_gauge": (*RELEASES, *SCALED, *ALERTS),
        "unknown_dcgm_metric": (*RELEASES, *SCALED, *ALERTS),
        "utilization_under_mig": (*RELEASES, *SCALED, *ALERTS),
    },
)
