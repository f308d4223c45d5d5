"""AMD's device plugin is there, and the taints of a pool keep it, or what it waits for, away."""

from collections.abc import Iterator

from gitgpu.conform.node.gpu_pools import GpuPool, gpu_pools
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.software.coverage import discovered
from gitgpu.conform.software.daemons import Daemon, daemons
from gitgpu.diagnostic import Severity
from gitgpu.schedule.taint import untolerated

_LABELS = "feature.node.kubernetes.io/"


def _check(objects: Objects) -> Iterator[Finding]:
    plugins, workers = list(daemons(objects, "amd-device-plugin")), list(daemons(objects, "feature-discovery"))
    for pool in gpu_pools(objects) if plugins else ():
        if pool.maker == "amd" and all(_waits(one) for one in plugins):
            if all(_barred(one, pool) for one in plugins):
                yield _finding(plugins[0], pool)
            elif workers and discovered(pool, objects) is False:
                message = (
                    f"no Node Feature Discovery gets onto the nodes of NodePool {pool.name}, and without its labels"
                )
                message += f" {plugins[0].title} does not choose them"
                remedy = "let the workers of Node Feature Discovery tolerate and select the nodes"
                yield Finding(plugins[0].item, ("spec", "selector"), message, remedy, at_key=True)


def _waits(one: Daemon) -> bool:
    """Is it of AMD's operator, for whatever nodes have a label of Node Feature Discovery?"""
    selector = (one.pod.spec.get("nodeSelector") if one.pod else None) or {}
    return one.item.identity.kind == "DeviceConfig" and any(key.startswith(_LABELS) for key in selector)


def _barred(one: Daemon, pool: GpuPool) -> bool:
    return bool(one.pod and untolerated(pool.pool.taints, one.pod.tolerations))


def _finding(one: Daemon, pool: GpuPool) -> Finding:
    taint = (untolerated(pool.pool.taints, one.pod.tolerations) if one.pod else [{}])[0]
    message = f"its device plugin does not tolerate the taint {taint.get('key')} of NodePool {pool.name}"
    remedy = (
        f"add {{key: {taint.get('key')}, operator: Exists, effect: {taint.get('effect')}}} to devicePluginTolerations"
    )
    return Finding(one.item, ("spec", "devicePlugin"), message, remedy, at_key=True)


BAD = """
apiVersion: amd.com/v1alpha1
kind: DeviceConfig
metadata: {name: amd-gpu-operator, namespace: kube-amd-gpu}
spec:
  driver: {enable: false}
  devicePlugin: {enableDevicePlugin: true}
  selector: {feature.node.kubernetes.io/amd-vgpu: "true"}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: mi300x}
spec: {imageFamily: Ubuntu2204, gpu: {mode: None}}
---
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: mi300x}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {amd.com/gpu: "8"}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: mi300x}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_ND96isr_MI300X_v5]}]
      taints: [{key: sku, value: gpu, effect: NoSchedule}]
"""
TOLERANT = "{enableDevicePlugin: true, devicePluginTolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}"
RULE = Rule(
    code="STK091",
    name="amd-plugin-that-taints-keep-away",
    severity=Severity.ERROR,
    summary="Taints of a NodePool with AMD GPUs keep AMD's device plugin or Node Feature Discovery away.",
    help="Without the plugin the kubelet never advertises amd.com/gpu: pods that ask for it stay Pending, and "
    "Karpenter waits for a node that is never initialized. The plugin tolerates what the DeviceConfig says, and goes "
    "by labels of Node Feature Discovery, whose workers tolerate what the values of the chart say.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/helm-charts-k8s/values.yaml",
        "https://github.com/ROCm/gpu-operator/blob/6df13c1788c99dca734337287ebd317b15df9c71/docs/usage.rst",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("{enableDevicePlugin: true}", TOLERANT),
)
