"""KEDA: ScaledObject, ScaledJob and the operator."""

from gitgpu.model.names.kinds import (
    APPLICATION,
    APPLICATION_SET,
    CLUSTER_TRIGGER_AUTHENTICATION,
    DEPLOYMENT,
    HELM_RELEASE,
    HELM_VALUES,
    SCALED_OBJECT,
    STATEFUL_SET,
    TRIGGER_AUTHENTICATION,
)
from gitgpu.rules.kinds import PODS, RELEASES, SCALED, kinds

PREFIX = "KED"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        APPLICATION,
        APPLICATION_SET,
        HELM_VALUES,
        HELM_RELEASE,
        CLUSTER_TRIGGER_AUTHENTICATION,
        SCALED_OBJECT,
        TRIGGER_AUTHENTICATION,
    ],
    first={
        "cooldown_without_zero": (SCALED_OBJECT,),
        "duplicate_autoscaler_name": (SCALED_OBJECT,),
        "fallback_without_effect": (SCALED_OBJECT,),
        "idle_replicas_above_zero": (SCALED_OBJECT,),
        "invalid_pause_annotation": (SCALED_OBJECT,),
        "invalid_scaling_formula": (SCALED_OBJECT,),
        "keda_without_workload_identity": (
            *RELEASES,
            CLUSTER_TRIGGER_AUTHENTICATION,
            TRIGGER_AUTHENTICATION,
        ),
        "pause_annotation_not_on_scaled_object": (DEPLOYMENT, STATEFUL_SET, SCALED_OBJECT),
        "polling_interval_ignored": (SCALED_OBJECT,),
        "scale_from_zero_on_own_metric": SCALED,
        "scale_to_zero_on_cpu_or_memory": (SCALED_OBJECT,),
        "scaled_job_without_gradual_rollout": PODS,
        "scaled_object_name_too_long": (SCALED_OBJECT,),
        "unused_fallback": (SCALED_OBJECT,),
    },
)
