"""A pod that requests RDMA devices that the NicClusterPolicy does not define."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.pods import pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.rdma._plugin_rows import plugin_rows

_PREFIX = "rdma/"


def _check(objects: Objects) -> Iterator[Finding]:
    policies = objects.of(*NIC_CLUSTER_POLICY)
    defined: set[str] = set()
    all_valid = True
    for item, place, rows in chain.from_iterable(map(plugin_rows, policies)):
        if rows is None:
            all_valid = False
            message = "the configuration of the device plugin is not a valid JSON object"
            yield Finding(item, place, message, "use valid JSON")
        else:
            names = map(_resource, rows)
            defined.update(name for name in names if name.startswith(_PREFIX))
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


def _resource(row: Mapping[str, Any]) -> str:
    # rdma is the default of the RDMA shared device plugin.
    return f"{row.get('resourcePrefix') or 'rdma'}/{row.get('resourceName')}"


HEAD = "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/configs/nicclusterpolicy/"
RULE = Rule(
    code="STK090",
    name="rdma-resource-not-in-nic-policy",
    severity=Severity.ERROR,
    summary="A pod requests RDMA devices that the NicClusterPolicy does not define, or its configuration is not valid.",
    help="The device plugins of the Network Operator advertise the resources in their configuration, or nothing if "
    "that is not valid JSON. A pod that requests another name stays Pending.",
    sources=(f"{HEAD}sriov-device-plugin/sriov.yaml", f"{HEAD}rdma-shared-device-plugin/rdma.yaml"),
    check=_check,
)
