"""What runs, in the shape that public repositories of AKS have: NodePools by hand, Terraform, `az`, Bicep, GitOps.

Each is written anew after one kind of repository, with other names and numbers. The names say which kind.
"""

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

SUBSCRIPTION = "/subscriptions/00000000-0000-0000-0000-000000000000"


class Shape(NamedTuple):
    """Files of a repository or of a shell script, and the verdict for each pool: "" where its nodes stay.

    Otherwise a part of the reason. `lost` are parts of what the report says is not adopted.
    """

    files: Mapping[str, str]
    verdicts: Mapping[str, str]
    lost: tuple[str, ...] = ()
    cluster: str = ""
    region: str = ""


def cluster_id(name: str) -> str:
    """The resource ID of a cluster, as `az` spells it."""
    return f"{SUBSCRIPTION}/resourcegroups/rg/providers/Microsoft.ContainerService/managedClusters/{name}"


def az_pool(cluster: str, name: str, **more: Any) -> dict[str, Any]:
    """A pool as `az aks nodepool show` prints it: with the defaults of Azure, and null for the rest."""
    return {
        "availabilityZones": None, "count": 1, "currentOrchestratorVersion": "1.34.2", "enableAutoScaling": False,
        "enableEncryptionAtHost": False, "enableFips": False, "enableNodePublicIp": False, "enableUltraSsd": False,
        "gpuInstanceProfile": None, "gpuProfile": None, "id": f"{cluster_id(cluster)}/agentPools/{name}",
        "kubeletConfig": None, "kubeletDiskType": "OS", "linuxOsConfig": None, "maxCount": None, "maxPods": 110,
        "minCount": None, "mode": "User", "name": name, "nodeImageVersion": "AKSUbuntu-2204gen2containerd-202610.12.0",
        "nodeLabels": None, "nodeTaints": None, "orchestratorVersion": "1.34", "osDiskSizeGb": 128,
        "osDiskType": "Managed", "osSku": "Ubuntu", "osType": "Linux", "powerState": {"code": "Running"},
        "provisioningState": "Succeeded", "resourceGroup": "rg", "scaleDownMode": "Delete",
        "scaleSetEvictionPolicy": None, "scaleSetPriority": None,
        "securityProfile": {"enableSecureBoot": False, "enableVtpm": False}, "spotMaxPrice": None, "tags": None,
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "typePropertiesType": "VirtualMachineScaleSets", "upgradeSettings": {"maxSurge": "10%"}, "vnetSubnetId": None,
        "workloadRuntime": "OCIContainer", **more,
    }  # fmt: skip


def az_cluster(name: str, *, nap: bool = False, pools: list[Any] | None = None) -> str:
    """A cluster as `az aks show` prints it, as far as it matters."""
    system = {"name": "system", "vmSize": "Standard_D4ds_v5", "mode": "System", "count": 2}
    return json.dumps({
        "id": cluster_id(name), "name": name, "location": "swedencentral", "currentKubernetesVersion": "1.34.2",
        "agentPoolProfiles": pools or [system], "type": "Microsoft.ContainerService/ManagedClusters",
        "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay", "networkPolicy": "cilium"},
        "nodeProvisioningProfile": {"mode": "Auto" if nap else "Manual"},
    })  # fmt: skip


def terraform(*resources: tuple[str, dict[str, Any]]) -> str:
    """What `terraform show -json` prints of these resources; names are after the type."""
    listed = [
        {"address": f"{kind}.this{at}", "mode": "managed", "type": kind, "name": f"this{at}", "values": values}
        for at, (kind, values) in enumerate(resources)
    ]
    return json.dumps({"format_version": "1.0", "values": {"root_module": {"resources": listed}}})


def node_class(name: str = "gpu", more: str = "") -> str:
    """An AKSNodeClass."""
    return f"apiVersion: karpenter.azure.com/v1beta1\nkind: AKSNodeClass\nmetadata: {{name: {name}}}\nspec:\n  imageFamily: Ubuntu2204\n{more}"


