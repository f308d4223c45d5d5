"""Autoscalers: what applies to both HPAs and KEDA."""

from gitgpu.rules.kinds import ANY, PODS, RELEASES, SCALED, kinds

KINDS = kinds(
    about=[
        *PODS,
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "autoscaling/HorizontalPodAutoscaler",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "keda.sh/ScaledObject",
        "kustomize.toolkit.fluxcd.io/Kustomization",
    ],
    context=ANY,
    first={
        "conflicting_replica_bounds": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "invalid_scaling_behavior": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "max_replicas_above_gpu_limits": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "metric_not_served_by_adapter": RELEASES,
        "metric_without_adapter": (
            *RELEASES,
            "apiregistration.k8s.io/APIService",
            "autoscaling/HorizontalPodAutoscaler",
        ),
        "missing_scale_target": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "resource_metric_without_request": (
            "LimitRange",
            "autoscaling/HorizontalPodAutoscaler",
            "keda.sh/ScaledObject",
        ),
        "scale_target_not_scalable": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
        "scaling_target_is_zero": (*SCALED, "autoscaling/HorizontalPodAutoscaler"),
        "two_external_metrics_servers": (*RELEASES, "containerservice.azure.com/ManagedCluster"),
        "unsupported_scale_to_zero": ("autoscaling/HorizontalPodAutoscaler",),
        "duplicate_target": ("autoscaling/HorizontalPodAutoscaler", "keda.sh/ScaledObject"),
    },
)
