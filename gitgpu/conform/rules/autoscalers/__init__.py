"""Autoscalers: what holds for an HPA and for KEDA alike."""

from gitgpu.conform.kinds import ANY, PODS, kinds

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
    beside=ANY,
)
