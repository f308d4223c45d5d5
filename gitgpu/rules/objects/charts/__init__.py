"""Helm charts: versions, names and values of HelmReleases and Applications."""

from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_POLICY,
    CLUSTER_TRIGGER_AUTHENTICATION,
    CONFIG_MAP,
    CUSTOM_RESOURCE_DEFINITION,
    DEVICE_CONFIG,
    HELM_RELEASE,
    HELM_VALUES,
    NAMESPACE,
    NVIDIA_DRIVER,
    POD_MONITOR,
    PROMETHEUS_RULE,
    SECRET,
    SERVICE_MONITOR,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.rules.kinds import PODS, RELEASES, kinds

PREFIX = "STK"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        NAMESPACE,
        CUSTOM_RESOURCE_DEFINITION,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        CLUSTER_TRIGGER_AUTHENTICATION,
        TRIGGER_AUTHENTICATION,
        CLUSTER_POLICY,
        DEVICE_CONFIG,
        NVIDIA_DRIVER,
    ],
    context=[
        CONFIG_MAP,
        SECRET,
        POD_MONITOR,
        PROMETHEUS_RULE,
        SERVICE_MONITOR,
    ],
    first={
        "chart_in_default_namespace": RELEASES,
        "chart_replaces_crds_of_other_software": RELEASES,
        "chart_value_not_in_schema": RELEASES,
        "crd_too_large_for_client_side_apply": (APPLICATION, APPLICATION_SET),
        "driver_manager_setting_ignored": (*RELEASES, CLUSTER_POLICY, NVIDIA_DRIVER),
        "field_not_in_chart_definition": RELEASES,
        "ignored_chart_value": (*RELEASES, CLUSTER_POLICY),
        "image_value_with_scheme": RELEASES,
        "invalid_device_plugin_values": RELEASES,
        "invalid_gpu_operator_values": RELEASES,
        "missing_object_of_chart": (
            *RELEASES,
            DEVICE_CONFIG,
            CLUSTER_POLICY,
            NVIDIA_DRIVER,
        ),
        "namespace_rejects_gpu_pods": (*RELEASES, NAMESPACE),
        "renamed_chart": RELEASES,
        "unknown_chart_value": RELEASES,
        "unquoted_chart_value": RELEASES,
        "unsupported_chart_version": RELEASES,
    },
)
