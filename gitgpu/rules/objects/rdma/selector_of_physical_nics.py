"""A selector of RDMA devices that no node on Azure has."""

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from gitgpu.access import list_at
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NIC_CLUSTER_POLICY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.rdma._plugin_rows import plugin_rows
from gitgpu.spelling import join_names

_KEYS = ("deviceIDs", "devices")  # of the RDMA shared device plugin and of the SR-IOV device plugin


def _check(objects: Objects) -> Iterator[Finding]:
    facts = objects.catalog.must("devices", "rdma")
    policies = objects.of(*NIC_CLUSTER_POLICY)
    for item, place, rows in chain.from_iterable(map(plugin_rows, policies)):
        for row in rows or ():
            selected = _selected(row)
            # An identifier of none of the two kinds may be newer than the catalog.
            if selected and set(selected) <= set(facts["physical"]):
                message = (
                    f"resource {row.get('resourceName')} selects {join_names(selected)}, which are not virtual "
                    f"functions: a node on Azure has only these, so nothing advertises the resource"
                )
                remedy = f"select {join_names(facts['nics'])}, or no device IDs"
                yield Finding(item, place, message, remedy)


def _selected(row: Mapping[str, Any]) -> list[str]:
    """The device IDs that all alternatives of a row require; none if one of them requires none."""
    selectors = row.get("selectors")
    found: list[str] = []
    for selector in list_at(selectors) or [selectors]:
        ids = [str(entry).lower() for key in _KEYS for entry in list_at(selector, key)]
        if not ids:
            return []
        found += ids
    return found


RULE = Rule(
    code="STK099",
    name="selector-of-physical-nics",
    severity=Severity.WARNING,
    summary="A device plugin of a NicClusterPolicy selects device IDs of physical NICs only.",
    help="A VM on Azure has virtual functions of its InfiniBand adapters: 101c and 101e for ConnectX-6 and later. "
    "Guides for physical servers list the IDs of the adapters themselves, such as 1017, 101b and 1021. With these IDs, "
    "the plugin runs but finds no device.",
    sources=(
        "https://github.com/Azure/aks-rdma-infiniband/blob/700dabb4fe0451d482ae09a373617ed68658b021/tests/setup-infra/network-operator-nfd.yaml",
        "https://github.com/torvalds/linux/blob/ea23b42739a2c3c1158344928048fff8c70d1f66/drivers/net/ethernet/mellanox/mlx5/core/main.c",
        "https://github.com/Mellanox/k8s-rdma-shared-dev-plugin/issues/108",
    ),
    facts=("devices/rdma",),
    check=_check,
)
