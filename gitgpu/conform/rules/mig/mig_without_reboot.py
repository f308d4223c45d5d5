"""A change of MIG mode that waits for a reboot nobody makes."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import operators, value_place
from gitgpu.conform.gitops.releases import Release
from gitgpu.conform.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.conform.objects import Objects, listed, mapping
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.mig_layouts import chosen
from gitgpu.diagnostic import Severity

_NAME = "WITH_REBOOT"


def _check(objects: Objects) -> Iterator[Finding]:
    pools = [pool.name for pool in gpu_pools(objects) if chosen(pool) and _reboots(pool)]
    for release in operators(objects) if pools else ():
        if release.whole and not _asked(release):
            message = (
                f"GPUs of NodePool {', '.join(pools)} change their MIG mode only with a reboot, which is not asked for"
            )
            remedy = f'add {{name: {_NAME}, value: "true"}} to migManager.env'
            yield Finding(release.item, value_place(release, "migManager", "env"), message, remedy)


def _reboots(pool: GpuPool) -> bool:
    return any(sku.gpu and sku.gpu.reboot for sku in pool.skus)


def _asked(release: Release) -> bool:
    env = (mapping(one) for one in listed(release.value("migManager", "env")))
    return any(one.get("name") == _NAME and str(one.get("value")).lower() == "true" for one in env)


RULE = Rule(
    code="SHR014",
    name="mig-without-reboot",
    severity=Severity.WARNING,
    summary=(
        "A NodePool asks for a MIG layout on GPUs that need a reboot for it, and the MIG manager is not told "
        "to make one."
    ),
    help=(
        "In a virtual machine the GPU cannot be reset by itself. Without WITH_REBOOT the manager turns MIG "
        "mode on, finds it still pending, and the layout is never applied."
    ),
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
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
    metadata:
      labels: {nvidia.com/mig.config: all-1g.10gb, nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change}
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
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    metadata:
      labels: {nvidia.com/mig.config: all-1g.10gb, nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change}
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
    migManager: {env: [{name: WITH_REBOOT, value: "true"}]}
""",
)
