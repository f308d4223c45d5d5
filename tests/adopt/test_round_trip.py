"""A generated fleet that is built and imported builds the same nodes, from files and from live objects."""

import os
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.compiled import node_objects
from gitgpu.compare.change import facts_of
from gitgpu.compare.hashes import hash_of
from gitgpu.compare.normal_form import as_stored
from gitgpu.compare.snapshot import OverlayObject
from gitgpu.inventory.observed import Azure, Inventory, Observed, ObservedCluster
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.source import SourceMap, Span
from tests.emit.fleets import CATALOG, CLUSTER_ID, SUBNET_ID, Body, cluster, fleet, inputs_of, pool, pool_specs

EXAMPLES = int(os.environ.get("GITGPU_ROUND_TRIPS", "10"))  # 300 in a nightly run
slowly = settings(
    max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much]
)
MORE: Mapping[str, Any] = {
    "disruption": st.sampled_from(
        (
            {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
            {"consolidateAfter": "90m", "expireAfter": "Never", "terminationGracePeriod": "24h"},
            {"budgets": [{"nodes": "0", "schedule": "0 6 * * 1-5", "duration": "14h"}, {"nodes": "20%"}]},
        )
    ),
    "kubelet": st.sampled_from(({"cpuManagerPolicy": "static"}, {"containerLogMaxSize": "10Mi", "podPidsLimit": 4096})),
    "maxPods": st.sampled_from((30, 110)),
    "weight": st.sampled_from((1, 50)),
    "zones": st.sampled_from((["1"], ["1", "2"])),
    "nodeClass": st.just({"name": "shared.gpu"}),
    "operatorOptOut": st.just(False),
    "security": st.just({"encryptionAtHost": True}),
    "linuxOSConfig": st.just({"sysctls": {"vmMaxMapCount": 262144}}),
    "nodeRequirements": st.just([{"key": "contoso.com/rack", "operator": "In", "values": ["a", "b"]}]),
    "annotations": st.just({"contoso.com/owner": "ml"}),
    "spotTaint": st.just(False),
    "subnet": st.just(SUBNET_ID),
    "explicitDefaults": st.sampled_from(
        (
            {"nodeClass": {"fipsMode": "Disabled", "gpu": {"mode": "Driver"}}},
            {"nodeClass": {"artifactStreaming": {"enabled": False}, "security": {}}, "nodePool": {"startupTaints": []}},
        )
    ),
    "replicas": st.just(2),
    "limits": st.sampled_from(
        (
            {"gpus": 8},
            {"gpus": 24, "nodes": 3},
            {"cpu": "100", "memory": "1Ti"},
            {"resources": {"ephemeral-storage": "10Ti"}},
        )
    ),
}


@st.composite
def generated(draw: st.DrawFn) -> list[Body]:
    """Karpenter pools with any settings."""
    pools = []
    for index in range(draw(st.integers(1, 4))):
        more = draw(st.fixed_dictionaries({}, optional=MORE))
        if index:
            more.pop("nodeClass", None)
        pools.append(pool(f"pool-{index}", **{**draw(pool_specs()), **more}))
    return pools


def objects_of(*documents: Body) -> list[OverlayObject]:
    """The node objects of cluster "one"."""
    try:
        inputs = inputs_of(fleet(), *documents)
    except AssertionError:  # rules reject some combinations
        reject()
    return [obj for each in inputs.clusters for obj in node_objects(inputs, each).values()]


def inventory_of(overlay_objects: list[OverlayObject], *, live: bool) -> Inventory:
    """The objects as files, or as returned by an API server."""
    objects = []
    for obj in overlay_objects:
        body = as_stored(obj.body, facts_of(obj, CATALOG)) if live else dict(obj.body)
        places = SourceMap.of(Span("pools.yaml", 1, 1))
        objects.append(Observed(body, places, f"{obj.identity.kind}/{obj.identity.name}", "kubernetes"))
    azure = Azure(region="swedencentral", kubernetes="1.34")
    return Inventory((ObservedCluster("one", azure, tuple(objects)),))


def hashes(overlay_objects: list[OverlayObject]) -> dict[tuple[str, str], str]:
    """The hash of each object that has one, computed as in Karpenter."""
    by_object = {}
    for obj in overlay_objects:
        facts = facts_of(obj, CATALOG)
        if facts and facts["hash"]:
            by_object[obj.identity.kind, obj.identity.name] = hash_of(as_stored(obj.body, facts), facts["hash"])
    return by_object


def made_by(made: Imported) -> list[OverlayObject]:
    """The node objects that an imported fleet emits."""
    inputs = made.checked.inputs
    assert inputs is not None, made.checked.diagnostics
    return [obj for each in inputs.clusters for obj in node_objects(inputs, each).values()]


def check(overlay_objects: list[OverlayObject], *, live: bool) -> Imported:
    """Imports the objects. Asserts that every node is kept and no field is lost."""
    made = import_fleet(inventory_of(overlay_objects, live=live), ClusterOptions(), (), "fleet")
    lost = [each for each in made.adopted.outcomes if each.fate in (Fate.INEXPRESSIBLE, Fate.WRONG)]
    assert [(each.observed.name, each.pointer, each.reason) for each in lost] == []
    assert [(each.change.name, each.reason) for each in made.verdicts if not each.keeps_nodes] == []
    assert hashes(made_by(made)) == hashes(overlay_objects)
    return made


EXACT = (
    [{"key": "karpenter.azure.com/sku-gpu-name", "operator": "In", "values": ["A100"]}],
    [
        {"key": "karpenter.azure.com/sku-family", "operator": "In", "values": ["N"]},
        {"key": "karpenter.azure.com/sku-gpu-count", "operator": "Gt", "values": ["0"]},
        {"key": "karpenter.azure.com/sku-gpu-manufacturer", "operator": "In", "values": ["nvidia"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["spot", "on-demand"], "minValues": 2},
    ],
    [
        {"key": "karpenter.azure.com/sku-series", "operator": "In", "values": ["NCads_v4"]},
        {"key": "topology.kubernetes.io/zone", "operator": "NotIn", "values": ["swedencentral-1"]},
    ],
)


@pytest.mark.parametrize("wanted", EXACT, ids=("gpu", "family", "zones"))
def test_requirements_of_any_kind(wanted: list[Body]) -> None:
    exact = pool("pool-a", nodeRequirements=wanted)
    del exact["spec"]["sku"]
    check(objects_of(cluster(), exact), live=True)


@slowly
@given(generated(), st.booleans())
def test_generated_pools_of_karpenter(pools: list[Body], live: bool) -> None:
    check(objects_of(cluster(), *pools), live=live)


AGENTS: Mapping[str, Any] = {
    "nodes": st.sampled_from(({"min": 2, "max": 2}, {"min": 1, "max": 6}, {"max": 3})),
    "zones": st.sampled_from((["1"], ["2", "3"])),
    "maxPods": st.just(50),
    "labels": st.just({"team": "search"}),
    "tags": st.just({"costCentre": "4711"}),
    "kubelet": st.sampled_from(({"cpuManagerPolicy": "static"}, {"containerLogMaxSize": "20M"})),
    "linuxOSConfig": st.sampled_from(({"sysctls": {"netIPv4TCPKeepaliveIntvl": 30}}, {"swapFileSize": "1500M"})),
    "security": st.just({"encryptionAtHost": True}),
    "image": st.sampled_from(({"osDiskGB": 512}, {"fips": True}, {"ephemeralOSDisk": True})),
    "capacity": st.just(["spot"]),
    "agentPool": st.sampled_from(
        (
            {"mode": "System"},
            {"upgradeSettings": {"maxSurge": "33%"}},
            {"podSubnetID": SUBNET_ID, "kubeletDiskType": "Temporary"},
        )
    ),
    "subnet": st.just(SUBNET_ID),
    "nodePoolName": st.just("custom"),
    "driver": st.sampled_from(("operator", "none")),
    "partition": st.just({"timeSlicing": {"replicas": 3}}),
    "taints": st.sampled_from(([], [{"key": "team", "value": "search", "effect": "NoExecute"}])),
}


@slowly
@given(st.fixed_dictionaries({}, optional=AGENTS), st.booleans())
def test_generated_node_pools_of_aks(spec: dict[str, Any], subnet: bool) -> None:
    settings_of_network: dict[str, Any] = {"network": {"mode": "node-subnet", "subnet": SUBNET_ID}} if subnet else {}
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, **settings_of_network)
    if spec.get("driver") == "none":
        spec.pop("partition", None)
    check(objects_of(there, pool("pool-a", **spec)), live=False)


@slowly
@given(generated(), st.fixed_dictionaries({}, optional=AGENTS))
def test_generated_clusters_with_all_provisioners(pools: list[Body], spec: dict[str, Any]) -> None:
    """NodePools, a node pool that the cluster autoscaler scales, and a fixed one, in one cluster."""
    if spec.get("driver") == "none":
        spec.pop("partition", None)
    alike = {key: value for key, value in spec.items() if key != "nodePoolName"}  # each has a name of its own
    fixed = pool("fixed", **{**spec, "nodes": {"min": 3, "max": 3}, "provisioner": "fixed"})
    scaled = pool("scaled", **{**alike, "nodes": {"min": 1, "max": 3}, "provisioner": "cluster-autoscaler"})
    made = check(objects_of(cluster(resourceId=CLUSTER_ID), *pools, fixed, scaled), live=False)
    assert made.checked.inputs
    found = {name.name: name.provisioner for name in made.checked.inputs.pools}
    assert {found["fixed"], found["scaled"]} == {"fixed", "cluster-autoscaler"}
    assert set(found.values()) == {"nap", "cluster-autoscaler", "fixed"}
