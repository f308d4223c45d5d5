"""A GPU Operator whose nodes have several operating systems."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.operator_drivers import operating_system, operator_drivers
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for _, pools, by_objects in operator_drivers(objects):
        by_pool = {pool.name: operating_system(pool, objects) for pool in pools}
        systems = sorted({os_name for os_name in by_pool.values() if os_name})
        if len(systems) > 1 and not by_objects:
            odd = next(pool for pool in pools if by_pool[pool.name] == systems[-1])
            place = ("spec", "template", "spec", "nodeClassRef")
            message = (
                f"the GPU Operator installs one driver for {systems[-1]} on this NodePool and {systems[0]} on others"
            )
            remedy = "use one image family for its pools, or one NVIDIADriver object for each operating system"
            yield Finding(odd.pool.item, place, message, remedy)


RULE = Rule(
    code="STK009",
    name="operator-on-several-os",
    twin="DRV009",
    severity=Severity.WARNING,
    summary="The nodes on which one GPU Operator installs its driver have several operating systems.",
    help="With a ClusterPolicy, the driver supports one operating system at a time. With NVIDIADriver objects, each "
    "kind of node can have its own driver.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/nvidia-gpu-operator.md",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-driver-configuration.rst",
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
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: jammy}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: jammy}
spec: {imageFamily: Ubuntu2204, gpu: {mode: None}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: noble}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC40ads_H100_v5]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: noble}
spec: {imageFamily: Ubuntu2404, gpu: {mode: None}}
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
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: jammy}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: jammy}
spec: {imageFamily: Ubuntu2204, gpu: {mode: None}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: h100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: large}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC40ads_H100_v5]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: large}
spec: {imageFamily: Ubuntu2204, osDiskSizeGB: 512, gpu: {mode: None}}
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
""",
)
