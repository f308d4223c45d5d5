"""Helm charts: versions, names and values of HelmReleases and Applications."""

from gitgpu.conform.kinds import PODS, kinds

KINDS = kinds(
    about=[
        *PODS,
        "Namespace",
        "apiextensions.k8s.io/CustomResourceDefinition",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "nvidia.com/ClusterPolicy",
    ],
    beside=[
        "ConfigMap",
        "monitoring.coreos.com/PodMonitor",
        "monitoring.coreos.com/PrometheusRule",
        "monitoring.coreos.com/ServiceMonitor",
    ],
)
