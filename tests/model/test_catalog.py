"""The catalog in the model: sizes by any common spelling, and unknown facts."""

from pathlib import Path

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import data_text
from gitgpu.model.catalog import Catalog, catalog
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
NAME = "Standard_NC16as_T4_v3"
ROW = data_text(f"catalog/skus/{NAME}.yaml")


@for_each("name", [NAME, NAME.lower(), NAME.upper(), "nc16as_t4_v3", "NC16as_T4_v3"])
def test_a_size_is_found_by_any_spelling(name: str) -> None:
    sku = CATALOG.sku(name)
    assert sku is not None
    assert sku.name == NAME
    assert sku is CATALOG.sku(NAME)


@for_each("name", ["", "Standard_", "Standard_D4s_v5", "NC16as", f" {NAME}", f"{NAME}\n", "../gpus/T4"])
def test_an_unknown_name_is_not_a_size(name: str) -> None:
    assert CATALOG.sku(name) is None


def test_a_size_says_what_its_row_says() -> None:
    sku = CATALOG.sku(NAME)
    assert sku is not None
    assert sku.gpu is not None
    assert (sku.vcpus, sku.memory_gib, sku.arch, sku.driver, sku.nvlink) == (16, 110, "amd64", "cuda-lts", None)
    assert (sku.gpu.model, sku.gpu.manufacturer, sku.gpu.memory_gib, sku.whole) == ("T4", "nvidia", 16, True)
    assert (sku.resource, sku.lifecycle.status, sku.origin) == ("nvidia.com/gpu", "active", "")


@pytest.mark.parametrize(("name", "share"), [("Standard_NV6ads_A10_v5", "1/6"), ("Standard_NV36ads_A10_v5", "1")])
def test_a_size_may_have_a_part_of_a_gpu(name: str, share: str) -> None:
    sku = CATALOG.sku(name)
    assert sku is not None
    assert sku.share == share


def test_similar_names_are_suggested() -> None:
    assert CATALOG.similar_name("skus", "standard_nc16as_t4v3") == NAME
    assert CATALOG.similar_name("regions", "swedencentra") == "swedencentral"
    words = {
        "sweden": "swedencentral",
        "germany": "germanywestcentral",
        "europewest": "westeurope",
        "useast2": "eastus2",
    }
    assert {word: CATALOG.similar_name("regions", word) for word in words} == words
    assert CATALOG.similar_name("regions", "us-east-1") is None
    assert CATALOG.similar_name("skus", "zzz") is None


def test_facts_of_known_and_unknown_rows() -> None:
    region = CATALOG.facts("regions", "eastus")
    assert region is not None
    assert region["name"] == "eastus"
    assert CATALOG.facts("regions", "nowhere") is None
    with pytest.raises(KeyError, match="catalog/regions/nowhere"):
        CATALOG.must("regions", "nowhere")


def own(folder: Path, **files: str) -> Catalog:
    """The catalog with your own rows."""
    for path, content in files.items():
        kind, name = path.split("__")
        (folder / kind).mkdir(exist_ok=True)
        (folder / kind / f"{name}.yaml").write_text(content, "utf-8")
    return Catalog(CatalogFiles([Folder(str(folder), "mine")]))


def test_an_own_row_is_a_size_and_says_where_it_comes_from(tmp_path: Path) -> None:
    catalog = own(
        tmp_path, skus__Standard_NC17as_T4_v3=ROW.replace("NC16as", "NC17as").replace("vcpus: 16", "vcpus: 17")
    )
    sku = catalog.sku("nc17AS_t4_v3")
    assert sku is not None
    assert (sku.vcpus, sku.origin) == (17, "mine")
    assert len(catalog.skus) == len(CATALOG.skus) + 1


def test_an_own_size_with_an_unknown_gpu_is_a_fault_and_not_a_crash(tmp_path: Path) -> None:
    row = ROW.replace("NC16as", "NC17as").replace("name: T4\n", "name: T99\n").replace("driver: cuda-lts", "driver: x")
    catalog = own(tmp_path, skus__Standard_NC17as_T4_v3=row)
    catalog.files.read_own()
    assert [(fault.code, fault.span.line) for fault in catalog.files.faults] == [("CAT005", 10), ("CAT005", 14)]
    sku = catalog.sku("NC17as_T4_v3")
    assert sku is not None
    assert sku.gpu is None


def test_a_gpu_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    catalog = own(tmp_path, gpus__T4="name: T4\n")
    assert catalog.gpu("T4") is None
    assert len(catalog.gpus) == len(CATALOG.gpus) - 1
    sku = catalog.sku(NAME)
    assert sku is not None
    assert sku.gpu is None
    assert catalog.files.faults


def test_a_size_that_cannot_be_read_is_none(tmp_path: Path) -> None:
    catalog = own(tmp_path, skus__Standard_NC16as_T4_v3=f"name: {NAME}\n")
    assert catalog.sku(NAME) is None
    assert catalog.files.faults


def test_a_release_of_unknown_software_is_a_fault_of_the_catalog() -> None:
    text = data_text("catalog/releases/gpu-operator-v25.10.1.yaml").replace("gpu-operator\n", "gpu-operatr\n")
    row = text.replace("name: gpu-operator-v25.10.1", "name: gpu-operatr-v25.10.1")
    folder = Folder("mine", "mine", {"releases/gpu-operatr-v25.10.1.yaml": row})
    faults = catalog((folder,)).files.faults
    assert [(fault.code, fault.span.line, fault.message, fault.help) for fault in faults] == [
        ("CAT008", 2, "the catalog has no chart or image 'gpu-operatr'", "use gpu-operator")
    ]
