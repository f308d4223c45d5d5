"""Names and requirements of sizes in many spellings, and the sizes that they match in the catalog."""

from pathlib import Path
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.read import data_text
from gitgpu.model.aks_node_pool import windows_driver
from gitgpu.model.catalog import Catalog
from gitgpu.model.size.availability import Sold, gpu_memory, node_gpu_memory, sale_of
from gitgpu.model.size.exact_requirements import derived_settings, joined_requirements, required_sizes
from gitgpu.model.size.gpu_requirements import names_gpus, only_gpu_sizes, wants_gpus
from gitgpu.model.size.node_labels import labels
from gitgpu.model.size.size_selection import matching_sizes
from gitgpu.model.size.unmet_requirements import unknown_names, unmet
from gitgpu.model.syntax.region_names import meant_region
from gitgpu.model.syntax.size_names import family, parts, same_machine, same_series
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
NAMES = [
    "Standard_NC24ads_A100_v4", "nc24ads_a100_v4", "Stanadrd_NC24ads_A100_v4", "NC24ads_A100", "NC24adsA100v4",
    "standard-nc24ads-a100-v4", "NC24ads_A100_v3", "NC24asd_A100_v4", "NC24_A100", "NC24ads_H100_v4",
    "NC24ads_V100_v4", "NC40ads_H100", "NC25ads_A100_v4", "NC4as", "NC4as_T4", "Standard_ND96isr_H100", "ND96_H100",
    "ND96isr_H200_v5", "ND96_MI300X", "NV36ads_A10", "NV36_A10_v5", "NV6ads", "NC6", "NC12s_v3", "NCC40ads_H100_v5",
    "ND96asr", "ND40rs_v2", "NV12s_v3", "D4s_v5", "M416-208s_v2", "NP10s", "abc", "4as", "_", "v4", "NC_A100_v4",
    "NC24ads__A100_v4", "Standard_Standard_NC4as_T4_v3", "NC24ads_RTXPRO6000_v6", "NC24ads_a-100_v4", "N4_",
    "NC4as_T4_v33", "NC4as_T4_x",
]  # fmt: skip
KNOWN = {
    "Standard_NC24ads_A100_v4": "A100", "Standard_NC24s_v3": "V100", "Standard_NC24rs_v3": "V100",
    "Standard_NC48ads_A100_v4": "A100", "Standard_ND96asr_v4": "A100", "Standard_ND96amsr_A100_v4": "A100",
    "Standard_NV24": "", "Standard_NV24s_v3": "M60", "Standard_NC8as_T4_v3": "T4", "Standard_NC16as_T4_v3": "T4",
}  # fmt: skip


def test_the_parts_of_a_name(snapshot: SnapshotAssertion) -> None:
    by_name = {name: parts(name) for name in NAMES}
    assert "\n".join(f"{name}: {tuple(each) if each else None}" for name, each in by_name.items()) == snapshot


def test_what_a_name_stands_for(snapshot: SnapshotAssertion) -> None:
    lines = [
        f"{name}: family {family(name, KNOWN.values())!r}, machine {same_machine(name, KNOWN)!r}, "
        f"series {same_series(name, KNOWN)}"
        for name in (*NAMES, "NC24", "NC24s_v2", "NV24_v2", "NC24rs_v4", "ND96_A100", "nv24")
    ]
    assert "\n".join(lines) == snapshot


def test_remedies_for_unknown_sizes(snapshot: SnapshotAssertion) -> None:
    unread = [name for name in NAMES if CATALOG.sku(name) is None]
    assert "\n".join(f"{name}: {' | '.join(CATALOG.unknown_size(name))}" for name in unread) == snapshot


