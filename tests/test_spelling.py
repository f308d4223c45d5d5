"""Words in messages: what a misspelt word stands for, numbers with nouns, lists of names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.spelling import comma_separated, counted, nearest

CATALOG = Catalog(CatalogFiles())


@pytest.mark.parametrize(
    ("region", "meant"),
    [
        ("estus", "eastus"),  # westus is as near, and does not begin like it
        ("westeu", "westeurope"),
        ("wesus3", "westus3"),
        ("swedencentrl", "swedencentral"),
        ("us-east-1", None),
        ("usgovirginia", "usgovvirginia"),
    ],
)
def test_regions(region: str, meant: str | None) -> None:
    assert CATALOG.near("regions", region) == meant


@pytest.mark.parametrize(
    ("field", "meant"),
    [
        ("DCGM_FI_DEV_GPU_UTILIZATION", "DCGM_FI_DEV_GPU_UTIL"),  # not DCGM_FI_DEV_VGPU_UTILIZATIONS
        ("DCGM_FI_DEV_GPU_TEMPERATURE", "DCGM_FI_DEV_GPU_TEMP"),
        ("DCGM_FI_DEV_POWER_USGE", "DCGM_FI_DEV_POWER_USAGE"),
    ],
)
def test_a_part_that_is_written_out_means_its_short_form(field: str, meant: str) -> None:
    known = [name for row in CATALOG.rows("counters").values() for name in row["fields"]]
    assert nearest(field, [*known, "DCGM_FI_DEV_VGPU_UTILIZATIONS"]) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("Standard_ND96asr_A100_v4", "Standard_ND96asr_v4"),
        ("Standard_ND96amsr_v4", "Standard_ND96amsr_A100_v4"),
        ("standard-nc24ads-a100-v4", "Standard_NC24ads_A100_v4"),
        ("NC24adsA100v4", "Standard_NC24ads_A100_v4"),
        ("Standrd_NC24ads_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24s_A100_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC24ads_A1000_v4", "Standard_NC24ads_A100_v4"),
        ("Standard_NC64as_T4_v4", "Standard_NC64as_T4_v3"),
        ("Standard_NC80ads_H100_v5", "Standard_NC80adis_H100_v5"),
        ("Standard_ND96isr_MI300_v5", "Standard_ND96isr_MI300X_v5"),
        ("Standard_NC24ads_A10_v4", None),  # an A10 is no A100
        ("Standard_NC25ads_A100_v4", None),  # no machine has 25 vCPUs
        ("Standard_NC96ads_H100_v5", None),
        ("Standard_D4s_v5", None),
        ("p4d.24xlarge", None),
        ("A100", None),
    ],
)
def test_a_size_means_the_same_machine_or_none(name: str, meant: str | None) -> None:
    assert CATALOG.near("skus", name) == meant


def test_where_no_machine_is_meant_the_sizes_of_the_series_are_named() -> None:
    assert CATALOG.size_remedy("Standard_NC25ads_A100_v4") == (
        "the sizes of this series are Standard_NC24ads_A100_v4, Standard_NC48ads_A100_v4, Standard_NC96ads_A100_v4"
    )
    assert CATALOG.size_remedy("p4d.24xlarge") == ""


@pytest.mark.parametrize("name", CATALOG.names("skus"))
def test_each_size_is_found_by_its_own_name_however_it_is_spelt(name: str) -> None:
    for spelt in (name, name.lower(), name.removeprefix("Standard_"), name.replace("_", "-"), name.replace("_", "")):
        assert CATALOG.near("skus", spelt) == name


@given(word=st.text(max_size=12), options=st.lists(st.text(max_size=12), max_size=6))
def test_what_is_suggested_is_one_of_the_options(word: str, options: list[str]) -> None:
    assert nearest(word, options) in ("", *options)
    assert nearest(word, options) == nearest(word, list(reversed(options)))


@pytest.mark.parametrize(
    ("noun", "several"),
    [("GitRepository", "2 GitRepositories"), ("NodePool", "2 NodePools"), ("Gateway", "2 Gateways")],
)
def test_kinds_are_counted(noun: str, several: str) -> None:
    assert (counted(1, noun), counted(2, noun)) == (f"1 {noun}", several)


def test_many_names_are_shortened() -> None:
    assert comma_separated(["a", "b"], 2) == "a, b"
    assert comma_separated(["a", "b", "c", "d"], 2) == "a, b and 2 more"
    assert comma_separated([], 2) == ""
