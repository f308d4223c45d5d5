"""KAITO: Workspace, InferenceSet and RAGEngine."""

from gitgpu.conform.kinds import kinds

KINDS = kinds(
    about=[
        "argoproj.io/Application",
        "argoproj.io/ApplicationSet",
        "autoscaling/HorizontalPodAutoscaler",
        "gitgpu.dev/HelmValues",
        "helm.toolkit.fluxcd.io/HelmRelease",
        "kaito.sh/InferenceSet",
        "kaito.sh/RAGEngine",
        "kaito.sh/Workspace",
        "keda.sh/ScaledObject",
    ],
    beside=["containerservice.azure.com/ManagedCluster"],
)
