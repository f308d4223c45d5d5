"""A MIG layout for GPUs without MIG."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import LABEL, chosen
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in gpu_pools(objects):
        layout = chosen(pool)
        # Karpenter may choose a size with MIG, and null is unknown.
        if layout and pool.skus and all(sku.mig is False for sku in pool.skus):
            gpus = ", ".join(sorted({sku.gpu.model for sku in pool.skus if sku.gpu}))
            message = f"the MIG layout {layout} has no effect: MIG is not available on the {gpus} of this NodePool"
            yield Finding(
                pool.pool.item, (*LABELS, LABEL), message, f"remove the label {LABEL}, or choose a size with MIG"
            )


RULE = Rule(
    code="SHR009",
    name="mig-not-supported-by-size",
    twin="PRT001",
    severity=Severity.WARNING,
    summary="A NodePool selects a MIG layout on sizes whose GPUs do not support MIG.",
    help="A100 and later data centre GPUs support MIG. On any other GPU the MIG manager does not run, and no MIG "
    "resource appears.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-gpus.html",
    ),
    check=_check,
    bad="""
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    metadata:
      labels: {nvidia.com/mig.config: all-1g.10gb, nvidia.com/gpu.deploy.device-plugin: paused-for-mig-change}
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC4as_T4_v3]}]
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
