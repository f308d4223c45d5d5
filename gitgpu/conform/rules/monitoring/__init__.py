"""Monitoring: scrape objects, counters of the DCGM exporter, settings of the Azure Monitor agent."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "ConfigMap",
        "alertsmanagement.azure.com/PrometheusRuleGroup",
        "amd.com/DeviceConfig",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "azmonitoring.coreos.com/PodMonitor",
        "azmonitoring.coreos.com/ServiceMonitor",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "keda.sh/ScaledObject",
        "monitoring.coreos.com/PodMonitor",
        "monitoring.coreos.com/PrometheusRule",
        "monitoring.coreos.com/ScrapeConfig",
        "monitoring.coreos.com/ServiceMonitor",
        "nvidia.com/ClusterPolicy",
    ],
    beside=["Service", "karpenter.azure.com/AKSNodeClass", "karpenter.sh/NodePool"],
)
