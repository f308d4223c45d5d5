"""Labels of nodes and objects.

Sources: https://kubernetes.io/docs/reference/labels-annotations-taints/ and pkg/apis/v1/labels.go of
kubernetes-sigs/karpenter, pkg/apis/v1beta1/labels.go of Azure/karpenter-provider-azure, and
https://learn.microsoft.com/azure/aks/use-labels.
"""

# Kubernetes
APP_INSTANCE_LABEL = "app.kubernetes.io/instance"
APP_NAME_LABEL = "app.kubernetes.io/name"
APP_PART_OF_LABEL = "app.kubernetes.io/part-of"
ARCH_LABEL = "kubernetes.io/arch"
HOSTNAME_LABEL = "kubernetes.io/hostname"
INSTANCE_TYPE_LABEL = "node.kubernetes.io/instance-type"
MANAGED_BY_LABEL = "app.kubernetes.io/managed-by"
NAMESPACE_LABEL = "kubernetes.io/metadata.name"  # the API server labels every namespace with its name
OS_LABEL = "kubernetes.io/os"
POD_SECURITY_ENFORCE_LABEL = "pod-security.kubernetes.io/enforce"
REGION_LABEL = "topology.kubernetes.io/region"
ZONE_LABEL = "topology.kubernetes.io/zone"

TRAIN_JOB_STEP_LABEL = "trainer.kubeflow.org/trainjob-ancestor-step"  # on jobs of a runtime of Kubeflow Trainer
RAY_GANG_LABEL = "ray.io/gang-scheduling-enabled"  # with any value
CHART_LABEL = "helm.sh/chart"  # of objects that a chart creates: NAME-VERSION
POD_GROUP_LABEL = "scheduling.x-k8s.io/pod-group"  # of the scheduler plugins

# Karpenter
CAPACITY_TYPE_LABEL = "karpenter.sh/capacity-type"
INITIALIZED_LABEL = "karpenter.sh/initialized"
NODEPOOL_LABEL = "karpenter.sh/nodepool"
REGISTERED_LABEL = "karpenter.sh/registered"

# Karpenter for Azure
PLACEMENT_SCOPE_LABEL = "karpenter.azure.com/placement-scope"
SKU_CPU_LABEL = "karpenter.azure.com/sku-cpu"
SKU_EPHEMERAL_OS_DISK_LABEL = "karpenter.azure.com/sku-storage-ephemeralos-maxsize"
SKU_FAMILY_LABEL = "karpenter.azure.com/sku-family"
SKU_GPU_COUNT_LABEL = "karpenter.azure.com/sku-gpu-count"
SKU_GPU_MANUFACTURER_LABEL = "karpenter.azure.com/sku-gpu-manufacturer"
SKU_GPU_NAME_LABEL = "karpenter.azure.com/sku-gpu-name"
SKU_MEMORY_LABEL = "karpenter.azure.com/sku-memory"
SKU_NAME_LABEL = "karpenter.azure.com/sku-name"
SKU_NETWORKING_LABEL = "karpenter.azure.com/sku-networking-accelerated"
SKU_PREMIUM_STORAGE_LABEL = "karpenter.azure.com/sku-storage-premium-capable"
SKU_SERIES_LABEL = "karpenter.azure.com/sku-series"
SKU_ULTRA_SSD_LABEL = "karpenter.azure.com/sku-storage-ultra-ssd"
SKU_VERSION_LABEL = "karpenter.azure.com/sku-version"

# AKS; the legacy labels are on the nodes of AKS node pools only
ACCELERATOR_LABEL = "kubernetes.azure.com/accelerator"
AGENTPOOL_LABEL = "kubernetes.azure.com/agentpool"
AKS_CPU_LABEL = "kubernetes.azure.com/sku-cpu"
AKS_MEMORY_LABEL = "kubernetes.azure.com/sku-memory"
CLUSTER_LABEL = "kubernetes.azure.com/cluster"
FIPS_LABEL = "kubernetes.azure.com/fips_enabled"
LEGACY_ACCELERATOR_LABEL = "accelerator"
LEGACY_AGENTPOOL_LABEL = "agentpool"
MODE_LABEL = "kubernetes.azure.com/mode"
NODE_IMAGE_LABEL = "kubernetes.azure.com/node-image-version"
OS_SKU_LABEL = "kubernetes.azure.com/os-sku"
PRIORITY_LABEL = "kubernetes.azure.com/priority"
SCALE_SET_PRIORITY_LABEL = "kubernetes.azure.com/scalesetpriority"  # also the key of the taint of spot nodes

# GPU software
AMD_VGPU_LABEL = "feature.node.kubernetes.io/amd-vgpu"
CLIQUE_LABEL = "nvidia.com/gpu.clique"
DEPLOY_DEVICE_PLUGIN_LABEL = "nvidia.com/gpu.deploy.device-plugin"
DEPLOY_DRIVER_LABEL = "nvidia.com/gpu.deploy.driver"
DEPLOY_OPERANDS_LABEL = "nvidia.com/gpu.deploy.operands"
DEVICE_PLUGIN_CONFIG_LABEL = "nvidia.com/device-plugin.config"
DRA_KUBELET_PLUGIN_LABEL = "nvidia.com/dra-kubelet-plugin"
GPU_PRESENT_LABEL = "nvidia.com/gpu.present"
MANAGED_GPU_LABEL = "kubernetes.azure.com/dcgm-exporter"  # AKS sets it where it manages the GPUs
MIG_CONFIG_LABEL = "nvidia.com/mig.config"

# Others
GUARD_LABEL = "gitgpu.dev/guard"  # of a namespace: none exempts its pods
OUR_INFINIBAND_LABEL = "feature.node.kubernetes.io/gitgpu-infiniband"  # of nodes of the fleet
POOL_LABEL = "gitgpu.dev/pool"  # of pods: the pool on whose nodes their DaemonSet runs
QUEUE_LABEL = "kueue.x-k8s.io/queue-name"
QUEUE_PRIORITY_LABEL = "kueue.x-k8s.io/priority-class"
WORKLOAD_IDENTITY_LABEL = "azure.workload.identity/use"
KAITO_MANAGED_BY_LABEL = "karpenter.kaito.sh/managed-by"
RAGENGINE_LABEL = "kaito.sh/ragengine"
WORKSPACE_LABEL = "kaito.sh/workspace"
