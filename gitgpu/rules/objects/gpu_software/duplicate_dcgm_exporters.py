"""Two DCGM exporters on the same nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.duplicates import beside_aks, duplicates, pool_names
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for first, second, pools in duplicates(objects, "dcgm-exporter"):
        message = f"{first.title} also runs a DCGM exporter on {pool_names(pools)}"
        if not pools:
            message = f"{first.title} also installs a DCGM exporter, possibly on the same nodes"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")
    for daemon, pool in beside_aks(objects, "dcgm-exporter"):
        message = f"AKS already runs a DCGM exporter on NodePool {pool.name}, because of a tag in its node class"
        yield Finding(
            *daemon.place,
            message,
            "select other nodes for this exporter, or remove it and scrape port 19400",
        )


BESIDE_AKS = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: managed}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: managed}
spec: {tags: {EnableManagedGPUExperience: "true"}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless
        resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 1Gi}}
"""

RULE = Rule(
    code="STK002",
    name="duplicate-dcgm-exporters",
    severity=Severity.WARNING,
    summary="Two DCGM exporters run, or may run, on the same GPU nodes.",
    help="Every metric of a GPU then exists twice, so sums over GPUs are doubled, and both exporters compete for the "
    "profiling counters of the GPU.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/deployments/gpu-operator/values.yaml",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {gpu: {mode: None}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    toolkit: {env: [{name: RUNTIME_CONFIG_SOURCE, value: file}]}
    daemonsets: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}
    node-feature-discovery: {worker: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless
        resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 1Gi}}
""",
    variants=(BESIDE_AKS,),
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: gpu}
spec: {gpu: {mode: None}}
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    toolkit: {env: [{name: RUNTIME_CONFIG_SOURCE, value: file}]}
    daemonsets: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}
    node-feature-discovery: {worker: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}}
    dcgmExporter: {enabled: false}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: dcgm-exporter, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: dcgm-exporter}}
  template:
    metadata: {labels: {app: dcgm-exporter}}
    spec:
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: exporter
        image: nvcr.io/nvidia/k8s/dcgm-exporter:4.5.3-4.8.2-distroless
        resources: {requests: {cpu: 100m, memory: 512Mi}, limits: {memory: 1Gi}}
""",
)
