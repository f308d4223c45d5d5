"""Decisions that depend on several pools, or on several facts of one pool."""

from typing import Any

import pytest

from gitgpu.plan.cluster_plan import plan
from gitgpu.plan.decided.cluster import ClusterPlan
from tests.emit.fleets import BY_NAME, CATALOG, CLUSTER_ID, cluster, fleet, pool
from tests.helping.cases import for_each
from tests.plan.test_mig import inputs_of

A100, A10_WINDOWS = "Standard_NC24ads_A100_v4", "Standard_NV36ads_A10_v5"
AUTOSCALER: dict[str, Any] = {"provisioner": "cluster-autoscaler", "resourceId": CLUSTER_ID}
AKS = CATALOG.must("pools", "aks")


def planned(*pools: Any, stack: dict[str, Any] | None = None, **there: Any) -> ClusterPlan:
    """The plan of a cluster with these pools."""
    inputs = inputs_of(fleet(stack=stack or {}), cluster(**there), *pools)
    return plan(inputs, inputs.clusters[0])


@for_each(
    ("more", "api"),
    [
        ({}, "2025-08-01"),
        ({"image": {"artifactStreaming": True}}, "2026-03-01"),
        ({"driver": "managed"}, "2026-08-01"),
        ({"driver": "managed", "image": {"artifactStreaming": True}}, "2026-08-01"),
        ({"driver": "managed", "partition": {"mig": {"profiles": {"1g.10gb": 7}}}}, AKS["previewApi"]),
    ],
)
def test_the_version_of_azures_api_has_every_field_that_a_pool_needs(more: dict[str, Any], api: str | None) -> None:
    [pool_plan] = planned(pool("p", A100, **more), **AUTOSCALER).pools
    assert pool_plan.node_pool is not None
    assert pool_plan.node_pool.api == api


def test_a_sample_takes_the_smallest_part_of_a_partitioned_gpu() -> None:
    profiles = {"1g.10gb": 2, "2g.20gb": 1}
    cut = pool("p", A100, driver="operator", partition={"mig": {"strategy": "mixed", "profiles": profiles}})
    [sample] = planned(cut, stack={"verify": True}).care.samples
    assert (sample.resource, sample.gpus) == ("nvidia.com/mig-1g.10gb", 1)
    [whole] = planned(pool("p", A100, driver="operator"), stack={"verify": True}).care.samples
    assert (whole.resource, whole.gpus) == ("nvidia.com/gpu", 1)


def test_health_is_watched_on_linux_nodes_of_nvidia_gpus_only() -> None:
    linux, windows = pool("a", A100), pool("b", A10_WINDOWS, os="windows")
    both = planned(linux, windows, stack={"health": "npd"}, **AUTOSCALER).care.health
    alone = planned(linux, stack={"health": "npd"}, **AUTOSCALER).care.health
    assert both is not None
    assert both == alone
    assert planned(windows, stack={"health": "npd"}, **AUTOSCALER).care.health is None
    assert planned(linux, **AUTOSCALER).care.health is None


def test_an_operator_exports_profiling_counters_only_where_all_of_its_pools_have_them() -> None:
    """Where nodes are selected by pools. By labels, a pool without them takes none from the others."""

    def counters(*pools: Any, stack: dict[str, Any] = BY_NAME) -> set[str]:
        operator = planned(*pools, stack=stack).operator
        assert operator is not None
        return {counter.field for counter in operator.counters}

    skus = [CATALOG.sku(name) for name in CATALOG.names("skus")]
    small = next(sku for sku in skus if sku and sku.gpu and sku.manufacturer == "nvidia" and sku.gpu.profiling is False)
    able = pool("a", A100, driver="operator")
    unable = pool("b", small.name, driver="operator")
    assert counters(able, unable) == counters(unable) < counters(able)
    assert counters(able, unable, stack={}) == counters(able)


@pytest.mark.parametrize(
    ("scrape", "name"),
    [("prometheus-operator", "gitgpu-dcgm-exporter"), ("azure-managed", "nvidia-dcgm-exporter")],
)
def test_no_monitor_has_the_name_of_one_that_the_operator_deletes(scrape: str, name: str) -> None:
    made = planned(pool("p", A100), stack={"driver": "operator", "metrics": {"scrape": scrape}})
    assert [monitor.name for monitor in made.monitors] == [name]
