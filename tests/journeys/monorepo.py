"""Repositories with six clusters, in the layouts that people use: exports by folder, Flux, and Argo CD."""

import json
from pathlib import Path
from typing import NamedTuple

REGIONS = {"swc": "swedencentral", "weu": "westeurope", "eus": "eastus"}
AZURE = "/subscriptions/00000000-0000-0000-0000-000000000001/resourcegroups/ai/providers/Microsoft.ContainerService"
POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {{name: {name}{uid}}}
spec:
  template:
    metadata: {{labels: {{team: vision}}}}
    spec:
      nodeClassRef: {{group: karpenter.azure.com, kind: AKSNodeClass, name: {name}}}
      expireAfter: {expiry}
      requirements:
      - {{key: karpenter.azure.com/sku-name, operator: In, values: [{size}]}}
      - {{key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}}
      taints:
      - {{key: nvidia.com/gpu, value: present, effect: NoSchedule}}
  limits: {{nvidia.com/gpu: "{gpus}"}}
  disruption: {{consolidationPolicy: WhenEmpty, consolidateAfter: {after}}}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {{name: {name}{uid}}}
spec: {{imageFamily: {image}, osDiskSizeGB: {disk}}}
"""
PLUGIN = """apiVersion: apps/v1
kind: DaemonSet
metadata: {{name: nvidia-device-plugin, namespace: kube-system{uid}}}
spec:
  selector: {{matchLabels: {{name: nvidia-device-plugin}}}}
  template:
    metadata: {{labels: {{name: nvidia-device-plugin}}}}
    spec:
      tolerations: [{{key: nvidia.com/gpu, operator: Exists, effect: NoSchedule}}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.17.1
        volumeMounts: [{{name: device-plugin, mountPath: /var/lib/kubelet/device-plugins}}]
      volumes: [{{name: device-plugin, hostPath: {{path: /var/lib/kubelet/device-plugins}}}}]
"""
DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata: {{name: {name}, namespace: {namespace}{uid}}}
spec:
  selector: {{matchLabels: {{app: {name}}}}}
  template:
    metadata: {{labels: {{app: {name}}}}}
    spec:
      nodeSelector: {{karpenter.sh/nodepool: a100}}
      tolerations: [{{key: nvidia.com/gpu, operator: Exists}}]
      containers:
      - name: main
        image: contoso.azurecr.io/{name}:1
        resources: {{limits: {{nvidia.com/gpu: 1}}}}
"""
RESERVED = """apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {{name: reserved, namespace: azure}}
spec:
  azureName: reserved
  owner: {{armId: {cluster}}}
  mode: User
  osType: Linux
  osSKU: Ubuntu
  type: VirtualMachineScaleSets
  vmSize: Standard_ND96isr_H100_v5
  count: 2
  osDiskSizeGB: 1024
  osDiskType: Managed
  nodeTaints: ["nvidia.com/gpu=present:NoSchedule"]
"""
SOURCE = """apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, ref: {branch: main}, url: "https://github.com/contoso/platform"}
"""
KUSTOMIZATION = """apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {{name: {name}, namespace: flux-system}}
spec:
  interval: 10m
  path: ./{path}
  prune: true
  sourceRef: {{kind: GitRepository, name: flux-system}}
"""
APPLICATION = """apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {{name: {name}-{cluster}, namespace: argocd}}
spec:
  project: default
  destination: {{name: {cluster}, namespace: default}}
  source: {{repoURL: https://github.com/contoso/platform, path: {path}, targetRevision: main}}
"""


class Site(NamedTuple):
    """A cluster: its name, the values of its pools, and the Deployments on it, as namespace and name."""

    name: str
    pools: tuple[dict[str, object], ...]
    deployments: tuple[tuple[str, str], ...] = ()
    plugin: bool = True
    reserved: bool = False  # beside its NodePools, it has an AKS node pool

    @property
    def id(self) -> str:
        """Its ID in Azure."""
        return f"{AZURE}/managedClusters/{self.name}"

    def nodes(self, uid: str = "") -> str:
        """The manifests of its nodes. With `uid`, they are those that a server prints."""
        own = f", uid: {self.name}-{uid}" if uid else ""
        parts = [POOL.format(**pool, uid=own) for pool in self.pools]
        parts += [RESERVED.format(cluster=self.id)] if self.reserved and not uid else []
        return "---\n".join([*parts, *([PLUGIN.format(uid=own)] if self.plugin else [])])

    def apps(self, uid: str = "") -> str:
        """The manifests of its workloads."""
        own = f", uid: {self.name}-{uid}" if uid else ""
        return "---\n".join(DEPLOYMENT.format(namespace=place, name=name, uid=own) for place, name in self.deployments)


def pool(name: str, size: str, gpus: int, **more: object) -> dict[str, object]:
    """The values of a pool."""
    usual = {"expiry": "720h", "after": "10m", "image": "Ubuntu2204", "disk": 256}
    return {"name": name, "size": size, "gpus": gpus, **usual, **more}


AGENT_POOL = {  # as `az` prints RESERVED
    "name": "reserved",
    "mode": "User",
    "osType": "Linux",
    "osSku": "Ubuntu",
    "type": "VirtualMachineScaleSets",
    "vmSize": "Standard_ND96isr_H100_v5",
    "count": 2,
    "osDiskSizeGb": 1024,
    "osDiskType": "Managed",
    "nodeTaints": ["nvidia.com/gpu=present:NoSchedule"],
}
A100, T4 = "Standard_NC24ads_A100_v4", "Standard_NC16as_T4_v3"
SITES = (
    Site("dev-swc", (pool("a100", A100, 2), pool("t4", T4, 1, disk=128))),
    Site("lab-weu", (pool("a100", A100, 4, image="AzureLinux", expiry="Never"),), (("vision", "ocr"),), plugin=False),
    Site("prod-eus", (pool("a100", A100, 16), pool("t4", T4, 8)), (("search", "ranker"), ("vision", "ocr"))),
    Site("prod-swc", (pool("a100", A100, 16), pool("t4", T4, 8)), (("search", "ranker"),)),
    Site("prod-weu", (pool("a100", A100, 16, after="1h"), pool("t4", T4, 8, after="1h")), (("search", "ranker"),)),
    Site("stage-swc", (pool("a100", A100, 1), pool("h100", "Standard_NC40ads_H100_v5", 1, disk=512)), reserved=True),
)


def exports(root: Path) -> None:
    """`clusters/NAME/` with the output of `az aks show` and `kubectl get`."""
    for site in SITES:
        folder = root / "clusters" / site.name
        body = {
            "id": site.id,
            "name": site.name,
            "type": "Microsoft.ContainerService/ManagedClusters",
            "location": REGIONS[site.name[-3:]],
            "kubernetesVersion": "1.35",
            "nodeProvisioningProfile": {"mode": "Auto"},
            "agentPoolProfiles": [AGENT_POOL] if site.reserved else [],
        }
        _write(folder / "cluster.json", json.dumps(body))
        _write(folder / "nodes.yaml", site.nodes("1"))
        if site.deployments:
            _write(folder / "apps.yaml", site.apps("1"))


def flux(root: Path) -> None:
    """A monorepo in the layout of Flux's documentation: `clusters/`, `infrastructure/` and `apps/`."""
    for site in SITES:
        folder = root / "clusters" / site.name
        own = KUSTOMIZATION.format(name="flux-system", path=f"clusters/{site.name}")
        _write(folder / "flux-system" / "gotk-sync.yaml", f"{SOURCE}---\n{own}")
        _write(folder / "flux-system" / "kustomization.yaml", "resources: [gotk-sync.yaml]\n")
        for name, text in (("infrastructure", site.nodes()), ("apps", site.apps())):
            if text:
                _write(folder / f"{name}.yaml", KUSTOMIZATION.format(name=name, path=f"{name}/{site.name}"))
                _write(root / name / site.name / "all.yaml", text)


def argo(root: Path) -> None:
    """A monorepo of Argo CD: an Application for each cluster and folder."""
    for site in SITES:
        for name, text in (("nodes", site.nodes()), ("apps", site.apps())):
            if text:
                path = f"{name}/{site.name}"
                text_of_app = APPLICATION.format(name=name, cluster=site.name, path=path)
                _write(root / "bootstrap" / site.name / f"{name}.yaml", text_of_app)
                _write(root / path / "all.yaml", text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
