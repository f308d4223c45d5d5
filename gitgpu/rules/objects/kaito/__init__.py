"""KAITO: Workspace, InferenceSet and RAGEngine."""

from gitgpu.rules.kinds import RELEASES, kinds

PREFIX = "KAI"  # of the codes of new rules
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
    context=["containerservice.azure.com/ManagedCluster"],
    first={
        "adapter_strength_with_vllm": (*RELEASES, "kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "gated_model_without_secret": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "gpu_partition_without_gate": RELEASES,
        "ignored_selector_label": ("kaito.sh/InferenceSet", "kaito.sh/RAGEngine", "kaito.sh/Workspace"),
        "conflicting_model_replicas": ("kaito.sh/InferenceSet",),
        "inference_set_with_two_scalers": (
            "autoscaling/HorizontalPodAutoscaler",
            "kaito.sh/InferenceSet",
            "keda.sh/ScaledObject",
        ),
        "instance_type_does_not_fit_provisioner": RELEASES,
        "invalid_adapter": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "invalid_gpu_partition": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "invalid_inference_set_metrics": ("kaito.sh/InferenceSet",),
        "invalid_kaito_annotation": ("kaito.sh/Workspace",),
        "invalid_kaito_image": ("kaito.sh/InferenceSet", "kaito.sh/RAGEngine", "kaito.sh/Workspace"),
        "invalid_kaito_name": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "invalid_kaito_node_classes": RELEASES,
        "invalid_kaito_selector": ("kaito.sh/InferenceSet", "kaito.sh/RAGEngine", "kaito.sh/Workspace"),
        "invalid_rag_engine": ("kaito.sh/RAGEngine",),
        "invalid_tuning": ("kaito.sh/Workspace",),
        "invalid_upgrade_window": ("kaito.sh/InferenceSet",),
        "kaito_scaler_not_in_keda_namespace": RELEASES,
        "newer_than_kaito_add_on": ("containerservice.azure.com/ManagedCluster",),
        "node_gate_overwritten_by_provisioner": RELEASES,
        "size_not_supported_by_every_kaito": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "size_unknown_to_kaito": ("kaito.sh/InferenceSet", "kaito.sh/RAGEngine", "kaito.sh/Workspace"),
        "text_instead_of_name": ("kaito.sh/InferenceSet", "kaito.sh/RAGEngine", "kaito.sh/Workspace"),
        "unknown_kaito_node_class": RELEASES,
        "unknown_kaito_node_provisioner": RELEASES,
        "unknown_kaito_preset": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
        "workspace_without_one_task": ("kaito.sh/InferenceSet", "kaito.sh/Workspace"),
    },
)
