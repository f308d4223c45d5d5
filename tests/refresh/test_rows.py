"""The rows of a refresh: which entries are used, what differs from the catalog, and contradictions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.load.text import Text
from gitgpu.model.catalog import Catalog
from gitgpu.refresh.answers.charts import ChartIndex, PublishedRelease
from gitgpu.refresh.answers.json_items import Item
from gitgpu.refresh.answers.prices import Price
from gitgpu.refresh.answers.quotas import Limit
from gitgpu.refresh.answers.sizes import ListedSize
from gitgpu.refresh.answers.versions import OfferedVersion
from gitgpu.refresh.row import CatalogUpdate
from gitgpu.refresh.rows import Answers, rows_of
from tests.helping.cases import for_each

CATALOG = Catalog(CatalogFiles())
DAY = "2026-11-23"
T4 = "Standard_NC16as_T4_v3"
ROW = CATALOG.must("skus", T4)
REGION = "swedencentral"
PRICED = CATALOG.must("prices", REGION)
UNPRICED = min({*CATALOG.names("regions")} - {*CATALOG.names("prices")})
NOTHING = Answers((), (), {}, {}, (), DAY)


def item(line: int = 1) -> Item:
    """An entry of a response, at a line."""
    return Item({}, Text("a.json", "\n" * line, "a.json"), line - 1)


def price(usd: float, since: str = "2026-01-01", until: str = "", **more: Any) -> Price:
    """A price of the T4 size."""
    entry = Price(T4, REGION, spot=False, usd=usd, since=since, until=until, primary=True, item=item())
    return entry._replace(**more)


def listed(**more: Any) -> ListedSize:
    """The T4 size in a region."""
    return ListedSize(T4, REGION, ("1", "2"), None, {}, "", item())._replace(**more)


def made(**answers: Any) -> CatalogUpdate:
    """The rows of some answers; those of quotas and versions are about one region."""
    for key in ("limits", "versions"):
        if key in answers:
            answers[key] = {REGION: answers[key]}
    return rows_of(NOTHING._replace(**answers), CATALOG)


def codes(result: CatalogUpdate) -> list[str]:
    """The faults, each with the line of its second entry."""
    return [f"{fault.code} {fault.span.line} {fault.message}" for fault in result.faults]


def on_demand(*prices: Price) -> Any:
    """The prices of machines on demand that are written."""
    result = made(prices=prices)
    assert not result.faults
    return [row.keys["onDemand"] for row in result.rows]


@for_each(
    ("prices", "usd"),
    [
        ([price(9, since=DAY)], 9),
        ([price(9), price(8, since="2026-11-24")], 9),
        ([price(9, until=DAY)], 9),
        ([price(9), price(8, since="2026-02-01", until="2026-11-22")], 9),
        ([price(9), price(8, since="2026-02-01")], 8),
        ([price(8, since="2026-02-01"), price(9)], 8),
        ([price(9, primary=False), price(8)], 8),
        ([price(8), price(9, primary=False)], 8),
        ([price(9, since="2026-02-01", primary=False), price(8)], 9),
        ([price(9), price(9)], 9),
        ([price(9, size=T4.upper())], 9),
        ([price(9), price(8, size="Standard_D2_v5")], 9),
    ],
)
def test_the_price_that_counts(prices: Sequence[Price], usd: float) -> None:
    assert on_demand(*prices) == [{T4: usd}]
    assert on_demand(*reversed(prices)) == [{T4: usd}]


def test_a_price_that_does_not_hold_yet_or_no_longer_is_not_a_row() -> None:
    assert on_demand(price(9, since="2026-11-24"), price(9, until="2026-11-22")) == []


def test_only_prices_that_differ_are_written() -> None:
    (row,) = made(prices=[price(PRICED["onDemand"][T4]), price(0.5, spot=True)]).rows
    assert (row.path, row.extends) == (f"prices/{REGION}.yaml", True)
    assert row.keys == {"date": DAY, "onDemand": None, "spot": {T4: 0.5}}


def test_a_region_without_prices_gets_a_whole_row() -> None:
    (row,) = made(prices=[price(2, region=UNPRICED)]).rows
    assert (row.name, row.extends) == (UNPRICED, False)
    assert row.keys == {"currency": "USD", "unit": "hour", "date": DAY, "onDemand": {T4: 2}, "spot": {}}


def test_two_prices_of_one_day_contradict_each_other() -> None:
    result = made(prices=[price(1, item=item(3)), price(2, item=item(5))])
    assert codes(result) == [f"CAT014 5 contradicts a.json:3:1: the price of {T4} in {REGION}"]
    assert not made(prices=[price(1), price(2, spot=True), price(2, region="eastus")]).faults


def test_what_the_catalog_does_not_have_is_reported_once() -> None:
    """A size only if it has GPUs."""
    gpus = {"GPUs": "8"}
    sizes = [
        listed(name="Standard_NC9", capabilities=gpus, item=item(2)),
        listed(name="standard_nc9", capabilities=gpus, item=item(3)),
        listed(name="Standard_NC8", capabilities={"GPUs": "0"}),
        listed(region="mars", item=item(4)),
    ]
    result = made(sizes=sizes, prices=[price(1, region="mars", item=item(6)), price(2, region="mars", item=item(7))])
    assert [(each.kind, each.name, each.place.line) for each in result.unknown] == [
        ("size", "Standard_NC9", 2), ("region", "mars", 4), ("region", "mars", 6),
    ]  # fmt: skip
    assert "mars" not in {row.name for row in result.rows}


def test_the_sizes_of_regions() -> None:
    sizes = [listed(), listed(region="eastus", zones=(), restricted="QuotaId"), listed(name=T4.lower())]
    result = made(sizes=sizes)
    availability = {row.name: row.keys["sizes"] for row in result.rows if row.kind == "availability"}
    assert list(availability) == ["eastus", REGION]
    assert availability == {
        "eastus": {"date": DAY, "listed": {T4: {"zones": [], "restricted": "QuotaId"}}},
        REGION: {"date": DAY, "listed": {T4: {"zones": ["1", "2"], "restricted": None}}},
    }
    assert not result.faults


@pytest.mark.parametrize("change", [{"zones": ("1",)}, {"restricted": "QuotaId"}])
def test_two_lists_of_one_region_contradict_each_other(change: Mapping[str, Any]) -> None:
    result = made(sizes=[listed(item=item(2)), listed(item=item(4), **change)])
    assert codes(result) == [f"CAT014 4 contradicts a.json:2:1: {T4} has other zones or restrictions in {REGION}"]


def facts(*capabilities: Mapping[str, str], family: str = "") -> dict[str, Any]:
    """What differs from the row of the size, in lists of several regions."""
    sizes = [listed(region=region, capabilities=each, family=family)
             for region, each in zip(("eastus", "westus"), capabilities, strict=False)]  # fmt: skip
    (row,) = [row for row in made(sizes=sizes).rows if row.kind == "skus"]
    assert (row.name, row.extends) == (T4, True)
    return {key: value for key, value in row.keys.items() if value is not None}


@for_each(
    ("capabilities", "differing"),
    [
        ({}, {}),
        ({"vCPUs": "16", "MemoryGB": "110", "CpuArchitectureType": "x64", "GPUs": "1"}, {}),
        ({"vCPUs": "17"}, {"vcpus": 17}),
        ({"vCPUs": "many"}, {}),
        ({"MemoryGB": "110.5"}, {"memoryGiB": 110.5}),
        ({"MemoryGB": "110.0"}, {}),
        ({"MemoryGB": "1e3"}, {}),
        ({"CpuArchitectureType": "Arm64"}, {"arch": "arm64"}),
        ({"CpuArchitectureType": "x86"}, {}),
        ({"LowPriorityCapable": "False"}, {"spot": False}),
        ({"AcceleratedNetworkingEnabled": "False"}, {"acceleratedNetworking": False}),
        ({"PremiumIO": "False"}, {"premiumStorage": False}),
        ({"EncryptionAtHostSupported": "False"}, {"encryptionAtHost": False}),
        ({"EncryptionAtHostSupported": "false"}, {}),
        ({"HyperVGenerations": "V2,V1"}, {}),
        ({"HyperVGenerations": "V2"}, {"hypervisorGenerations": [2]}),
        ({"HyperVGenerations": "V3"}, {}),
        ({"GPUs": "2"}, {"karpenter": {"gpus": 2}}),
    ],
)
def test_facts_of_a_size_that_differ(capabilities: Mapping[str, str], differing: Mapping[str, Any]) -> None:
    assert facts(capabilities) == differing


def test_what_differs_between_regions_is_not_a_fact() -> None:
    assert facts({"vCPUs": "17"}, {"vCPUs": "17"}) == {"vcpus": 17}
    assert facts({"vCPUs": "17"}, {"vCPUs": "18"}) == facts({"vCPUs": "17"}, {}) == {}


def test_a_quota_in_another_spelling_is_the_same() -> None:
    assert facts({}, family=ROW["quotaFamily"].replace(" ", "").upper()) == {}
    assert facts({}, family="other") == {"quotaFamily": "other"}
    unknown = next(sku for sku in CATALOG.skus if sku.row["quotaFamily"] is None)
    (row,) = [row for row in made(sizes=[listed(name=unknown.name, family="f")]).rows if row.kind == "skus"]
    assert row.keys["quotaFamily"] == "f"


def test_the_quotas_that_count_for_gpu_sizes() -> None:
    own = ROW["quotaFamily"]
    limits = [Limit(name, 5, item()) for name in ("standardDSv5Family", own.lower(), "lowPriorityCores", "Cores")]
    (row,) = made(limits=limits).rows
    assert row.keys == {"quota": {"date": DAY, "limits": {"Cores": 5, "lowPriorityCores": 5, own.lower(): 5}}}
    assert list(row.keys["quota"]["limits"]) == ["Cores", "lowPriorityCores", own.lower()]
    assert made(limits=limits[:1]).rows == ()


def test_two_limits_of_a_quota_contradict_each_other() -> None:
    limits = [Limit("cores", 5, item(1)), Limit("CORES", 5, item(2)), Limit("cores", 6, item(3))]
    assert codes(made(limits=limits)) == [f"CAT014 3 contradicts a.json:1:1: the quota cores in {REGION}"]


def test_the_versions_of_a_region_are_in_order() -> None:
    versions = [OfferedVersion(minor, (f"{minor}.1",), False, (), item()) for minor in ("1.100", "1.34", "1.9", "1.34")]
    result = made(versions=versions)
    assert not result.faults
    assert list(result.rows[0].keys["kubernetes"]["versions"]) == ["1.9", "1.34", "1.100"]
    assert result.rows[0].keys["kubernetes"]["versions"]["1.9"] == {
        "patches": ["1.9.1"],
        "preview": False,
        "support": [],
    }


@pytest.mark.parametrize("change", [{"patches": ()}, {"preview": True}, {"support": ("x",)}])
def test_two_versions_contradict_each_other(change: Mapping[str, Any]) -> None:
    first = OfferedVersion("1.34", ("1.34.1",), False, (), item(1))
    result = made(versions=[first, first._replace(item=item(2), **change)])
    assert codes(result) == [f"CAT014 2 contradicts a.json:1:1: Kubernetes 1.34 in {REGION}"]


KEDA = CATALOG.must("charts", "keda")["version"]


def release(version: str, *, deprecated: bool = False, **more: str) -> PublishedRelease:
    """A release of KEDA."""
    texts = {"app_version": "", "kube_version": "", "created": "", **more}
    return PublishedRelease("keda", version, deprecated=deprecated, **texts)


def published(*releases: PublishedRelease, day: str = "") -> CatalogUpdate:
    """The row of KEDA in an index that has the release of the catalog too."""
    index = ChartIndex(Text("index.yaml", "", "index.yaml"), {"keda": (release(f"v{KEDA}"), *releases)}, day)
    return made(charts=[index])


@for_each(
    ("releases", "newest"),
    [
        ([], None),
        ([release("1.0.0")], None),
        ([release("99.0.0"), release("99.0.1"), release("98.9.9")], "99.0.1"),
        ([release("99.0.9"), release("99.0.10")], "99.0.10"),
        ([release("v99.0.0")], "v99.0.0"),
        ([release("99.0.0+build.1")], "99.0.0+build.1"),
        ([release("99.0.0-rc.1")], None),
        ([release("99.0")], None),
        ([release("99.0.0", deprecated=True)], None),
    ],
)
def test_the_newest_release_of_a_chart(releases: Sequence[PublishedRelease], newest: str | None) -> None:
    (row,) = published(*releases).rows
    assert (row.path, row.keys["version"], row.extends) == ("published/keda.yaml", newest, False)
    assert row.keys["date"] == (DAY if newest else None)
    assert row.keys.keys() == {"version", "appVersion", "kubeVersion", "created", "date"}


def test_what_an_index_says_of_a_release() -> None:
    created = "2026-11-20T10:00:00Z"
    (row,) = published(release("99.0.0", app_version="9", kube_version=">=1.30", created=created)).rows
    assert row.keys == {
        "version": "99.0.0", "appVersion": "9", "kubeVersion": ">=1.30", "created": "2026-11-20", "date": DAY,
    }  # fmt: skip
    (bare,) = published(release("99.0.0"), day="2026-11-22").rows
    assert [bare.keys[key] for key in ("appVersion", "kubeVersion", "created", "date")] == [None] * 3 + ["2026-11-22"]
    assert bare.source == "https://kedacore.github.io/charts/index.yaml"


def test_a_repository_without_the_release_of_the_catalog_is_another_one() -> None:
    index = ChartIndex(Text("index.yaml", "", "index.yaml"), {"keda": (release("99.0.0"),)}, "")
    result = made(charts=[index])
    assert (result.rows, [(each.kind, each.name, str(each.place)) for each in result.unknown]) == (
        (), [("repository of the chart", "keda", "index.yaml:1:1")],
    )  # fmt: skip


def test_a_version_is_the_same_with_and_without_v() -> None:
    chart = CATALOG.must("charts", "gpu-operator")
    release = PublishedRelease(chart["chart"], chart["version"].removeprefix("v"), "", "", "", deprecated=False)
    result = made(charts=[ChartIndex(Text("index.yaml", "", "index.yaml"), {chart["chart"]: (release,)}, "")])
    assert ([row.name for row in result.rows], result.unknown) == (["gpu-operator"], ())


def test_a_chart_that_is_in_no_index_has_no_row() -> None:
    """Its repository is an OCI registry or Git."""
    chart = next(row["chart"] for row in CATALOG.rows("charts").values() if row["type"] != "https")
    published = PublishedRelease(chart, "99.0.0", "", "", "", deprecated=False)
    assert made(charts=[ChartIndex(Text("index.yaml", "", "index.yaml"), {chart: (published,)}, "")]) == CatalogUpdate()


def test_a_chart_with_deprecated_releases_only_has_no_newer_one() -> None:
    index = ChartIndex(Text("index.yaml", "", "index.yaml"), {"keda": (release(KEDA, deprecated=True),)}, "")
    (row,) = made(charts=[index]).rows
    assert row.keys["version"] is None
