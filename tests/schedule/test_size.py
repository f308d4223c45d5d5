"""The labels of a node of a size, as Karpenter for Azure derives them (computeRequirements in instancetype.go)."""

import pytest

from gitgpu.load.catalog import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.sku import Sku
from gitgpu.schedule.requirement import meets, requirement
from gitgpu.schedule.size import GPU_NAME, LOCAL_DISK, Terms, labels, left_out

CATALOG = Catalog(CatalogFiles())
NAMELESS = {  # offered, with a name in which the size parser of Karpenter 1.14 finds no GPU
    "Standard_ND40rs_v2",
    "Standard_ND40s_v3",
    "Standard_ND96asr_v4",
    "Standard_ND96is_MI300X_v5",
    "Standard_ND96isr_MI300X_v5",
}


def size(name: str) -> Sku:
    found = CATALOG.sku(name)
    assert found
    return found


def test_sizes_without_a_gpu_in_their_name_have_no_gpu_name() -> None:
    offered = [sku for sku in CATALOG.skus if sku.obtainable]
    assert {sku.name for sku in offered if labels(sku)[GPU_NAME].operator == "DoesNotExist"} == NAMELESS
    assert {sku.name for sku in offered if sku.accelerator is None} == NAMELESS


@pytest.mark.parametrize("name", sorted(NAMELESS))
def test_a_size_without_a_gpu_name_meets_no_wish_for_one(name: str) -> None:
    own = labels(size(name))[GPU_NAME]
    assert not meets(own, requirement(GPU_NAME, "In", ["V100", "A100", "MI300X"]))
    assert not meets(own, requirement(GPU_NAME, "Exists"))
    assert meets(own, requirement(GPU_NAME, "NotIn", ["T4"]))


def test_a_size_without_a_local_disk_has_no_label_of_its_size() -> None:
    assert labels(size("Standard_NV6"))[LOCAL_DISK].operator == "DoesNotExist"
    assert labels(size("Standard_NC24ads_A100_v4"))[LOCAL_DISK].operator == "In"


@pytest.mark.parametrize("name", ["Standard_ND128isr_NDR_GB200_v6", "Standard_ND96is_flex_H100_v5"])
def test_a_size_whose_name_karpenter_cannot_read_is_left_out(name: str) -> None:
    assert not size(name).obtainable
    assert "cannot read the name" in left_out(size(name), Terms(gpu_mode="None"))


def test_a_size_counts_the_gpus_that_azure_reports() -> None:
    counted = {sku.name: sku.counted_gpus for sku in CATALOG.skus if sku.series and "V710" in sku.name}
    assert set(counted.values()) == {0}
