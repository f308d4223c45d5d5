"""A node label that selects an unknown configuration."""

from collections.abc import Iterator
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import DEVICE_PLUGIN_CONFIG_LABEL
from gitgpu.objects.node.gpu_pools import gpu_pools
from gitgpu.objects.node.node_pools import LABELS
from gitgpu.objects.objects import Objects
from gitgpu.objects.software.plugin_configs import choices
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import one_of

BAD = """
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: a100}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m}
  limits: {nvidia.com/gpu: "8"}
  template:
    metadata: {labels: {nvidia.com/device-plugin.config: time-sliced}}
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
    gfd: {enabled: true}
    tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]
    nfd: {worker: {tolerations: [{key: sku, operator: Exists, effect: NoSchedule}]}}
    config:
      default: whole
      map:
        whole: "version: v1"
        shared: "version: v1\nsharing: {timeSlicing: {resources: [{name: nvidia.com/gpu, replicas: 4}]}}"
"""


def _check(objects: Objects) -> Iterator[Finding]:
    every_choice = list(choices(objects))
    if not every_choice:
        return
    names = sorted(set(chain.from_iterable(choice.names for choice in every_choice)))
    for pool in gpu_pools(objects):
        config_name = pool.pool.labels.get(DEVICE_PLUGIN_CONFIG_LABEL)
        if config_name and config_name not in names and not pool.managed:  # SHR008 reports managed pools
            message = f"unknown configuration '{config_name}' of the device plugin"
            yield Finding(pool.pool.item, (*LABELS, DEVICE_PLUGIN_CONFIG_LABEL), message, f"use {one_of(names)}")
    for choice in every_choice:
        if choice.default and choice.default not in choice.names:
            message = f"unknown default configuration '{choice.default}' of the device plugin"
            remedy = f"use {one_of(sorted(choice.names))}"
            place = (*choice.pointer, "default") if choice.release else choice.pointer
            yield Finding(choice.item, place, message, remedy)


RULE = Rule(
    code="SHR006",
    name="unknown-plugin-config",
    severity=Severity.ERROR,
    summary="A NodePool, or the default, selects a configuration of the device plugin that does not exist.",
    help="A sidecar of the device plugin looks up the name in the ConfigMap, and exits with an error if it does not "
    "exist. The pods of the plugin never become ready on these nodes, and nvidia.com/gpu is not advertised.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/cmd/config-manager/main.go",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/README.md",
    ),
    check=_check,
    bad=BAD,
    variants=(BAD.replace("default: whole", "default: none").replace("time-sliced", "shared"),),
    good=BAD.replace("time-sliced", "shared"),
)
