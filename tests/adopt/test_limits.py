"""How the limits of NodePools become limits of GpuPools."""

from typing import Any

from gitgpu.adopt.node.limits import limit_keys, shares_of
from gitgpu.model.catalog import catalog
from tests.helping.cases import for_each

CATALOG = catalog(())
GPU = "nvidia.com/gpu"
[ONE] = [sku for sku in CATALOG.skus if sku.name == "Standard_NC24ads_A100_v4"]
[FOUR] = [sku for sku in CATALOG.skus if sku.name == "Standard_NC96ads_A100_v4"]
[PART] = [sku for sku in CATALOG.skus if sku.name == "Standard_NC16lds_xl_RTXPRO6000BSE_v6"]
SHARED = {"timeSlicing": {"replicas": 4}}


@for_each(
    ("limits", "expected"),
    [
        ({}, {}),
        ({"cpu": "0", GPU: 0}, {"retire": True}),
        ({"cpu": "0", GPU: "0", "memory": "0"}, {"retire": True}),
        ({"cpu": "0", GPU: "0", "memory": "1Gi"}, {"limits": {"gpus": 0, "cpu": "0", "memory": "1Gi"}}),
        ({GPU: "0"}, {"limits": {"gpus": 0}}),
        ({"cpu": "0"}, {"limits": {"cpu": "0"}}),
        ({"cpu": 0, "memory": 0}, {"limits": {"cpu": "0", "memory": "0"}}),
        ({"nodes": "3", "memory": "1Ti", "cpu": 96, GPU: "8"},
         {"limits": {"gpus": 8, "cpu": "96", "memory": "1Ti", "nodes": 3}}),
        ({GPU: "1.5"}, {"limits": {"resources": {GPU: "1.5"}}}),
        ({GPU: "2k", "nodes": "1e1"}, {"limits": {"gpus": 2000, "nodes": 10}}),
        ({"pods": "10", "amd.com/gpu": "2"}, {"limits": {"resources": {"amd.com/gpu": "2", "pods": "10"}}}),
        ({"cpu": "many", GPU: "some"}, {}),
        ({"nodes": "0.5"}, {}),
        ({GPU: "4", "nodes": "4"}, {"limits": {"gpus": 4, "nodes": 4}}),
    ],
)  # fmt: skip
def test_limits_of_whole_gpus(limits: dict[str, Any], expected: dict[str, Any]) -> None:
    assert limit_keys(limits, [ONE], None) == expected


@for_each(
    ("limits", "skus", "expected"),
    [
        ({GPU: "16"}, [ONE], {"gpus": 4}),
        ({GPU: "16", "nodes": "4"}, [ONE], {"gpus": 4}),
        ({GPU: "16", "nodes": "3"}, [ONE], {"gpus": 4, "nodes": 3}),
        ({GPU: "16", "nodes": "1"}, [FOUR], {"gpus": 4}),
        ({GPU: "16", "nodes": "4"}, [FOUR], {"gpus": 4, "nodes": 4}),
        ({GPU: "16", "nodes": "1"}, [ONE, FOUR], {"gpus": 4, "nodes": 1}),
        ({GPU: "18", "nodes": "4"}, [ONE], {"nodes": 4, "resources": {GPU: "18"}}),
        ({GPU: "0"}, [ONE], {"gpus": 0}),
        ({"nodes": "4"}, [ONE], {"nodes": 4}),
    ],
)
def test_limits_of_shared_gpus(limits: dict[str, Any], skus: list[Any], expected: dict[str, Any]) -> None:
    """gitgpu multiplies the limit on GPUs by the shares per GPU, and also limits the number of nodes."""
    assert limit_keys(limits, skus, SHARED) == {"limits": expected}


def test_two_shares_and_a_size_with_a_part_of_a_gpu() -> None:
    halves = {"timeSlicing": {"replicas": 2}}
    assert limit_keys({GPU: "8", "nodes": "4"}, [ONE], halves) == {"limits": {"gpus": 4}}
    assert limit_keys({GPU: "8", "nodes": "4"}, [PART], halves) == {"limits": {"gpus": 4}}


@for_each(
    ("partition", "shares"),
    [
        (None, 1),
        ({}, 1),
        (SHARED, 4),
        ({"mps": {"replicas": "3"}}, 3),
        ({"mig": {"profiles": {"1g.10gb": 7}}}, 7),
        ({"mig": {"strategy": "single", "profiles": {"1g.10gb": 2, "2g.20gb": 1}}}, 3),
        ({"mig": {"profiles": [{"3g.40gb": 2}, {"1g.10gb": 7}]}}, 2),
        ({"mig": {"strategy": "mixed", "profiles": {"1g.10gb": 7}}}, 1),
    ],
)
def test_the_shares_of_a_gpu(partition: dict[str, Any] | None, shares: int) -> None:
    assert shares_of(partition) == shares
