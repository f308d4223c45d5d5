"""A pod that requests RDMA devices that the NicClusterPolicy does not define."""

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from gitgpu.conform.objects import Item, Objects, reach
from gitgpu.conform.rule import Finding, Rule
from gitgpu.conform.workload.pods import pods
from gitgpu.diagnostic import Severity
from gitgpu.source import Pointer

_PREFIX = "rdma/"
# The SR-IOV device plugin and the RDMA shared device plugin, with the keys of their JSON.
_PLUGINS = (("sriovDevicePlugin", "resourceList"), ("rdmaSharedDevicePlugin", "configList"))


def _check(objects: Objects) -> Iterator[Finding]:
    policies = objects.of("mellanox.com", "NicClusterPolicy")
    defined: set[str] = set()
    all_valid = True
    for item, place, config in chain.from_iterable(map(_configs, policies)):
        if config is None:
            all_valid = False
            message = "the configuration of the device plugin is not a valid JSON object"
            yield Finding(item, place, message, "use valid JSON")
        else:
            defined.update(config)
    # A configuration that cannot be read may define the resource.
    if defined and all_valid:
        yield from _undefined(defined, objects)


def _undefined(defined: set[str], objects: Objects) -> Iterator[Finding]:
    for pod in pods(objects):
        for place, container in pod.containers():
            for requested in reach(container, "resources", "limits") or ():
                if requested.startswith(_PREFIX) and requested not in defined:
                    message = (
                        f"the container requests {requested}, but the NicClusterPolicy defines "
                        f"{', '.join(sorted(defined))}"
                    )
                    at = (*place, "resources", "limits", requested)
                    yield Finding(pod.item, at, message, f"use {min(defined)}", at_key=True)


def _configs(item: Item) -> Iterator[tuple[Item, Pointer, list[str] | None]]:
    """The RDMA resources of each device plugin in a policy; None if its configuration cannot be read."""
    for plugin, listing in _PLUGINS:
        text = reach(item.body, "spec", plugin, "config")
        if isinstance(text, str) and text.strip():
            yield item, ("spec", plugin, "config"), _resources(text, listing)


def _resources(text: str, listing: str) -> list[str] | None:
    try:
        read: Any = json.loads(text)
    except ValueError:
        return None
    rows = read.get(listing) if isinstance(read, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return None
    # rdma is the default of the RDMA shared device plugin.
    names = (f"{row.get('resourcePrefix') or 'rdma'}/{row.get('resourceName')}" for row in rows)
    return [name for name in names if name.startswith(_PREFIX)]


HEAD = "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/configs/nicclusterpolicy/"
BAD = """
apiVersion: mellanox.com/v1alpha1
kind: NicClusterPolicy
metadata: {name: nic-cluster-policy}
spec:
  sriovDevicePlugin:
    image: sriov-network-device-plugin
    repository: nvcr.io/nvidia/mellanox
    version: network-operator-v25.10.0
    config: '{"resourceList": [{"resourcePrefix": "rdma", "resourceName": "ib", "selectors": {"vendors": ["15b3"]}}]}'
---
apiVersion: v1
kind: Pod
metadata: {name: trainer, namespace: research}
spec:
  containers:
  - name: main
    image: contoso.azurecr.io/trainer:1
    securityContext: {capabilities: {add: [IPC_LOCK]}}
    resources: {limits: {nvidia.com/gpu: 8, rdma/shared_ib: 1}}
"""
RULE = Rule(
    code="STK090",
    name="rdma-resource-not-in-nic-policy",
    severity=Severity.ERROR,
    summary="A pod requests RDMA devices that the NicClusterPolicy does not define, or its configuration is not valid.",
    help="The device plugins of the Network Operator advertise the resources in their configuration, or nothing if "
    "that is not valid JSON. A pod that requests another name stays Pending.",
    sources=(f"{HEAD}sriov-device-plugin/sriov.yaml", f"{HEAD}rdma-shared-device-plugin/rdma.yaml"),
    check=_check,
    bad=BAD,
    good=BAD.replace("rdma/shared_ib: 1", "rdma/ib: 8"),
    variants=(BAD.replace('{"resourceList"', '"resourceList"'),),
)
