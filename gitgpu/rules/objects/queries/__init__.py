"""PromQL queries over GPU metrics."""

from gitgpu.rules.kinds import ALERTS, PODS, RELEASES, SCALED, kinds

PREFIX = "MON"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "alertsmanagement.azure.com/PrometheusRuleGroup",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "azmonitoring.coreos.com/PodMonitor",
        "azmonitoring.coreos.com/ServiceMonitor",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "keda.sh/ScaledObject",
        "monitoring.coreos.com/PodMonitor",
        "monitoring.coreos.com/PrometheusRule",
        "monitoring.coreos.com/ServiceMonitor",
        "nvidia.com/ClusterPolicy",
    ],
    context=["karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodePool"],
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
