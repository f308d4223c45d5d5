"""Helm charts: versions, names and values of HelmReleases and Applications."""

from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        "Namespace",
        "apiextensions.k8s.io/CustomResourceDefinition",
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "keda.sh/ClusterTriggerAuthentication",
        "keda.sh/TriggerAuthentication",
        "nvidia.com/ClusterPolicy",
        "amd.com/DeviceConfig",
        "nvidia.com/NVIDIADriver",
    ],
    context=[
        "ConfigMap",
        "Secret",
        "monitoring.coreos.com/PodMonitor",
        "monitoring.coreos.com/PrometheusRule",
        "monitoring.coreos.com/ServiceMonitor",
    ],
    first={
        "chart_in_default_namespace": RELEASES,
        "chart_replaces_crds_of_other_software": RELEASES,
        "chart_value_not_in_schema": RELEASES,
        "crd_too_large_for_client_side_apply": ("argoproj.io/Application", "argoproj.io/ApplicationSet"),
        "driver_manager_setting_ignored": (*RELEASES, "nvidia.com/ClusterPolicy", "nvidia.com/NVIDIADriver"),
        "field_not_in_chart_definition": RELEASES,
        "ignored_chart_value": (*RELEASES, "nvidia.com/ClusterPolicy"),
        "image_value_with_scheme": RELEASES,
        "invalid_device_plugin_values": RELEASES,
        "invalid_gpu_operator_values": RELEASES,
        "missing_object_of_chart": (
            *RELEASES,
            "amd.com/DeviceConfig",
            "nvidia.com/ClusterPolicy",
            "nvidia.com/NVIDIADriver",
        ),
        "namespace_rejects_gpu_pods": (*RELEASES, "Namespace"),
        "renamed_chart": RELEASES,
        "unknown_chart_value": RELEASES,
        "unquoted_chart_value": RELEASES,
        "unsupported_chart_version": RELEASES,
    },
)
