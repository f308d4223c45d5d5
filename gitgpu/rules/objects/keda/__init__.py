"""KEDA: ScaledObject, ScaledJob and the operator."""

from gitgpu.rules.kinds import PODS, RELEASES, SCALED, kinds

PREFIX = "KED"  # of the codes of new rules
KINDS = kinds(
    about=[
        *PODS,
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "keda.sh/ClusterTriggerAuthentication",
        "keda.sh/ScaledObject",
        "keda.sh/TriggerAuthentication",
    ],
    first={
        "cooldown_without_zero": ("keda.sh/ScaledObject",),
        "duplicate_autoscaler_name": ("keda.sh/ScaledObject",),
        "fallback_without_effect": ("keda.sh/ScaledObject",),
        "idle_replicas_above_zero": ("keda.sh/ScaledObject",),
        "invalid_pause_annotation": ("keda.sh/ScaledObject",),
        "invalid_scaling_formula": ("keda.sh/ScaledObject",),
        "keda_without_workload_identity": (
            *RELEASES,
            "keda.sh/ClusterTriggerAuthentication",
            "keda.sh/TriggerAuthentication",
        ),
        "pause_annotation_not_on_scaled_object": ("apps/Deployment", "apps/StatefulSet", "keda.sh/ScaledObject"),
        "polling_interval_ignored": ("keda.sh/ScaledObject",),
        "scale_from_zero_on_own_metric": SCALED,
        "scale_to_zero_on_cpu_or_memory": ("keda.sh/ScaledObject",),
        "scaled_job_without_gradual_rollout": PODS,
        "scaled_object_name_too_long": ("keda.sh/ScaledObject",),
        "unused_fallback": ("keda.sh/ScaledObject",),
    },
)