def node_pool(requirements: str, more: str = "", name: str = "gpu", of_class: str = "gpu") -> str:
    """A NodePool with requirements in flow style, and more keys of its spec."""
    return f"""apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}}}
spec:
{more}
  template:
    metadata: {{labels: {{workload: {name}}}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: {of_class}}}
      requirements:
{requirements}
      taints:
      - {{key: nvidia.com/gpu, value: "true", effect: NoSchedule}}
"""


A100 = "      - {key: node.kubernetes.io/instance-type, operator: In, values: [Standard_NC24ads_A100_v4]}\n"
T4 = "      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC4as_T4_v3, Standard_NC8as_T4_v3]}\n"
BOTH = "      - {key: karpenter.sh/capacity-type, operator: In, values: [spot, on-demand]}\n"
LINUX = "      - {key: kubernetes.io/os, operator: In, values: [linux]}\n"
AMD64 = "      - {key: kubernetes.io/arch, operator: In, values: [amd64]}\n"
KUSTOMIZATION = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n"
FLUX = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: nodes, namespace: flux-system}
spec:
  interval: 10m
  path: ./infrastructure/nodes
  prune: true
  sourceRef: {kind: GitRepository, name: flux-system}
  postBuild: {substitute: {gpu_limit: "%s"}}
"""
ARGO = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: nodes, namespace: argocd}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc}
  source: {repoURL: https://github.com/contoso/gitops, path: nodes, targetRevision: main}
"""
TF_POOL = {
    "kubernetes_cluster_id": cluster_id("tf"), "mode": "User", "name": "gpu", "node_count": 1, "os_type": "Linux",
    "os_sku": "Ubuntu", "os_disk_type": "Managed", "os_disk_size_gb": 200, "priority": "Regular", "spot_max_price": -1,
    "eviction_policy": "", "vm_size": "Standard_NC4as_T4_v3", "node_taints": ["sku=gpu:NoSchedule"],
    "node_labels": {"sku": "gpu"}, "max_pods": 110, "scale_down_mode": "Delete", "kubelet_disk_type": "OS",
}  # fmt: skip
TF_CLUSTER = {
    "id": cluster_id("tf"), "name": "tf", "location": "westeurope", "kubernetes_version": "1.34",
    "default_node_pool": [{"name": "default", "vm_size": "Standard_D2_v2", "node_count": 1}],
    "network_profile": [{"network_plugin": "azure", "network_plugin_mode": "overlay", "network_policy": ""}],
    "oms_agent": [], "monitor_metrics": [], "workload_autoscaler_profile": [], "node_provisioning_profile": [],
}  # fmt: skip
AGENT_POOLS = "Microsoft.ContainerService/managedClusters/agentPools"

