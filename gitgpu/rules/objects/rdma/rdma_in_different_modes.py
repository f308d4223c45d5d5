"""Both device plugins of a NicClusterPolicy select the same NICs."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gitgpu.access import list_at, mapping_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.rdma._plugin_rows import plugin_rows

# What the selectors of both plugins say about an InfiniBand NIC on Azure.
_NIC = {"vendors": "15b3", "drivers": "mlx5_core", "linkTypes": "infiniband"}
_DEVICES = ("deviceIDs", "devices")  # of the RDMA shared device plugin and of the SR-IOV device plugin


def _check(objects: Objects) -> Iterator[Finding]:
    nics = objects.catalog.must("devices", "rdma")["nics"]
    for policy in objects.of(*NIC_CLUSTER_POLICY):
        read = list(plugin_rows(policy))
        if len(read) < 2:
            continue
        (_, sriov_name, own), (_, shared_name, shared) = read
        twice = _selected(own or (), nics) & _selected(shared or (), nics)
        if twice:
            message = (
                f"{sriov_name[1]} advertises the same InfiniBand NICs as {shared_name[1]}: "
                f"both select device {', '.join(sorted(twice))}"
            )
            yield Finding(policy, sriov_name, message, f"remove {sriov_name[1]} or {shared_name[1]}")


def _selected(rows: Iterable[Mapping[str, Any]], nics: Iterable[str]) -> set[str]:
    """The device IDs of Azure's InfiniBand NICs that a plugin certainly selects."""
    selected: set[str] = set()
    for row in rows:
        selectors = row.get("selectors")
        for selector in list_at(selectors) or [mapping_at(selectors)]:
            selected.update(nic for nic in nics if _selects(mapping_at(selector), nic))
    return selected


def _selects(selector: Mapping[str, Any], nic: str) -> bool:
    """Whether a selector takes every such NIC: each of its keys is one whose value for the NIC is known."""
    known = {**_NIC, **dict.fromkeys(_DEVICES, nic)}
    for key, wanted in selector.items():
        if key == "isRdma" or wanted in ([], None):  # every such NIC has RDMA
            continue
        if key not in known or not isinstance(wanted, list) or known[key] not in wanted:
            return False
    return bool(selector)


RULE = Rule(
    code="STK104",
    name="rdma-in-different-modes",
    twin="RDM002",
    severity=Severity.ERROR,
    summary="Both device plugins of a NicClusterPolicy advertise the same InfiniBand NICs.",
    help="The SR-IOV device plugin gives each NIC to one pod, and the RDMA shared device plugin gives all of them to "
    "many pods. With both, a NIC that one pod has alone is also in other pods, and the scheduler counts it twice.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/website/docs/configurations/01-network-operator.md",
        "https://github.com/Mellanox/network-operator/blob/b06827e085c59726b699faffcc526342d4d8e395/controllers/nicclusterpolicy_controller.go",
    ),
    facts=("devices/rdma",),
    check=_check,
)
