"""PromQL queries over GPU metrics."""

from gitgpu.conform.kinds import PODS, kinds

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
    ],
    beside=["karpenter.sh/NodePool"],
)