SHAPES = {
    "workshop of node auto-provisioning: one NodePool for one size": Shape(
        {"gpu.yaml": f"{node_pool(A100 + BOTH, '  limits: {cpu: 96}')}---\n{node_class()}", "aks.json": az_cluster("nap", nap=True)},
        {"gpu": ""},
    ),
    "sample of Karpenter: sizes by family, disruption, weight": Shape(
        {
            "nodes/gpu.yaml": node_pool(
                "      - {key: karpenter.azure.com/sku-family, operator: In, values: [\"N\"]}\n"
                "      - {key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}\n" + LINUX + AMD64,
                "  weight: 10\n  limits: {cpu: 64, nvidia.com/gpu: 4}\n"
                "  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 5m, budgets: [{nodes: 10%}]}",
            ),
            "nodes/class.yaml": node_class(more="  osDiskSizeGB: 256\n  maxPods: 60\n"),
        },
        {"gpu": ""},
        cluster="dev",
        region="swedencentral",
    ),
    "spot with a fallback: two NodePools that share a class": Shape(
        {
            "pools.yaml": node_pool(T4 + "      - {key: karpenter.sh/capacity-type, operator: In, values: [spot]}\n", "  weight: 50\n  limits: {nvidia.com/gpu: 8}", "t4-spot", "t4")
            + "---\n"
            + node_pool(T4 + "      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}\n", "  limits: {nvidia.com/gpu: 8}", "t4-od", "t4")
            + "---\n"
            + node_class("t4"),
        },
        {"t4-od": "", "t4-spot": ""},
        cluster="dev",
        region="swedencentral",
    ),
    "class with kubelet settings and no driver, for the GPU Operator": Shape(
        {
            "gpu.yaml": node_pool(A100, "  limits: {nvidia.com/gpu: 16}"),
            "class.yaml": node_class(more="  gpu: {mode: None}\n  kubelet: {cpuManagerPolicy: static, imageGCHighThresholdPercent: 85, imageGCLowThresholdPercent: 80}\n  tags: {team: ml}\n"),
        },
        {"gpu": ""},
        cluster="dev",
        region="swedencentral",
    ),
    "repository of Flux with a cluster and variables": Shape(
        {
            "clusters/prod/nodes.yaml": FLUX % "16",
            "clusters/prod/source.yaml": "apiVersion: source.toolkit.fluxcd.io/v1\nkind: GitRepository\nmetadata: {name: flux-system, namespace: flux-system}\nspec: {url: https://github.com/contoso/gitops, interval: 5m, ref: {branch: main}}\n",
            "infrastructure/nodes/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml, class.yaml]\n",
            "infrastructure/nodes/pool.yaml": node_pool(A100, "  limits: {nvidia.com/gpu: '${gpu_limit}'}"),
            "infrastructure/nodes/class.yaml": node_class(),
        },
        {"gpu": ""},
        region="swedencentral",
    ),
    "repository of Argo CD with a cluster": Shape(
        {
            "bootstrap/nodes.yaml": ARGO,
            "nodes/pool.yaml": node_pool(T4, "  limits: {nvidia.com/gpu: 4}"),
            "nodes/class.yaml": node_class(),
        },
        {"gpu": ""},
        region="swedencentral",
        cluster="prod",
    ),
    "overlays of Kustomize that change a limit": Shape(
        {
            "base/kustomization.yaml": f"{KUSTOMIZATION}resources: [pool.yaml, class.yaml]\n",
            "base/pool.yaml": node_pool(T4, "  limits: {nvidia.com/gpu: 4}"),
            "base/class.yaml": node_class(),
            "overlays/dev/kustomization.yaml": f"{KUSTOMIZATION}resources: [../../base]\n",
            "overlays/prod/kustomization.yaml": f"{KUSTOMIZATION}resources: [../../base]\npatches:\n- target: {{kind: NodePool}}\n  patch: |\n    - {{op: replace, path: /spec/limits/nvidia.com~1gpu, value: 32}}\n",
        },
        {"dev/gpu": "", "prod/gpu": ""},
        region="swedencentral",
    ),
    "script with az: a pool with a taint, scaled from zero": Shape(
        {
            "aks.json": az_cluster("az"),
            "pools.json": json.dumps([az_pool("az", "gpunp", vmSize="Standard_NC24ads_A100_v4", nodeTaints=["sku=gpu:NoSchedule"], enableAutoScaling=True, minCount=0, maxCount=3, count=0)]),
        },
        {"gpunp": ""},
    ),
    "script with az: a size in small letters, no taint, a fixed count": Shape(
        {
            "aks.json": az_cluster("az"),
            "pools.json": json.dumps([az_pool("az", "t4", vmSize="standard_nc64as_t4_v3", count=2)]),
        },
        {"t4": ""},
    ),
    "script with az: spot, the driver of the GPU Operator, labels": Shape(
        {
            "aks.json": az_cluster("az"),
            "pools.json": json.dumps([
                az_pool("az", "spot", vmSize="Standard_NV36ads_A10_v5", gpuProfile={"driver": "None"}, scaleSetPriority="Spot", scaleSetEvictionPolicy="Delete", spotMaxPrice=-1.0, nodeLabels={"kubernetes.azure.com/scalesetpriority": "spot", "gpu": "a10"}, nodeTaints=["kubernetes.azure.com/scalesetpriority=spot:NoSchedule"], enableAutoScaling=True, minCount=1, maxCount=5)
            ]),
        },
        {"spot": ""},
    ),
    "script with az: MIG by AKS": Shape(
        {
            "aks.json": az_cluster("az"),
            "pools.json": json.dumps([az_pool("az", "mig", vmSize="Standard_ND96asr_v4", gpuInstanceProfile="MIG2g", nodeTaints=["sku=gpu:NoSchedule"])]),
        },
        {"mig": ""},
    ),
    "module of Terraform, azurerm 3: a pool that a variable turns on": Shape(
        {"state.json": terraform(("azurerm_kubernetes_cluster", TF_CLUSTER), ("azurerm_kubernetes_cluster_node_pool", {**TF_POOL, "enable_auto_scaling": False, "min_count": None, "max_count": None}))},
        {"gpu": ""},
    ),
    "module of Terraform, azurerm 4: autoscaled, with the driver of AKS": Shape(
        {"state.json": terraform(("azurerm_kubernetes_cluster", TF_CLUSTER), ("azurerm_kubernetes_cluster_node_pool", {**TF_POOL, "auto_scaling_enabled": True, "min_count": 1, "max_count": 4, "gpu_driver": "Install", "temporary_name_for_rotation": "gputmp", "upgrade_settings": [{"drain_timeout_in_minutes": 0, "max_surge": "10%", "node_soak_duration_in_minutes": 0}]}))},
        {"gpu": ""},
    ),
    "Terraform with azapi, for what azurerm does not have": Shape(
        {"state.json": terraform(("azurerm_kubernetes_cluster", TF_CLUSTER), ("azapi_resource", {"type": f"{AGENT_POOLS}@2025-05-01", "name": "h100", "parent_id": cluster_id("tf"), "body": {"properties": {"count": 1, "mode": "User", "vmSize": "Standard_NC40ads_H100_v5", "osSKU": "AzureLinux", "osType": "Linux", "gpuProfile": {"driver": "None"}, "nodeTaints": ["sku=gpu:NoSchedule"]}}}))},
        {"h100": ""},
    ),
    "Bicep: a cluster with its pools inside, and a pool of its own": Shape(
        {"main.json": json.dumps({
            "$schema": "https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#", "contentVersion": "1.0.0.0",
            "parameters": {"name": {"type": "string", "defaultValue": "bicep"}, "gpuNodes": {"type": "int", "defaultValue": 1}},
            "resources": [
                {"type": "Microsoft.ContainerService/managedClusters", "apiVersion": "2025-05-01", "name": "[parameters('name')]", "location": "eastus2", "properties": {"kubernetesVersion": "1.34", "networkProfile": {"networkPlugin": "azure", "networkPluginMode": "overlay"}, "agentPoolProfiles": [{"name": "systempool", "count": 2, "vmSize": "Standard_E2bs_v5", "mode": "System", "osType": "Linux"}, {"name": "gpupool", "count": "[parameters('gpuNodes')]", "vmSize": "Standard_NC24ads_A100_v4", "osType": "Linux", "mode": "User", "maxPods": 110, "enableAutoScaling": False, "osDiskType": "Ephemeral"}]}},
                {"type": AGENT_POOLS, "apiVersion": "2025-05-01", "name": "[format('{0}/{1}', parameters('name'), 'h100')]", "properties": {"count": "[parameters('gpuNodes')]", "vmSize": "Standard_NC40ads_H100_v5", "mode": "User", "osType": "Linux", "gpuProfile": {"driver": "None"}, "nodeTaints": ["sku=gpu:NoSchedule"]}},
            ],
        })},
        {"gpupool": "", "h100": ""},
    ),
}  # fmt: skip
