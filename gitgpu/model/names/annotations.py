"""Annotations."""

AKS_NODE_CLASS_HASH_ANNOTATION = "karpenter.azure.com/aksnodeclass-hash"
COMPARE_OPTIONS_ANNOTATION = "argocd.argoproj.io/compare-options"
DO_NOT_DISRUPT_ANNOTATION = "karpenter.sh/do-not-disrupt"
FLUX_PRUNE_ANNOTATION = "kustomize.toolkit.fluxcd.io/prune"
FLUX_SSA_ANNOTATION = "kustomize.toolkit.fluxcd.io/ssa"
FLUX_SUBSTITUTE_ANNOTATION = "kustomize.toolkit.fluxcd.io/substitute"
IMAGE_TRIGGERS_ANNOTATION = "image.openshift.io/triggers"
KSERVE_STOP_ANNOTATION = "serving.kserve.io/stop"
LAST_APPLIED_ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration"
LOCAL_CONFIG_ANNOTATION = "config.kubernetes.io/local-config"
MIN_PARALLELISM_ANNOTATION = "kueue.x-k8s.io/job-min-parallelism"
NODEPOOL_HASH_ANNOTATION = "karpenter.sh/nodepool-hash"
PAUSED_ANNOTATION = "autoscaling.keda.sh/paused"
PAUSED_REPLICAS_ANNOTATION = "autoscaling.keda.sh/paused-replicas"
POD_GROUP_NAME = "kueue.x-k8s.io/pod-group-name"  # an annotation, and in older releases a label
RECONCILE_POLICY_ANNOTATION = "serviceoperator.azure.com/reconcile-policy"
SAFE_TO_EVICT_ANNOTATION = "cluster-autoscaler.kubernetes.io/safe-to-evict"
SAFE_VOLUMES_ANNOTATION = "cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes"
SCALE_DOWN_DISABLED_ANNOTATION = "cluster-autoscaler.kubernetes.io/scale-down-disabled"
STOPPED_NOTEBOOK_ANNOTATION = "kubeflow-resource-stopped"
SYNC_OPTIONS_ANNOTATION = "argocd.argoproj.io/sync-options"
SYNC_WAVE_ANNOTATION = "argocd.argoproj.io/sync-wave"
TARGET_ANNOTATION = "gitgpu.dev/target"  # the name of the object that a patch is for
UNCONSTRAINED_ANNOTATION = "kueue.x-k8s.io/podset-unconstrained-topology"
TOPOLOGY_ANNOTATIONS = (  # of pods that Kueue places by topology
    UNCONSTRAINED_ANNOTATION,
    "kueue.x-k8s.io/podset-required-topology",
    "kueue.x-k8s.io/podset-preferred-topology",
    "kueue.x-k8s.io/podset-slice-required-topology",
    "kueue.x-k8s.io/podset-slice-required-topology-constraints",
)
VOLCANO_GROUP_ANNOTATIONS = ("scheduling.volcano.sh/group-name", "scheduling.k8s.io/group-name")
