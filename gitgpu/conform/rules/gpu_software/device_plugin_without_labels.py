"""A device plugin chart that waits for labels nobody sets."""

from collections.abc import Iterator

from gitgpu.conform.gitops.chart_values import PLUGIN, effective_value, value_place
from gitgpu.conform.gitops.releases import Release, releases
from gitgpu.conform.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.daemons import daemons
from gitgpu.diagnostic import Severity

_LABEL = "nvidia.com/gpu.present"


def _check(objects: Objects) -> Iterator[Finding]:
    waiting = [one for one in releases(objects, PLUGIN) if one.whole and _waits(one, objects)]
    if not waiting or any(daemons(objects, "feature-discovery", "driver")):
        return
    pools = [pool for pool in gpu_pools(objects) if pool.maker == "nvidia" and not _labelled(pool)]
    for release in waiting if pools else ():
        names = ", ".join(pool.name for pool in pools)
        doubt = "" if objects.closed else "; whether another chart brings it is uncertain"
        message = f"the plugin waits for labels of Node Feature Discovery on the nodes of NodePool {names}{doubt}"
        remedy = f'write gfd.enabled: true, or the label {_LABEL}: "true" into the NodePool\'s template'
        yield Finding(release.item, value_place(release, "gfd", "enabled"), message, remedy)


def _waits(release: Release, objects: Objects) -> bool:
    on = effective_value(release, objects, "devicePlugin", "enabled") is True
    return on and release.value("affinity") is None and "affinity" not in release.values


def _labelled(pool: GpuPool) -> bool:
    own = pool.labels.get(_LABEL)
    return own is not None and own.takes("true")


RULE = Rule(
    code="STK012",
    name="device-plugin-without-labels",
    severity=Severity.WARNING,
    summary=("The device plugin's chart runs only on nodes with labels of Node Feature Discovery, which is not there."),
    help=(
        "The chart's own affinity asks for the PCI label that Node Feature Discovery writes, or for "
        "nvidia.com/gpu.present. With gfd.enabled the chart brings Node Feature Discovery along; without "
        "either, the DaemonSet has no pods."
    ),
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/values.yaml",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/deployments/helm/nvidia-device-plugin/Chart.yaml",
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
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvidia-device-plugin, namespace: nvidia-device-plugin}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
""",
    good="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    metadata: {labels: {nvidia.com/gpu.present: "true"}}
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: default}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: nvidia-device-plugin, namespace: nvidia-device-plugin}
spec:
  interval: 1h
  chart: {spec: {chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {kind: HelmRepository, name: nvidia}}}
  values:
    tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
""",
)
