"""Custom layouts of the MIG manager without the layout that the GPU Operator uses by default."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import effective_value
from gitgpu.objects.node.gpu_pools import GpuPool
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.mig_layouts import OFF, custom, layouts
from gitgpu.objects.software.operator_drivers import operator_drivers
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
    migManager:
      config:
        name: layouts
        create: true
        data:
          config.yaml: |
            version: v1
            mig-configs:
              halves:
              - {devices: all, mig-enabled: true, mig-devices: {3g.40gb: 2}}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    names = {layout.name for layout in layouts(objects)}
    if not names or OFF in names:
        return
    for release, pools, _ in operator_drivers(objects):
        # The operator labels nodes without a layout with this default.
        uses_default = effective_value(release, objects, "migManager", "config", "default") in (None, OFF)
        unlabelled = [pool.name for pool in pools if _has_mig(pool) and MIG_CONFIG_LABEL not in pool.pool.labels]
        if unlabelled and uses_default and custom(release):
            message = (
                f"nodes of NodePool {', '.join(unlabelled)} get the MIG layout {OFF}, which the custom layouts do "
                "not define"
            )
            remedy = f"add {OFF}: [{{devices: all, mig-enabled: false}}]"
            yield Finding(*release.located("migManager", "config"), message, remedy)


def _has_mig(pool: GpuPool) -> bool:
    return any(sku.mig for sku in pool.skus)


RULE = Rule(
    code="SHR060",
    name="mig-layouts-without-all-disabled",
    severity=Severity.WARNING,
    summary="The custom layouts of the MIG manager do not include all-disabled, but some nodes select no layout.",
    help="The GPU Operator labels a node that supports MIG but selects no layout with all-disabled. A custom "
    "ConfigMap replaces all layouts of the MIG manager, including this one, so the state of the node becomes failed.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/nodelabeling_controller.go",
        "https://github.com/NVIDIA/mig-parted/blob/bd7160f43f16462eeb21e1eda5e67b5b6b03fd7d/pkg/mig/reconfigure/reconfigure.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace(
        "            mig-configs:\n",
        "            mig-configs:\n              all-disabled:\n              - {devices: all, mig-enabled: false}\n",
    ),
)
