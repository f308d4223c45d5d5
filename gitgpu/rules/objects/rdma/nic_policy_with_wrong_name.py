"""A NicClusterPolicy with a name that the Network Operator ignores."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_NAME = "nic-cluster-policy"


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NIC_CLUSTER_POLICY):
        if item.identity.name != _NAME:
            message = f"the Network Operator ignores the NicClusterPolicy {item.identity.name}; it reads only {_NAME}"
            place = ("metadata", "name")
            yield Finding(item, place, message, f"rename it to {_NAME}", repair=Repair(Change.VALUE, place, _NAME))


RULE = Rule(
    code="STK030",
    name="nic-policy-with-wrong-name",
    severity=Severity.ERROR,
    summary="A NicClusterPolicy does not have the name that the Network Operator reads.",
    help="The Network Operator reads one object with a fixed name. It sets any other to ignored, so no driver and no "
    "RDMA device plugin is installed.",
    sources=(
        "https://github.com/Mellanox/network-operator/blob/b06827e085c59726b699faffcc526342d4d8e395/controllers/nicclusterpolicy_controller.go",
        "https://github.com/Mellanox/network-operator/blob/b06827e085c59726b699faffcc526342d4d8e395/pkg/consts/consts.go",
    ),
    check=_check,
    fixable=True,
)
