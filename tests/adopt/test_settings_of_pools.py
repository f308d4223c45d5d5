"""Which pools an import gives `rdma` and `devicePlugin`: those on whose nodes the software runs."""

from typing import Any

import pytest

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.inventory.observed import Inventory
from gitgpu.runs.import_ import import_fleet
from tests.adopt.clusters import built
from tests.emit.fleets import CLUSTER_ID, T4, cluster, fleet, inputs_of, pool
from tests.emit.test_further_pools import KINDS
from tests.helping.cases import for_each


def settings(
    key: str, *kinds: str, selection: str, unread: tuple[str, ...] = ()
) -> tuple[dict[str, Any], dict[str, Any]]:
    """A key of the pools in a fleet, and after an import of what it builds, without objects of these kinds."""
    stack = {"nodeSelection": selection, "metrics": {"exporter": False}}
    specs = [dict(KINDS[kind]) for kind in kinds]
    pools = [pool(f"pool{at}", spec.pop("sku", T4), **spec) for at, spec in enumerate(specs)]
    inputs = inputs_of(fleet(), cluster(resourceId=CLUSTER_ID, stack=stack), *pools)
    [own] = inputs.clusters
    running = built(inputs, own)
    read = tuple(observed for observed in running.objects if observed.body["kind"] not in unread)
    made = import_fleet(Inventory((running._replace(objects=read),)), ClusterOptions(), (), "fleet")
    documents = [entry.document for entry in made.adopted.documents if entry.document.kind == "GpuPool"]
    asked = {body["metadata"]["name"]: body["spec"][key] for body in pools if key in body["spec"]}
    return asked, {document.name: document.spec[key] for document in documents if key in document.spec}


@pytest.mark.parametrize("selection", ["pools", "labels"])
@for_each(
    "kinds",
    [
        ("aks-rdma", "aks-infiniband"),
        ("aks-rdma-tainted", "aks-infiniband", "amd"),
        ("aks-rdma", "amd-tainted", "aks-rdma-managed"),
        ("operator-rdma", "operator-infiniband"),
        ("aks-rdma-tainted", "amd-operator"),
        ("amd-operator-rdma", "amd-operator", "amd-operator-tainted", "aks-infiniband"),
        ("operator-infiniband", "aks"),
    ],
)
def test_pools_that_do_not_use_their_nics_get_no_driver_for_them(kinds: tuple[str, ...], selection: str) -> None:
    asked, found = settings("rdma", *kinds, selection=selection)
    assert found == asked


def test_a_policy_counts_although_no_node_feature_discovery_is_known() -> None:
    """The input has no charts, so that nodes can have the label."""
    asked, found = settings("rdma", "aks-rdma", "aks", selection="labels", unread=("HelmRelease",))
    assert found == asked


@pytest.mark.parametrize("selection", ["pools", "labels"])
@for_each("kinds", [("amd", "amd-left"), ("amd-tainted", "amd-left"), ("amd", "amd-tainted", "amd-left", "aks")])
def test_pools_where_amds_plugin_does_not_run_get_none(kinds: tuple[str, ...], selection: str) -> None:
    asked, found = settings("devicePlugin", *kinds, selection=selection)
    assert found == asked