@for_each(
    ("word", "meant"),
    [
        ("europewest", "westeurope"),
        ("Europewest", "westeurope"),
        ("westeurope", ""),
        ("useast2", "eastus2"),
        ("us2east", ""),
        ("swede", "swedencentral"),
        ("swed", ""),
        ("west", ""),
        ("france", ""),
        ("centralsweden", "swedencentral"),
        ("", ""),
    ],
)
def test_the_region_that_is_meant(word: str, meant: str) -> None:
    names = ["westeurope", "eastus2", "swedencentral", "swedensouth", "francecentral", "franceeast", "westus"]
    assert meant_region(word, names, {"swedensouth"}) == meant
    assert meant_region("swede", names, ()) == ""


REQUIREMENTS: tuple[dict[str, Any], ...] = (
    {"gpu": {"model": ["Tesla T4"]}},
    {"gpu": {"model": ["A100-SXM4-80GB", "H100"]}},
    {"gpu": {"model": ["T4", "Nothing"]}},
    {"gpu": {"model": ["T44"]}},
    {"gpu": {"model": ["xyz"]}},
    {"gpu": {"manufacturer": "intel"}},
    {"gpu": {"architecture": ["Hoper"]}},
    {"gpu": {"architecture": ["Hopper", "Kepler9"]}},
    {"gpu": {"count": "99"}},
    {"gpu": {"memoryGiB": ">=4000"}},
    {"gpu": {"count": "8", "model": ["T4"]}},
    {"gpu": {"count": "4", "model": ["T4"], "mig": True}, "rdma": True},
    {"vcpus": "3"},
    {"vcpus": "4", "gpu": {"model": ["A100"]}},
    {"vcpus": "4", "memoryGiB": ">=880", "gpu": {"model": ["A100"]}, "rdma": False},
    {"series": ["NCads_v9"]},
    {"series": ["NCads_v4", "NCasT4_v3"]},
    {"series": ["NCads_v4", "nothing"]},
    {"arch": "arm64", "gpu": {"manufacturer": "amd"}},
    {"gpu": {"nvlink": True, "model": ["T4"]}},
)


def test_requirements_that_no_size_meets(snapshot: SnapshotAssertion) -> None:
    lines = []
    for wanted in REQUIREMENTS:
        skus = matching_sizes(CATALOG, wanted)
        reasons = unknown_names(CATALOG, wanted) if skus else [unmet(CATALOG, wanted)]
        lines.append(f"{wanted}: {len(skus) > 0}")
        lines += [f"  {each.place}: {each.message} | {each.remedy}" for each in reasons]
    assert "\n".join(lines) == snapshot


def wanted(*written: tuple[str, ...]) -> Any:
    """Requirements, each a key, an operator and values."""
    return joined_requirements({"key": key, "operator": sign, "values": list(more)} for key, sign, *more in written)


AZURE, CAPACITY, ZONE = "karpenter.azure.com/sku-", "karpenter.sh/capacity-type", "topology.kubernetes.io/zone"
SCOPE = "karpenter.azure.com/placement-scope"
EXACT: tuple[tuple[tuple[str, ...], ...], ...] = (
    (),
    ((f"{AZURE}gpu-name", "Exists"),),
    ((f"{AZURE}gpu-name", "In", "T4", "A10"),),
    ((f"{AZURE}gpu-name", "DoesNotExist"),),
    ((f"{AZURE}gpu-name", "NotIn", "T4"),),
    ((f"{AZURE}gpu-manufacturer", "In", "amd"),),
    ((f"{AZURE}gpu-count", "Gt", "3"),),
    ((f"{AZURE}gpu-count", "Gt", "many"), (f"{AZURE}gpu-name", "In", "T4")),
    ((f"{AZURE}gpu-count", "In", "0"),),
    ((f"{AZURE}family", "In", "N"),),
    ((f"{AZURE}family", "In", "N", "D"),),
    ((f"{AZURE}family", "NotIn", "N"),),
    ((f"{AZURE}name", "In", "Standard_NC4as_T4_v3"),),
    ((f"{AZURE}name", "In", "Standard_NC4as_T4_v3", "Standard_D4s_v5"),),
    (("node.kubernetes.io/instance-type", "In", "Standard_NC24ads_A100_v4"),),
    ((f"{AZURE}name", "NotIn", "Standard_NC4as_T4_v3"),),
    ((f"{AZURE}memory", "Gt", "900000"), (f"{AZURE}gpu-name", "Exists")),
    ((f"{AZURE}cpu", "Lt", "5"), (f"{AZURE}gpu-name", "Exists")),
    ((f"{AZURE}version", "In", "4"), (f"{AZURE}gpu-name", "Exists"), ("kubernetes.io/arch", "In", "amd64")),
    (("kubernetes.io/arch", "In", "arm64"),),
    ((CAPACITY, "In", "spot"), (f"{AZURE}gpu-name", "In", "T4")),
    ((CAPACITY, "In", "reserved"),),
    ((CAPACITY, "NotIn", "spot"),),
    ((ZONE, "In", "eastus-1", "eastus-0", "eastus-x", "2"),),
    ((ZONE, "NotIn", "eastus-1"),),
    ((SCOPE, "In", "regional"),),
    ((SCOPE, "Exists"),),
    ((f"{AZURE}storage-ephemeralos-maxsize", "DoesNotExist"), (f"{AZURE}gpu-name", "Exists")),
)


