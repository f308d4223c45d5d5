"""KEDA: ScaledObject, ScaledJob and the operator."""

from gitgpu.conform.kinds import PODS, kinds

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
)
