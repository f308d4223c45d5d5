"""How pools count against quotas: VM families, total cores, spot, and the maximum number of nodes."""

import json

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.link import link
from gitgpu.rule import FAILED
from gitgpu.rules.inputs.quotas import Account, accounts
from tests.emit.fleets import CLUSTER_ID, Body, cluster, document, pool
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG, example_documents, findings

T4, CORES, SPOT = "Standard NCASv3_T4 Family", "cores", "lowPriorityCores"
ALL = {
    T4: 10_000,
    CORES: 10_000,
    SPOT: 10_000,
    "StandardNCADSA100v4Family": 10_000,
    "StandardNCadsH100v5Family": 10_000,
}


def reported(limits: dict[str, int], *pools: Body, **spec: object) -> dict[str, list[str]]:
    """The messages of findings about quotas, by code. Quotas that are not given are large."""
    quota = [{"name": name, "limit": limit} for name, limit in {**ALL, **limits}.items()]
    text = "\n---\n".join(map(json.dumps, (cluster("one", quota=quota, **spec), *pools)))
    messages: dict[str, list[str]] = {}
    for finding in findings(text):
        if finding.code.startswith("QTA"):
            messages.setdefault(finding.code, []).append(finding.message)
    return messages


@pytest.mark.parametrize(("limit", "codes"), [(255, ["QTA002"]), (256, []), (15, ["QTA001"])])
def test_pools_of_one_family_add_up(limit: int, codes: list[str]) -> None:
    pools = [pool("a", limits={"gpus": 8}), pool("b", limits={"nodes": 8})]
    assert sorted(reported({T4: limit}, *pools)) == codes


@for_each("limits", [{"gpus": 2}, {"nodes": 2}, {"cpu": "47"}, {"memory": "230Gi"}])
def test_every_kind_of_limit_limits_nodes(limits: Body) -> None:
    assert reported({T4: 32}, pool("a", limits=limits)) == {}
    assert set(reported({T4: 31}, pool("a", limits=limits))) == {"QTA002"}


def test_nodes_of_a_node_pool_are_counted() -> None:
    where = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}
    spec = {"clusters": ["one"], "sku": "Standard_NC16as_T4_v3", "nodes": {"max": 3}}
    gpu_pool = document("GpuPool", "a", spec)
    assert reported({T4: 48}, gpu_pool, **where) == {}
    assert set(reported({T4: 47}, gpu_pool, **where)) == {"QTA002"}


def test_spot_counts_against_one_quota_only() -> None:
    gpu_pool = pool("a", capacity=["spot"], limits={"gpus": 2})
    assert reported({T4: 0, CORES: 0, SPOT: 32}, gpu_pool) == {}
    assert set(reported({SPOT: 31}, gpu_pool)) == {"QTA002"}
    assert set(reported({SPOT: 0}, gpu_pool)) == {"QTA001"}


def test_spot_with_a_fallback_counts_as_on_demand_and_can_start_on_either() -> None:
    gpu_pool = pool("a", capacity=["spot", "on-demand"], limits={"gpus": 2})
    assert set(reported({T4: 0}, gpu_pool)) == {"QTA002"}
    assert set(reported({T4: 0, SPOT: 0}, gpu_pool)) == {"QTA001"}
    assert reported({SPOT: 0}, gpu_pool) == {}


def test_the_quota_of_total_cores_limits_every_family() -> None:
    pools = [pool("a", limits={"gpus": 2}), pool("b", "Standard_NC24ads_A100_v4", limits={"gpus": 2})]
    [message] = reported({CORES: 79}, *pools)["QTA002"]
    assert "a and b on one can use 80 vCPUs" in message


def test_a_pool_of_several_families_can_start_on_each() -> None:
    sizes = ["Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5"]
    both = document("GpuPool", "a", {"clusters": ["one"], "sku": sizes, "limits": {"gpus": 2}})
    assert reported({"StandardNCADSA100v4Family": 0}, both) == {}
    assert set(reported({"StandardNCADSA100v4Family": 0, "StandardNCadsH100v5Family": 0}, both)) == {"QTA001"}


def test_clusters_of_one_subscription_and_region_share_a_quota() -> None:
    def findings_in(region: str = "swedencentral", subscription: str = CLUSTER_ID) -> list[str]:
        quota = [{"name": name, "limit": limit} for name, limit in {**ALL, T4: 64}.items()]
        spec = {"provisioner": "cluster-autoscaler", "quota": quota}
        one = cluster("one", resourceId=CLUSTER_ID, **spec)
        two = cluster("two", resourceId=subscription.replace("azure-one", "azure-two"), **spec | {"region": region})
        where = {"clusters": ["one", "two"], "sku": "Standard_NC16as_T4_v3", "nodes": {"max": 3}}
        text = "\n---\n".join(map(json.dumps, (one, two, document("GpuPool", "a", where))))
        return [finding.message for finding in findings(text) if finding.code == "QTA002"]

    [message] = findings_in()
    assert f"a on one and two can use 96 vCPUs of {T4}" in message
    assert findings_in("westeurope") == []
    assert findings_in(subscription=CLUSTER_ID.replace("/subscriptions/0", "/subscriptions/1")) == []


