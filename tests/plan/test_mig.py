"""The plan for a MIG layout: for every size with MIG, each profile that fills its GPUs."""

import json

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.aks_node_pool import gpu_instance_profile
from gitgpu.model.inputs import Inputs
from gitgpu.model.link import link
from gitgpu.model.mig import fullest, profiles
from gitgpu.model.sku import Sku
from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from gitgpu.plan.mig import partitioning
from tests.emit.fleets import CATALOG, Body, cluster, fleet, pool
from tests.helping.cases import for_each

SIZES = {name: sku for name in CATALOG.names("skus") if (sku := CATALOG.sku(name)) and sku.mig}


def inputs_of(*documents: Body) -> Inputs:
    """The linked fleet, without rules, because regions and Karpenter do not matter here."""
    shaped, misshapen = shape(
        [Text("fleet.yaml", "\n---\n".join(json.dumps(document) for document in documents), "fleet.yaml")]
    )
    inputs, unlinked = link(shaped, CATALOG)
    assert (misshapen, unlinked) == ([], [])
    assert inputs is not None
    return inputs


def planned(sku: str, **mig: object) -> ClusterPlan:
    """The plan of a cluster with one pool of 64 GPUs, which the operator partitions."""
    cut = pool("p", sku, driver="operator", limits={"gpus": 64}, partition={"mig": mig})
    inputs = inputs_of(fleet(), cluster(), cut)
    return plan(inputs, inputs.clusters[0])


def uniform(sku: Sku) -> dict[str, int]:
    """Each profile of a size, with the number of instances that fill a GPU."""
    return {profile: fullest(sku.gpu, profile) for profile in profiles([sku.gpu])} if sku.gpu else {}


@pytest.mark.parametrize("name", SIZES)
def test_every_size_and_profile(name: str, snapshot: SnapshotAssertion) -> None:
    lines = []
    for profile, count in uniform(SIZES[name]).items():
        decided = planned(name, profiles={profile: count})
        [pool_plan], operator = decided.pools, decided.operator
        assert operator is not None
        assert operator.partitioning is not None
        assert pool_plan.labels["nvidia.com/mig.config"] in operator.partitioning.layouts
        facts = {
            "layout": pool_plan.labels["nvidia.com/mig.config"],
            "limits": dict(pool_plan.limits),
            "AKS": gpu_instance_profile(pool_plan.pool, CATALOG),
            "reboot": operator.partitioning.reboot,
        }
        lines.append(f"{profile}: {json.dumps(facts)}")
    assert "\n".join(lines) == snapshot


@pytest.mark.parametrize(("needed", "expected"), [(True, True), (None, True), (False, False)])
def test_nodes_reboot_unless_the_gpu_is_known_not_to_need_it(needed: bool | None, expected: bool) -> None:
    [pool_plan] = planned("Standard_NC24ads_A100_v4", profiles={"1g.10gb": 7}).pools
    [sku] = pool_plan.pool.skus
    assert sku.gpu is not None
    cut = pool_plan.pool._replace(skus=(sku._replace(gpu=sku.gpu._replace(reboot=needed)),))
    decided = partitioning([pool_plan._replace(pool=cut)])
    assert decided is not None
    assert decided.reboot is expected


@for_each(
    ("size", "wanted", "expected"),
    [
        ("Standard_NC24ads_A100_v4", {"1g.10gb": 7}, "MIG1g"),
        ("Standard_ND96asr_v4", {"1g.5gb": 7}, "MIG1g"),
        ("Standard_NC40ads_H100_v5", {"3g.47gb": 2}, "MIG3g"),
        ("Standard_NC24ads_A100_v4", {"1g.10gb": 6}, None),  # AKS fills the GPU
        ("Standard_NC24ads_A100_v4", {"1g.20gb": 4}, None),  # its MIG1g is the profile with the least memory
        ("Standard_NC24ads_A100_v4", {"1g.10gb+me": 1}, None),
        ("Standard_NC24ads_A100_v4", {"3g.40gb": 1, "4g.40gb": 1}, None),
        ("Standard_NC48ads_A100_v4", [{"7g.80gb": 1}, {}], None),  # all GPUs of a node have the same layout
        ("Standard_ND128isr_NDR_GB200_v6", {"1g.23gb": 7}, None),  # AKS's guide does not name the GPU
    ],
)
def test_which_layouts_aks_can_express(size: str, wanted: object, expected: str | None) -> None:
    [pool_plan] = planned(size, strategy="mixed", profiles=wanted).pools
    assert gpu_instance_profile(pool_plan.pool, CATALOG) == expected


def test_sizes_with_different_gpus_are_one_profile_or_none() -> None:
    """An A100 and an H100 with 80 GB have the same profiles, one with 40 GB has others."""
    alike = ["Standard_NC24ads_A100_v4", "Standard_ND96isr_H100_v5"]
    for sizes, expected in ((alike, "MIG1g"), ([*alike, "Standard_ND96asr_v4"], None)):
        cut = pool("p", driver="operator", partition={"mig": {"profiles": {"1g.10gb": 7}}})
        cut["spec"]["sku"] = sizes
        [gpu_pool] = inputs_of(fleet(), cluster(), cut).pools
        assert gpu_instance_profile(gpu_pool, CATALOG) == expected
