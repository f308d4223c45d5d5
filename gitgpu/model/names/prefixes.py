"""What the names of labels, annotations and resources start with, by the project that owns them."""

AKS_PREFIX = "kubernetes.azure.com/"
AMD_PREFIX = "amd.com/"
ARGOCD_PREFIX = "argocd.argoproj.io/"
CHAINSAW_PREFIX = "chainsaw.kyverno.io/"
FLUX_KUSTOMIZE_PREFIX = "kustomize.toolkit.fluxcd.io/"
GITGPU_PREFIX = "gitgpu.dev/"
HELM_PREFIX = "helm.sh/"
KAITO_SCALER_PREFIX = "scaledobject.kaito.sh/"
KARPENTER_AZURE_PREFIX = "karpenter.azure.com/"
KARPENTER_PREFIX = "karpenter.sh/"
KARPENTER_SKU_PREFIX = "karpenter.azure.com/sku-"
KUBERNETES_PREFIX = "kubernetes.io/"
MIG_PREFIX = "nvidia.com/mig-"
NFD_PREFIX = "feature.node.kubernetes.io/"  # Node Feature Discovery
NVIDIA_GPU_PREFIX = "nvidia.com/gpu."  # GPU Feature Discovery and the GPU Operator
NVIDIA_PREFIX = "nvidia.com/"
