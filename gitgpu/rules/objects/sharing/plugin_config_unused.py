"""Configurations of the device plugin that no node selects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.load.access import listed
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.gitops.chart_values import PLUGIN, effective_value
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import Choice, choices
from gitgpu.rules.object_rule import Finding, Rule

_REMEDY = f"set the default configuration, or add the label {DEVICE_PLUGIN_CONFIG_LABEL} to the template of a NodePool"


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
    devicePlugin:
      config:
        create: true
        name: sharing
        data: {any: "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"}
"""

OF_PLUGIN = f"""{BAD.rpartition("---")[0]}---
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {{name: nvidia-device-plugin, namespace: nvidia-device-plugin}}
spec:
  interval: 1h
  chart: {{spec: {{chart: nvidia-device-plugin, version: 0.20.0, sourceRef: {{kind: HelmRepository, name: nvidia}}}}}}
  values:
    tolerations: [{{key: sku, operator: Exists, effect: NoSchedule}}]
    config:
      fallbackStrategies: STRATEGIES
      map:
        any: "version: v1"
        MORE: "version: v1\\nsharing: {{timeSlicing: {{resources: [{{name: nvidia.com/gpu, replicas: 4}}]}}}}"
"""
ONE = OF_PLUGIN.replace('        any: "version: v1"\n', "")


def _check(objects: Objects) -> Iterator[Finding]:
    all_choices = list(choices(objects))
    if not all_choices:
        return
    pools = [pool for pool in gpu_pools(objects) if pool.maker == "nvidia"]
    # With one labelled pool, the others may be omitted on purpose.
    if not pools or any(DEVICE_PLUGIN_CONFIG_LABEL in pool.labels for pool in pools):
        return
    for choice in all_choices:
        if not choice.default and not _falls_back(choice, objects):
            doubt = "" if objects.closed else "; nodes outside these files may select one"
            message = f"no configuration of the device plugin is the default, and no NodePool selects one{doubt}"
            yield Finding(choice.item, choice.pointer, message, _REMEDY)


def _falls_back(choice: Choice, objects: Objects) -> bool:
    """Whether the chart selects a default itself. Only the chart of the device plugin does, not the GPU Operator."""
    if choice.release is None or choice.release.chart != PLUGIN:
        return False
    strategies = listed(effective_value(choice.release, objects, "config", "fallbackStrategies"))
    return (len(choice.names) == 1 and "single" in strategies) or ("default" in choice.names and "named" in strategies)


RULE = Rule(
    code="SHR007",
    name="plugin-config-unused",
    severity=Severity.WARNING,
    summary="Configurations of the device plugin have no default, and no NodePool selects one with a label.",
    help="The GPU Operator then runs the device plugin without a configuration, so nothing is shared. With the chart "
    "of the device plugin, its pods fail on every node without the label.",
    sources=(
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-sharing.rst",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/config-manager/main.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("        name: sharing\n", "        name: sharing\n        default: any\n"),
    near_misses=(
        # The chart takes the configuration named default.
        OF_PLUGIN.replace("STRATEGIES", "[named, single]").replace("MORE", "default"),
        # There is only one configuration, which the chart takes.
        ONE.replace("STRATEGIES", "[named, single]").replace("MORE", "shared"),
        BAD.replace("template:\n", f"template:\n    metadata: {{labels: {{{DEVICE_PLUGIN_CONFIG_LABEL}: any}}}}\n", 1),
    ),
)