@pytest.mark.parametrize(("own", "codes"), [({}, ["QTA001"]), ({"quota": [{"name": T4, "limit": 96}]}, ["QTA002"])])
def test_quotas_of_another_cluster_count_if_a_cluster_has_none(own: Body, codes: list[str]) -> None:
    spec = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}
    one, two = cluster("one", **spec, quota=[{"name": T4, "limit": 0}]), cluster("two", **spec, **own)
    where = {"clusters": ["two"], "sku": "Standard_NC16as_T4_v3", "nodes": {"max": 3}}
    text = "\n---\n".join(map(json.dumps, (one, two, document("GpuPool", "a", where))))
    assert [finding.code for finding in findings(text) if finding.code.startswith("QTA")] == codes


A100, A100X2, H100 = "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4", "Standard_NC40ads_H100_v5"
A100S, H100S = "StandardNCADSA100v4Family", "StandardNCadsH100v5Family"


def sized(sizes: list[str], **limits: object) -> Body:
    return document("GpuPool", "a", {"clusters": ["one"], "sku": sizes, "limits": limits})


def test_a_pool_counts_with_its_largest_size() -> None:
    assert reported({A100S: 96}, sized([A100, A100X2], nodes=2)) == {}
    assert set(reported({A100S: 95}, sized([A100, A100X2], nodes=2))) == {"QTA002"}


def test_a_pool_with_a_size_that_no_limit_covers_is_not_added_up() -> None:
    """Azure reports no GPU for the second size, so Karpenter does not count it against a limit on GPUs."""
    sizes = ["Standard_ND96isr_MI300X_v5", "Standard_ND96is_MI300X_v5"]
    assert CATALOG.must("skus", sizes[1])["karpenter"]["gpus"] == 0
    assert "QTA002" in reported({CORES: 191}, sized(sizes[:1], gpus=16))
    assert "QTA002" not in reported({CORES: 191}, sized(sizes, gpus=16))
    assert "QTA002" in reported({CORES: 191}, sized(sizes, gpus=16, nodes=2))


def test_the_smallest_node_without_room_is_named() -> None:
    for sizes in ([A100, H100], [H100, A100]):
        [message] = reported({A100S: 0, H100S: 0}, sized(sizes, gpus=2))["QTA001"]
        assert "24" in message, message
        assert A100S in message, message


def test_a_size_whose_vcpus_are_unknown_may_fit() -> None:
    size = "Standard_ND96ams_v4"
    assert CATALOG.must("skus", size)["vcpus"] is None
    diagnostics = findings("\n---\n".join(map(json.dumps, (cluster("one", quota=NONE), sized([size], nodes=2)))))
    assert not [finding for finding in diagnostics if finding.code in ("QTA001", "QTA002", FAILED)]


NONE = [{"name": CORES, "limit": 0}]


@pytest.mark.parametrize(
    ("second", "limits", "codes"),
    [
        ("", {"nodes": 1}, []),
        ("", {"nodes": 2}, ["QTA002"]),
        (CLUSTER_ID.replace("/subscriptions/0", "/subscriptions/1"), {"nodes": 2}, []),
    ],
)
def test_quotas_of_a_region_count_for_clusters_of_one_subscription(second: str, limits: Body, codes: list[str]) -> None:
    """The invented catalog lists the quotas in norwayeast: 16 vCPUs of T4."""
    clusters = [cluster("one", region="norwayeast", resourceId=CLUSTER_ID)]
    clusters += [cluster("two", region="norwayeast", resourceId=second)] if second else []
    diagnostics = findings("\n---\n".join(map(json.dumps, (*clusters, pool("a", limits=limits)))))
    reported = [finding for finding in diagnostics if finding.code.startswith("QTA")]
    assert [finding.code for finding in reported] == codes
    assert all(finding.pointer == "/spec/region" for finding in reported)


def test_a_region_whose_quotas_are_unknown() -> None:
    row = {**CATALOG.must("availability", "norwayeast"), "name": "westeurope"}
    row.pop("quota")
    facts = Catalog(CatalogFiles([Folder("mine", "mine", {"availability/westeurope.yaml": json.dumps(row)})]))
    text = "\n---\n".join(map(json.dumps, (cluster("one", region="westeurope"), pool("a", limits={"gpus": 800}))))
    inputs, _ = link(example_documents(text), facts)
    assert inputs is not None
    assert list(accounts(inputs)) == [Account(inputs.clusters, ())]
