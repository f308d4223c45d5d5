"""Autoscalers: what applies to both HPAs and KEDA."""

from gitgpu.model.names.kinds import (
    API_SERVICE,
    APPLICATION,
    APPLICATION_SET,
    CAPACITY_BUFFER,
    FLUX_KUSTOMIZATION,
    HELM_RELEASE,
    HELM_VALUES,
    HORIZONTAL_POD_AUTOSCALER,
    LIMIT_RANGE,
    MANAGED_CLUSTER,
    SCALED_OBJECT,
)
from gitgpu.rules.kinds import ANY, PODS, RELEASES, SCALED, kinds

PREFIX = "KED"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        APPLICATION,
        APPLICATION_SET,
        CAPACITY_BUFFER,
        HORIZONTAL_POD_AUTOSCALER,
        HELM_VALUES,
        HELM_RELEASE,
        SCALED_OBJECT,
        FLUX_KUSTOMIZATION,
    ],
    context=ANY,
    first={
        "capacity_buffer_without_shape": (CAPACITY_BUFFER,),
        "conflicting_replica_bounds": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "invalid_scaling_behavior": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "max_replicas_above_gpu_limits": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "metric_not_served_by_adapter": RELEASES,
        "metric_without_adapter": (
            *RELEASES,
            API_SERVICE,
            HORIZONTAL_POD_AUTOSCALER,
        ),
        "missing_scale_target": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "resource_metric_without_request": (
            LIMIT_RANGE,
            HORIZONTAL_POD_AUTOSCALER,
            SCALED_OBJECT,
        ),
        "scale_target_not_scalable": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
        "scaling_target_is_zero": (*SCALED, HORIZONTAL_POD_AUTOSCALER),
        "two_external_metrics_servers": (*RELEASES, MANAGED_CLUSTER),
        "unsupported_scale_to_zero": (HORIZONTAL_POD_AUTOSCALER,),
        "duplicate_target": (HORIZONTAL_POD_AUTOSCALER, SCALED_OBJECT),
    },
)
