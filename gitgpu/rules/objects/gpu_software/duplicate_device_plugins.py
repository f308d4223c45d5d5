"""Two device plugins on the same nodes."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.daemons import OTHER_PLUGIN
from gitgpu.objects.software.duplicates import beside_aks, duplicates, pool_names
from gitgpu.rules.object_rule import Finding, Rule

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin}}
  template:
    metadata: {labels: {app: nvidia-device-plugin}}
    spec:
      priorityClassName: system-node-critical
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: kaito-workspace, namespace: kaito-workspace}
spec:
  interval: 1h
  chart: {spec: {chart: workspace, version: 0.12.0, sourceRef: {kind: HelmRepository, name: kaito}}}
  values:
    gpu-feature-discovery: {nfd: {enabled: false}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    of_amd = duplicates(objects, "amd-device-plugin", maker="amd")
    for first, second, pools in (*duplicates(objects, "device-plugin"), *of_amd):
        message = f"{first.title} also runs a device plugin on {pool_names(pools)}"
        if not pools:
            message = f"{first.title} also installs a device plugin, possibly on the same nodes"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")
    for first, second, pools in duplicates(objects, "device-plugin", OTHER_PLUGIN):
        where = f" on {pool_names(pools)}" if pools else ", possibly on the same nodes"
        message = f"{first.title} also gives out the GPUs, under another resource name{where}"
        yield Finding(*second.place, message, "turn one of them off, or select different nodes by a label")
    for daemon, pool in beside_aks(objects, "device-plugin", OTHER_PLUGIN):
        message = f"AKS already runs a device plugin on NodePool {pool.name}, because of a tag in its node class"
        remedy = f"keep {daemon.title} off these nodes, or remove the tag from the node class"
        yield Finding(*daemon.place, message, remedy)


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
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  selector: {matchLabels: {app: nvidia-device-plugin}}
  template:
    metadata: {labels: {app: nvidia-device-plugin}}
    spec:
      priorityClassName: system-node-critical
      tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
      containers:
      - name: plugin
        image: nvcr.io/nvidia/k8s-device-plugin:v0.20.0
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
"""
WITHOUT_POOLS = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvidia-device-plugin, namespace: gpu-resources}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
---
""" + BESIDE_AKS.rpartition("---\n")[2]

HAMI = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: hami, namespace: hami-system}
spec:
  interval: 1h
  chart: {spec: {chart: hami, version: 2.10.0, sourceRef: {kind: HelmRepository, name: hami}}}
  values: {}
---"""
VOLCANO = """
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: volcano-device-plugin, namespace: volcano-system}
spec:
  selector: {matchLabels: {name: volcano-device-plugin}}
  template:
    metadata: {labels: {name: volcano-device-plugin}}
    spec:
      priorityClassName: system-node-critical
      tolerations: [{operator: Exists}]
      containers:
      - name: main
        image: docker.io/projecthami/volcano-vgpu-device-plugin:v1.9.0
        volumeMounts: [{name: sockets, mountPath: /var/lib/kubelet/device-plugins}]
      volumes: [{name: sockets, hostPath: {path: /var/lib/kubelet/device-plugins}}]
---"""
OPERATOR = """
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec:
  interval: 1h
  chart: {spec: {chart: gpu-operator, version: v26.7.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values: {devicePlugin: {}}
"""

RULE = Rule(
    code="STK001",
    name="duplicate-device-plugins",
    twin="DRV100",
    severity=Severity.WARNING,
    summary="Two device plugins run, or may run, on the same GPU nodes.",
    help="Both register nvidia.com/gpu, or amd.com/gpu, with the kubelet. The kubelet uses the count and health of "
    "the GPUs from the one that registered last. A plugin that uses another resource name, such as that of Volcano, "
    "gives out the same GPUs a second time. Each node needs exactly one: AKS, your own DaemonSet or chart, the GPU "
    "Operator of NVIDIA or AMD, the KAITO chart, or HAMi.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/aks-managed-gpu-nodes.md",
        "https://github.com/Project-HAMi/HAMi/issues/646",
        "https://github.com/kaito-project/kaito/blob/056b8280b1a8debf644bc6f4399e913a1f9c7e70/charts/kaito/workspace/README.md",
    ),
    check=_check,
    bad=BAD,
    variants=(BESIDE_AKS, WITHOUT_POOLS, HAMI + OPERATOR, VOLCANO + OPERATOR, VOLCANO + BAD),
    near_misses=(
        HAMI + OPERATOR.replace("devicePlugin: {}", "devicePlugin: {enabled: false}"),
        HAMI + OPERATOR.replace("  values", "  kubeConfig: {secretRef: {name: other}}\n  values"),
        HAMI.replace("values: {}", "values: {devicePlugin: {enabled: false}}") + OPERATOR,
        # The label that HAMi selects is not on the nodes.
        HAMI + BAD.rpartition("---\n")[0],
        # Without the directory of the kubelet, another program of the project.
        VOLCANO.replace("/device-plugins", "/other") + OPERATOR,
    ),
    good=BAD.replace("gpu-feature-discovery: {nfd: {enabled: false}", "nvidiaDevicePlugin: {enabled: false"),
)
