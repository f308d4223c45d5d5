"""Labels that count MIG instances on nodes that select no MIG layout."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MIG_CONFIG_LABEL
from gitgpu.objects.node.agent_pools import agent_pools
from gitgpu.objects.node.node_pools import LABELS, node_pools
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

# Labels that GPU feature discovery sets for each profile, such as nvidia.com/mig-1g.10gb.count.
_COUNTED = re.compile(r"nvidia\.com/mig-[0-9a-z.+]+\.(count|replicas|memory|product)", re.ASCII)


def _check(objects: Objects) -> Iterator[Finding]:
    for item, place, labels, by_aks in _labelled(objects):
        label = next((name for name in labels if _COUNTED.fullmatch(str(name))), None)
        if label and MIG_CONFIG_LABEL not in labels and not by_aks:
            message = f"the label {label} does not create MIG instances: GPU Feature Discovery sets it to report them"
            remedy = f"set {MIG_CONFIG_LABEL} to the name of a MIG layout, for the NVIDIA MIG manager"
            yield Finding(item, (*place, label), message, remedy, at_key=True)


def _labelled(objects: Objects) -> Iterator[tuple[Item, Pointer, Mapping[str, Any], bool]]:
    for pool in node_pools(objects):
        yield pool.item, LABELS, pool.labels, False
    for agent in agent_pools(objects):
        by_aks = bool(agent.gpu_instance_profile)  # then AKS creates the instances itself
        yield agent.item, agent.place("nodeLabels"), mapping_at(agent.spec, "nodeLabels"), by_aks


RULE = Rule(
    code="NPL036",
    name="mig-instance-labels-without-layout",
    severity=Severity.WARNING,
    summary="A pool labels its nodes with numbers of MIG instances but selects no MIG layout.",
    help="The labels nvidia.com/mig-<profile>.count report the instances that exist. Only nvidia.com/mig.config, "
    "which the GPU Operator's MIG manager reads, requests instances. GPU Feature Discovery overwrites the other "
    "labels.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/issues/981",
        "https://github.com/NVIDIA/cloud-native-docs/blob/52dcb7b8d956784344e241df476de17094a4574c/gpu-operator/gpu-operator-mig.rst",
    ),
    check=_check,
)