def test_requirements_in_the_words_of_a_node_pool(snapshot: SnapshotAssertion) -> None:
    lines = []
    for written in EXACT:
        given = wanted(*written)
        sizes = required_sizes(CATALOG, given)
        lines.append(f"{written}")
        lines.append(f"  {len(sizes)} sizes: {', '.join(sku.name for sku in sizes[:4])}")
        lines.append(f"  {derived_settings(given)}")
        gpus = only_gpu_sizes(given, CATALOG), wants_gpus(given), names_gpus(given, CATALOG)
        lines.append(f"  only GPU sizes {gpus[0]}, by GPU {gpus[1]}, by name {gpus[2]}")
    assert "\n".join(lines) == snapshot


SHOWN = ("Standard_NC4as_T4_v3", "Standard_NV6ads_A10_v5", "Standard_ND96isr_MI300X_v5", "Standard_NC24ads_A100_v4")


@pytest.mark.parametrize("name", SHOWN)
def test_a_size_as_its_row_says(name: str, snapshot: SnapshotAssertion) -> None:
    sku = CATALOG.sku(name)
    assert sku is not None
    facts = {key: value for key, value in sku._asdict().items() if key not in ("row", "zones", "restricted", "gpu")}
    lines = [f"{key}: {value}" for key, value in facts.items()]
    lines += [f"gpu.{key}: {value}" for key, value in (sku.gpu._asdict() if sku.gpu else {}).items() if key != "mig"]
    lines += [f"zones: {sorted(sku.zones)[:2]}", f"counted {sku.counted_gpus}, whole {sku.whole}, {sku.resource}"]
    lines += [f"obtainable {sku.obtainable}, gone {sku.why_gone!r}, spot {sku.spot}"]
    lines += [f"memory {gpu_memory(sku)}, of a node {node_gpu_memory(sku)}"]
    lines += [f"{key}: {each.operator} {sorted(each.values)}" for key, each in sorted(labels(sku).items())]
    assert "\n".join(lines) == snapshot


def test_a_size_that_is_going_is_gone_on_its_day() -> None:
    sku = CATALOG.sku("Standard_NC24ads_A100_v4")
    assert sku is not None
    day = sku.row["verified"]
    announced = sku._replace(lifecycle=sku.lifecycle._replace(status="announced", date=day))
    assert announced.why_gone == f"retirement was planned for {day}"
    assert announced._replace(row={**sku.row, "verified": "2000-01-01"}).why_gone == ""
    assert announced._replace(lifecycle=sku.lifecycle._replace(status="announced", date=None)).why_gone == ""
    assert [
        sku._replace(lifecycle=sku.lifecycle._replace(status=each)).why_gone for each in ("retired", "unknown")
    ] == [
        "retired",
        "",
    ]
    assert not sku._replace(offer="left-out").obtainable
    assert not sku._replace(lifecycle=sku.lifecycle._replace(status="never-offered")).obtainable
    assert (sku._replace(gpu=None).manufacturer, sku._replace(gpu=None).resource) == ("nvidia", "nvidia.com/gpu")
    assert gpu_memory(sku._replace(gpu=None)) is None
    assert node_gpu_memory(sku._replace(gpus=None)) is None
    half = sku._replace(share="1/2", gpus=1)
    assert (half.whole, gpu_memory(half), node_gpu_memory(sku._replace(gpus=2))) == (False, 40.0, 160.0)
    assert [sku._replace(api_gpus=gpus).counted_gpus for gpus in (None, 0, 3)] == [sku.gpus, 0, 3]


