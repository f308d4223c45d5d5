"""Kinds of objects, with their groups."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from gitgpu.model.names.groups import (
    ADMISSION_GROUP,
    AIRUNWAY_GROUP,
    AKS_GROUP,
    AMD_GROUP,
    API_EXTENSIONS_GROUP,
    API_REGISTRATION_GROUP,
    ARGO_GROUP,
    AUTOSCALER_GROUP,
    AZURE_MONITORING_GROUP,
    CONTAINER_SERVICE_GROUP,
    FLUX_HELM_GROUP,
    FLUX_KUSTOMIZE_GROUP,
    FLUX_SOURCE_GROUP,
    GITGPU_GROUP,
    JOB_SET_GROUP,
    KAITO_GROUP,
    KARPENTER_AZURE_GROUP,
    KARPENTER_GROUP,
    KEDA_GROUP,
    KNATIVE_SERVING_GROUP,
    KSERVE_GROUP,
    KUBEFLOW_GROUP,
    KUEUE_CONFIGURATION_GROUP,
    KUEUE_GROUP,
    LEADER_WORKER_SET_GROUP,
    MELLANOX_GROUP,
    MONITORING_GROUP,
    NIM_GROUP,
    NODE_GROUP,
    NVIDIA_GROUP,
    NVIDIA_RESOURCE_GROUP,
    RAY_GROUP,
    RESOURCE_GROUP,
    SCHEDULER_PLUGINS_GROUP,
    SCHEDULING_GROUP,
    SPARK_GROUP,
    TEKTON_GROUP,
    TRAINER_GROUP,
    VOLCANO_BATCH_GROUP,
    VOLCANO_SCHEDULING_GROUP,
)


class GroupKind(NamedTuple):
    """A kind; the group of Pods and ConfigMaps is ""."""

    group: str
    kind: str


def group_kind(body: Mapping[str, Any]) -> tuple[str, str]:
    """The group and the kind of an object; it is equal to the `GroupKind` of its kind."""
    return str(body.get("apiVersion")).rpartition("/")[0], str(body.get("kind"))


ADMISSION_CHECK = GroupKind(KUEUE_GROUP, "AdmissionCheck")
AKS_NODE_CLASS = GroupKind(KARPENTER_AZURE_GROUP, "AKSNodeClass")
API_SERVICE = GroupKind(API_REGISTRATION_GROUP, "APIService")
APPLICATION = GroupKind(ARGO_GROUP, "Application")
APPLICATION_SET = GroupKind(ARGO_GROUP, "ApplicationSet")
AZURE_POD_MONITOR = GroupKind(AZURE_MONITORING_GROUP, "PodMonitor")
AZURE_SERVICE_MONITOR = GroupKind(AZURE_MONITORING_GROUP, "ServiceMonitor")
BUCKET = GroupKind(FLUX_SOURCE_GROUP, "Bucket")
CAPACITY_BUFFER = GroupKind(AUTOSCALER_GROUP, "CapacityBuffer")
CLUSTER_POLICY = GroupKind(NVIDIA_GROUP, "ClusterPolicy")
CLUSTER_QUEUE = GroupKind(KUEUE_GROUP, "ClusterQueue")
CLUSTER_SERVING_RUNTIME = GroupKind(KSERVE_GROUP, "ClusterServingRuntime")
CLUSTER_TRAINING_RUNTIME = GroupKind(TRAINER_GROUP, "ClusterTrainingRuntime")
CLUSTER_TRIGGER_AUTHENTICATION = GroupKind(KEDA_GROUP, "ClusterTriggerAuthentication")
CLUSTER_WORKFLOW_TEMPLATE = GroupKind(ARGO_GROUP, "ClusterWorkflowTemplate")
COHORT = GroupKind(KUEUE_GROUP, "Cohort")
COMPUTE_DOMAIN = GroupKind(NVIDIA_RESOURCE_GROUP, "ComputeDomain")
CONFIG_MAP = GroupKind("", "ConfigMap")
CRON_JOB = GroupKind("batch", "CronJob")
CRON_WORKFLOW = GroupKind(ARGO_GROUP, "CronWorkflow")
CUSTOM_RESOURCE_DEFINITION = GroupKind(API_EXTENSIONS_GROUP, "CustomResourceDefinition")
DAEMON_SET = GroupKind("apps", "DaemonSet")
DEPLOYMENT = GroupKind("apps", "Deployment")
DEVICE_CONFIG = GroupKind(AMD_GROUP, "DeviceConfig")
DYNAMO_GRAPH_DEPLOYMENT = GroupKind(NVIDIA_GROUP, "DynamoGraphDeployment")
EVENT = GroupKind("", "Event")
FLUX_KUSTOMIZATION = GroupKind(FLUX_KUSTOMIZE_GROUP, "Kustomization")
GIT_REPOSITORY = GroupKind(FLUX_SOURCE_GROUP, "GitRepository")
GPU_CLUSTER = GroupKind(NVIDIA_GROUP, "GPUCluster")
HELM_CHART = GroupKind(FLUX_SOURCE_GROUP, "HelmChart")
HELM_RELEASE = GroupKind(FLUX_HELM_GROUP, "HelmRelease")
HELM_REPOSITORY = GroupKind(FLUX_SOURCE_GROUP, "HelmRepository")
HELM_VALUES = GroupKind(GITGPU_GROUP, "HelmValues")
HORIZONTAL_POD_AUTOSCALER = GroupKind("autoscaling", "HorizontalPodAutoscaler")
INFERENCE_SERVICE = GroupKind(KSERVE_GROUP, "InferenceService")
INFERENCE_SET = GroupKind(KAITO_GROUP, "InferenceSet")
JAX_JOB = GroupKind(KUBEFLOW_GROUP, "JAXJob")
JOB = GroupKind("batch", "Job")
JOB_SET = GroupKind(JOB_SET_GROUP, "JobSet")
KNATIVE_SERVICE = GroupKind(KNATIVE_SERVING_GROUP, "Service")
KUEUE_CONFIGURATION = GroupKind(KUEUE_CONFIGURATION_GROUP, "Configuration")
LEADER_WORKER_SET = GroupKind(LEADER_WORKER_SET_GROUP, "LeaderWorkerSet")
LIMIT_RANGE = GroupKind("", "LimitRange")
LLM_INFERENCE_SERVICE = GroupKind(KSERVE_GROUP, "LLMInferenceService")
LOCAL_QUEUE = GroupKind(KUEUE_GROUP, "LocalQueue")
MAINTENANCE_CONFIGURATION = GroupKind(CONTAINER_SERVICE_GROUP, "MaintenanceConfiguration")
MANAGED_CLUSTER = GroupKind(CONTAINER_SERVICE_GROUP, "ManagedCluster")
MANAGED_CLUSTERS_AGENT_POOL = GroupKind(CONTAINER_SERVICE_GROUP, "ManagedClustersAgentPool")
MODEL_DEPLOYMENT = GroupKind(AIRUNWAY_GROUP, "ModelDeployment")
MPI_JOB = GroupKind(KUBEFLOW_GROUP, "MPIJob")
MX_JOB = GroupKind(KUBEFLOW_GROUP, "MXJob")
NAMESPACE = GroupKind("", "Namespace")
NIC_CLUSTER_POLICY = GroupKind(MELLANOX_GROUP, "NicClusterPolicy")
NIM_SERVICE = GroupKind(NIM_GROUP, "NIMService")
NODE = GroupKind("", "Node")
NODE_CLAIM = GroupKind(KARPENTER_GROUP, "NodeClaim")
NODE_OVERLAY = GroupKind(KARPENTER_GROUP, "NodeOverlay")
NODE_POOL = GroupKind(KARPENTER_GROUP, "NodePool")
NOTEBOOK = GroupKind(KUBEFLOW_GROUP, "Notebook")
NVIDIA_DRIVER = GroupKind(NVIDIA_GROUP, "NVIDIADriver")
OCI_REPOSITORY = GroupKind(FLUX_SOURCE_GROUP, "OCIRepository")
PADDLE_JOB = GroupKind(KUBEFLOW_GROUP, "PaddleJob")
PERSISTENT_VOLUME = GroupKind("", "PersistentVolume")
PERSISTENT_VOLUME_CLAIM = GroupKind("", "PersistentVolumeClaim")
PIPELINE = GroupKind(TEKTON_GROUP, "Pipeline")
PIPELINE_RUN = GroupKind(TEKTON_GROUP, "PipelineRun")
POD = GroupKind("", "Pod")
POD_DISRUPTION_BUDGET = GroupKind("policy", "PodDisruptionBudget")
POD_GROUP = GroupKind(SCHEDULING_GROUP, "PodGroup")
POD_MONITOR = GroupKind(MONITORING_GROUP, "PodMonitor")
PRIORITY_CLASS = GroupKind(SCHEDULING_GROUP, "PriorityClass")
PROMETHEUS_RULE = GroupKind(MONITORING_GROUP, "PrometheusRule")
PROMETHEUS_RULE_GROUP = GroupKind("alertsmanagement.azure.com", "PrometheusRuleGroup")
PROVISIONING_REQUEST_CONFIG = GroupKind(KUEUE_GROUP, "ProvisioningRequestConfig")
PYTORCH_JOB = GroupKind(KUBEFLOW_GROUP, "PyTorchJob")
RAG_ENGINE = GroupKind(KAITO_GROUP, "RAGEngine")
RAY_CLUSTER = GroupKind(RAY_GROUP, "RayCluster")
RAY_CRON_JOB = GroupKind(RAY_GROUP, "RayCronJob")
RAY_JOB = GroupKind(RAY_GROUP, "RayJob")
RAY_SERVICE = GroupKind(RAY_GROUP, "RayService")
QUEUED_WORKLOAD = GroupKind(KUEUE_GROUP, "Workload")
REPLICATION_CONTROLLER = GroupKind("", "ReplicationController")
REPLICA_SET = GroupKind("apps", "ReplicaSet")
RESOURCE_CLAIM = GroupKind(RESOURCE_GROUP, "ResourceClaim")
RESOURCE_CLAIM_TEMPLATE = GroupKind(RESOURCE_GROUP, "ResourceClaimTemplate")
RESOURCE_FLAVOR = GroupKind(KUEUE_GROUP, "ResourceFlavor")
RESOURCE_QUOTA = GroupKind("", "ResourceQuota")
RESOURCE_SLICE = GroupKind(RESOURCE_GROUP, "ResourceSlice")
ROLLOUT = GroupKind(ARGO_GROUP, "Rollout")
RUNTIME_CLASS = GroupKind(NODE_GROUP, "RuntimeClass")
SCALED_JOB = GroupKind(KEDA_GROUP, "ScaledJob")
SCALED_OBJECT = GroupKind(KEDA_GROUP, "ScaledObject")
SCHEDULED_SPARK_APPLICATION = GroupKind(SPARK_GROUP, "ScheduledSparkApplication")
SCHEDULER_CONFIGURATION = GroupKind(AKS_GROUP, "SchedulerConfiguration")
SCHEDULER_PLUGINS_POD_GROUP = GroupKind(SCHEDULER_PLUGINS_GROUP, "PodGroup")
SCRAPE_CONFIG = GroupKind(MONITORING_GROUP, "ScrapeConfig")
SECRET = GroupKind("", "Secret")
SERVICE = GroupKind("", "Service")
SERVICE_MONITOR = GroupKind(MONITORING_GROUP, "ServiceMonitor")
SERVING_RUNTIME = GroupKind(KSERVE_GROUP, "ServingRuntime")
SPARK_APPLICATION = GroupKind(SPARK_GROUP, "SparkApplication")
STATEFUL_SET = GroupKind("apps", "StatefulSet")
STORAGE_CLASS = GroupKind("storage.k8s.io", "StorageClass")
TASK = GroupKind(TEKTON_GROUP, "Task")
TASK_RUN = GroupKind(TEKTON_GROUP, "TaskRun")
TF_JOB = GroupKind(KUBEFLOW_GROUP, "TFJob")
TOPOLOGY = GroupKind(KUEUE_GROUP, "Topology")
TRAINING_RUNTIME = GroupKind(TRAINER_GROUP, "TrainingRuntime")
TRAIN_JOB = GroupKind(TRAINER_GROUP, "TrainJob")
TRIGGER_AUTHENTICATION = GroupKind(KEDA_GROUP, "TriggerAuthentication")
VALIDATING_ADMISSION_POLICY_BINDING = GroupKind(ADMISSION_GROUP, "ValidatingAdmissionPolicyBinding")
VALIDATING_ADMISSION_POLICY = GroupKind(ADMISSION_GROUP, "ValidatingAdmissionPolicy")
VOLCANO_JOB = GroupKind(VOLCANO_BATCH_GROUP, "Job")
VOLCANO_POD_GROUP = GroupKind(VOLCANO_SCHEDULING_GROUP, "PodGroup")
WORKFLOW = GroupKind(ARGO_GROUP, "Workflow")
WORKFLOW_TEMPLATE = GroupKind(ARGO_GROUP, "WorkflowTemplate")
WORKLOAD = GroupKind(SCHEDULING_GROUP, "Workload")
WORKLOAD_PRIORITY_CLASS = GroupKind(KUEUE_GROUP, "WorkloadPriorityClass")
WORKSPACE = GroupKind(KAITO_GROUP, "Workspace")
XGBOOST_JOB = GroupKind(KUBEFLOW_GROUP, "XGBoostJob")