def test_an_unknown_fact_meets_no_bound(tmp_path: Path) -> None:
    row = (
        data_text("catalog/skus/Standard_NC16as_T4_v3.yaml")
        .replace("NC16as", "NC17as")
        .replace("vcpus: 16", "vcpus: null")
    )
    (tmp_path / "skus").mkdir()
    (tmp_path / "skus" / "Standard_NC17as_T4_v3.yaml").write_text(row, encoding="utf-8")
    own = Catalog(CatalogFiles([Folder(str(tmp_path), "mine")]))
    names = [{sku.name for sku in matching_sizes(own, {"vcpus": wanted})} for wanted in ("<999", ">=16", "16")]
    assert [{"Standard_NC16as_T4_v3", "Standard_NC17as_T4_v3"} & matching for matching in names] == [
        {"Standard_NC16as_T4_v3"}
    ] * 3
    assert "Standard_NC17as_T4_v3" in {sku.name for sku in matching_sizes(own, {"gpu": {"model": ["T4"]}})}


def test_where_a_size_is_sold() -> None:
    sku = CATALOG.sku("Standard_NC24ads_A100_v4")
    assert sku is not None
    here = sku._replace(zones={"westeurope": ("1",), "aeast": ()}, restricted={"westeurope": None, "aeast": "quota"})
    offer = sale_of(CATALOG, here, "westeurope")
    assert (list(offer.zones), offer.listed) == (["aeast", "westeurope"], {"aeast": "quota", "westeurope": None})
    assert set(offer.regions) == {"westeurope", "aeast", *offer.prices}
    assert offer.regions == tuple(sorted(offer.regions))
    rows = CATALOG.rows("prices")
    assert offer.prices == {
        name: row["onDemand"][sku.name] for name, row in rows.items() if sku.name in row["onDemand"]
    }
    assert offer.spot == {name: row["spot"][sku.name] for name, row in rows.items() if sku.name in row["spot"]}
    made = Sold("b", {"a": 1.0, "b": 2.0}, {})
    assert [made._replace(region=region).price for region in ("a", "b", "c", "")] == [1.0, 2.0, None, 1.0]
    assert Sold("", {}, {}).price is None


def test_a_price_has_the_date_of_its_list() -> None:
    made = Sold("b", {"a": 2.0, "b": 1.0}, {}, dates={"a": "2026-01-02", "b": "2026-01-01", "c": "2026-01-03"})
    dates = [made._replace(region=region).price_date for region in ("a", "b", "c", "")]
    assert dates == ["2026-01-02", "2026-01-01", None, "2026-01-01"]
    assert Sold("", {}, {}).price_date is None


def test_the_driver_that_aks_installs_on_windows() -> None:
    a10, t4 = CATALOG.sku("Standard_NV36ads_A10_v5"), CATALOG.sku("Standard_NC4as_T4_v3")
    assert a10 is not None
    assert t4 is not None
    assert [windows_driver(CATALOG, sku) for sku in (a10, t4)] == ["GRID", "CUDA"]
    assert windows_driver(CATALOG, t4._replace(os=("ubuntu",))) is None
    assert t4.gpu is not None
    assert windows_driver(CATALOG, t4._replace(gpu=t4.gpu._replace(manufacturer="amd"))) is None
    assert windows_driver(CATALOG, t4._replace(name="Standard_XX4")) is None
