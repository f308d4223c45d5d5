"""Responses from Azure and from chart repositories: what is read, what is skipped, what is rejected."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.refresh.answers.charts import charts
from gitgpu.refresh.answers.json_items import Item, items
from gitgpu.refresh.answers.prices import missing_pages, pages, prices
from gitgpu.refresh.answers.quotas import limits
from gitgpu.refresh.answers.sizes import sizes
from gitgpu.refresh.answers.versions import versions
from tests.helping.cases import for_each

Entry = dict[str, Any]
METER: Entry = {
    "currencyCode": "USD", "retailPrice": 1.5, "armSkuName": "Standard_NC16as_T4_v3", "armRegionName": "US East",
    "type": "Consumption", "productName": "NCasT4 Series", "skuName": "NC16as T4 v3", "meterName": "NC16as T4 v3",
    "serviceName": "Virtual Machines", "unitOfMeasure": "1 Hour", "tierMinimumUnits": 0.0, "isPrimaryMeterRegion": True,
    "effectiveStartDate": "2026-01-02T00:00:00Z",
}  # fmt: skip
SKU: Entry = {
    "name": "Standard_NC16as_T4_v3", "resourceType": "virtualMachines", "locations": ["EastUS"], "restrictions": [],
    "capabilities": [{"name": "GPUs", "value": "1"}, {"name": "vCPUs", "value": "16"}],
    "locationInfo": [{"location": "East US", "zones": ["3", "1", "10", "12", "x", ""]}],
    "family": "Standard NCASv3_T4 Family",
}  # fmt: skip
QUOTA: Entry = {"name": {"value": "cores", "localizedValue": "Total"}, "limit": "100", "currentValue": 3}
VERSION: Entry = {
    "version": "1.34", "patchVersions": {"1.34.10": {}, "1.34.9": {}}, "isPreview": None,
    "capabilities": {"supportPlan": ["KubernetesOfficial"]},
}  # fmt: skip


NO_VERSIONS = "CAT011 2 not the output of `az aks get-versions -o json`"


def text(*entries: Any) -> Text:
    """A list as printed by the Azure CLI."""
    return Text("a.json", json.dumps(entries, indent=1), "a.json")


def codes(faults: Sequence[Diagnostic]) -> list[str]:
    """The code, line and message of each fault. A fault of the whole file is at its first character."""
    assert {fault.span.column for fault in faults if fault.span.line == 1} <= {1}
    return [f"{fault.code} {fault.span.line} {fault.message}" for fault in faults]


@for_each(
    ("change", "counts"),
    [
        ({"type": "Reservation"}, False),
        ({"productName": "NCasT4 Series Windows"}, False),
        ({"productName": "Windows to Linux"}, True),
        ({"meterName": "NC16as Low Priority"}, False),
        ({"meterName": "Low Priority no more"}, True),
        ({"serviceName": "Cloud Services"}, False),
        ({"unitOfMeasure": "1 Day"}, False),
        ({"retailPrice": 0}, False),
        ({"retailPrice": 1}, True),
        ({"tierMinimumUnits": 10}, False),
        ({"armSkuName": ""}, False),
    ],
)
def test_the_meters_that_count(change: Entry, counts: bool) -> None:
    listed, faults = prices(text(METER | change, METER | {"retailPrice": 7}))
    assert (len(listed), faults) == (1 + counts, [])


def test_keys_that_do_not_describe_a_meter_may_be_absent() -> None:
    needed = ("retailPrice", "armSkuName", "armRegionName", "currencyCode", "type")
    (price,), _ = prices(text({key: METER[key] for key in needed}))
    assert (price.region, price.spot, price.since, price.until, price.primary) == ("useast", False, "", "", False)
    for key in needed:
        assert codes(prices(text({name: METER[name] for name in needed if name != key}))[1])[0].startswith("CAT011 2 ")


@for_each(
    ("change", "spot"),
    [
        ({}, False),
        ({"skuName": "NC16as T4 v3 Spot"}, True),
        ({"meterName": "NC16as T4 v3 Spot"}, True),
        ({"meterName": "Spot NC16as"}, False),
    ],
)
def test_a_meter_of_spot_machines(change: Entry, spot: bool) -> None:
    (price,), _ = prices(text(METER | change))
    assert (price.spot, price.usd, price.since, price.primary) == (spot, 1.5, "2026-01-02", True)


def test_the_last_day_of_a_price() -> None:
    (price,), _ = prices(text(METER | {"effectiveEndDate": "2026-03-04T23:59:59Z"}))
    assert (price.since, price.until) == ("2026-01-02", "2026-03-04")


def listed_pages(*pages_of_query: tuple[str, int, int | None]) -> Text:
    """Pages of prices, each with its query, its number of items, and how many items the next page skips."""
    shown = []
    for query, count, skip in pages_of_query:
        link = None if skip is None else f"https://prices.azure.com/api/retail/prices?$filter={query}&$skip={skip}"
        shown.append(json.dumps({"Items": [], "NextPageLink": link, "Count": count}))
    return Text("a.json", "\n".join(shown), "a.json")


@for_each(
    ("given", "missing"),
    [
        ([("a", 5, None)], []),
        ([("a", 1000, 1000), ("a", 5, None)], []),
        ([("a", 1000, 1000), ("a", 1000, 2000), ("a", 5, None)], []),
        ([("a", 1000, 2000), ("a", 1000, 1000), ("a", 5, None)], []),
        ([("a", 1000, 2000), ("a", 5, None)], ["before 1"]),
        ([("a", 1000, 1000), ("a", 1000, 3000), ("a", 5, None)], ["before 2"]),
        ([("a", 1000, 1000), ("a", 1000, 2000)], ["after 2"]),
        ([("a", 1000, 2000), ("a", 1000, 1000)], ["after 1"]),
        ([("a", 1000, 1000), ("a", 5, None), ("b", 1000, 1000), ("b", 7, None)], []),
        ([("a", 1000, 1000), ("b", 1000, 1000), ("b", 7, None)], ["after 1", "after 2"]),
    ],
)
def test_the_pages_of_prices_that_are_missing(given: list[tuple[str, int, int | None]], missing: list[str]) -> None:
    faults = list(missing_pages(pages(listed_pages(*given))))
    assert [f"{fault.message.split()[4]} {fault.span.line}" for fault in faults] == missing
    assert {fault.code for fault in faults} <= {"CAT020"}


@for_each("usd", ["1.5", True, -1, float("nan"), float("inf"), None])
def test_an_invalid_price_is_rejected(usd: Any) -> None:
    listed, faults = prices(text(METER, METER | {"retailPrice": usd}))
    assert len(listed) == 1
    assert codes(faults) == [f"CAT011 19 retailPrice is {usd!r}, not a price"]


@for_each(
    ("read", "entries", "fault"),
    [
        (prices, [METER | {"type": "Reservation"}], "CAT012 1 contains no price for a Linux machine"),
        (prices, [], "CAT012 1 the list is empty"),
        (prices, [METER | {"currencyCode": "EUR"}], "CAT013 3 prices in EUR; the catalog has prices in USD"),
        (sizes, [SKU | {"resourceType": "disks"}], "CAT012 1 contains no GPU size"),
        (sizes, [], "CAT012 1 the list is empty"),
        (sizes, [SKU | {"locations": "eastus"}], "CAT011 2 not the output of `az vm list-skus -o json`"),
        (limits, [], "CAT012 1 the list is empty"),
        (versions, [], "CAT012 1 the list is empty"),
        (versions, [VERSION | {"patchVersions": ["1.3"]}], NO_VERSIONS),
        (versions, [VERSION | {"version": "2.34"}], NO_VERSIONS),
        (versions, [{"version": "1.34"}], NO_VERSIONS),
    ],
)  # fmt: skip
def test_a_list_without_relevant_entries(read: Callable[[Text], Any], entries: list[Entry], fault: str) -> None:
    assert codes(read(text(*entries))[1]) == [fault]


@for_each(
    ("read", "key", "entry"),
    [(prices, "Items", METER), (sizes, "value", SKU), (limits, "value", QUOTA), (versions, "values", VERSION)],
)
def test_a_page_of_the_api_has_a_list(read: Callable[[Text], Any], key: str, entry: Entry) -> None:
    page = json.dumps({key: [entry, entry]})
    assert [len(part) for part in read(Text("a.json", page, ""))] == [2, 0]
    rows, faults = read(Text("a.json", page[: -len("}]}")], ""))
    assert (len(rows), [fault.code for fault in faults]) == (1, ["IMP002"])


@for_each(
    ("change", "listed"),
    [
        ({}, [True]),
        ({"resourceType": "disks"}, []),
        ({"name": "STANDARD_N1", "capabilities": []}, [False]),
        ({"name": "Standard_D2", "capabilities": []}, []),
        ({"name": "Standard_D2", "capabilities": [{"name": "GPUs", "value": "0"}]}, []),
        ({"name": "Standard_D2"}, [True]),
        ({"name": "My_Standard_N1", "capabilities": []}, []),
    ],
)
def test_the_sizes_that_may_have_gpus(change: Entry, listed: list[bool]) -> None:
    offered, _ = sizes(text(SKU | change, {**SKU, "name": "last"}))
    assert [size.has_gpus for size in offered[:-1]] == listed
    (without,), _ = sizes(text({key: value for key, value in SKU.items() if key != "resourceType"}))
    assert (without.zones, without.family, without.capabilities["vCPUs"]) == (("1", "3"), SKU["family"], "16")


def restricted(kind: str, *regions: str, **more: Any) -> Entry:
    """A restriction of a subscription."""
    return {"type": kind, "values": regions, **more}


@for_each(
    ("restrictions", "zones", "reason"),
    [
        ([], ("1", "3"), None),
        ([restricted("Location", "East US", reasonCode="QuotaId")], (), "QuotaId"),
        ([restricted("Location", "eastus")], (), "restricted"),
        ([restricted("Location", "westus")], ("1", "3"), None),
        ([restricted("Zone", "eastus", restrictionInfo={"zones": ["3"]})], ("1",), None),
        ([restricted("Zone", "eastus", restrictionInfo={"zones": [z]}) for z in "13"], (), None),
        ([restricted("Zone", "westus", restrictionInfo={"zones": ["3"]})], ("1", "3"), None),
    ],
)
def test_restrictions_of_a_subscription(restrictions: list[Entry], zones: tuple[str, ...], reason: str | None) -> None:
    (size,), _ = sizes(text(SKU | {"restrictions": restrictions}))
    assert (size.region, size.zones, size.restricted) == ("eastus", zones, reason)


def test_an_entry_about_several_regions() -> None:
    info = [{"location": "westus", "zones": ["2"]}, {"location": "eastus", "zones": []}]
    listed, _ = sizes(text(SKU | {"locations": ["West US", "eastus", "westus", "mars"], "locationInfo": info}))
    assert [(size.region, size.zones) for size in listed] == [("westus", ("2",)), ("eastus", ()), ("mars", ())]


@for_each(
    ("change", "expected"),
    [
        ({}, [("cores", 100)]),
        ({"name": "cores"}, [("cores", 100)]),
        ({"limit": 0}, [("cores", 0)]),
        ({"limit": -1}, []),
    ],
)
def test_a_quota(change: Entry, expected: list[tuple[str, int]]) -> None:
    quotas, faults = limits(text(QUOTA | change, QUOTA | {"name": "other"}))
    assert ([(quota.name, quota.limit) for quota in quotas[:-1]], faults) == (expected, [])


@for_each("change", [{"limit": "many"}, {"limit": None}, {"name": []}, {"name": ""}, {"limit": "1" * 19}])
def test_an_invalid_quota_is_rejected(change: Entry) -> None:
    assert codes(limits(text(QUOTA | change))[1])[0].startswith("CAT011 2 not the output of `az vm list-usage -o json`")


def test_a_version_has_its_patches_in_order() -> None:
    (stable, preview), _ = versions(text(VERSION, VERSION | {"isPreview": True, "capabilities": {}}))
    assert (stable.minor, stable.patches, stable.preview) == ("1.34", ("1.34.9", "1.34.10"), False)
    assert (stable.support, preview.preview, preview.support) == (("KubernetesOfficial",), True, ())


@for_each(
    ("entry", "looks"),
    [
        ({"retailPrice": 1}, "the retail prices API"),
        ({"Items": 1, "NextPageLink": None}, "the retail prices API"),
        ({"patchVersions": {}}, "`az aks get-versions -o json`"),
        ({"agentPoolProfiles": []}, "`az aks list`"),
        ({"vmSize": "x", "osSku": "y"}, "`az aks nodepool list`"),
        ({"currentValue": 1, "limit": 2}, "`az vm list-usage -o json`"),
        ({"numberOfCores": 1}, "`az vm list-sizes`"),
        ({"regionalDisplayName": 1}, "`az account list-locations`"),
        ({"orchestrators": []}, "an old release of the Azure CLI"),
        ({"error": {}}, "a request that failed"),
    ],
)
def test_a_file_of_another_command_is_named(entry: Entry, looks: str) -> None:
    message = f"not the output of `az vm list-skus -o json`: it looks like the output of {looks}"
    assert codes(sizes(text(entry))[1]) == [f"CAT011 2 {message}"]


def test_a_list_of_sizes_for_another_option_is_named() -> None:
    looks = "it looks like the output of `az vm list-skus -o json`"
    assert codes(limits(text(SKU))[1]) == [f"CAT011 2 not the output of `az vm list-usage -o json`: {looks}"]


@for_each("entry", [{"vmSize": "x"}, {"limit": 1}, {"resourceType": "x", "locations": []}, [], 1])
def test_a_file_that_could_be_anything_is_not_named(entry: Any) -> None:
    assert codes(sizes(text(entry))[1]) == ["CAT011 2 not the output of `az vm list-skus -o json`"]


@for_each(
    ("content", "expected"),
    [
        ("[1, 2]", [1, 2]),
        ("[]", []),
        ('{"value": [1, 2], "next": null}', [1, 2]),
        ('{"value": []}', []),
        ('{"a": 1}', [{"a": 1}]),
        ('{"value": 1}', [{"value": 1}]),
        ('{"value": [1]}\n{"value": [2]}\n', [1, 2]),
        ('{"value": [1]}{"value": [2]}', [1, 2]),
        ('[{"value": [1]}, {"value": [2, 3]}, 4]', [1, 2, 3, 4]),
        ("[{}, 1, null]", [{}, 1, None]),
        ("1 2", []),
        ("{}[1]", [{}, 1]),
        ("[[1]] 5 null", [[1], 5, None]),
        ('{"value": [{"value": [1]}]}', [{"value": [1]}]),
        ('{"other": [1], "value": [2]}', [2]),
        ("\x1b[34m[\x1b[0m1]", [1]),
        (" \n[ 1 , 2 ] ", [1, 2]),
    ],
)  # fmt: skip
def test_the_items_of_a_text(content: str, expected: list[Any]) -> None:
    assert [each.data for each in items(Text("a", content, "a"), ("value",)) if isinstance(each, Item)] == expected


def test_an_item_has_a_place() -> None:
    first, second = items(Text("a", '[{"a": 1},\n  {"b": 2, "c": 3}]', "a"), ())
    assert isinstance(first, Item)
    assert isinstance(second, Item)
    [later] = items(Text("a", "\n[1]", "a"), ())
    assert isinstance(later, Item)
    assert str(later.span()) == "a:2:2"
    assert [str(place) for place in (first.span(), second.span(), second.span("c"), second.span("d"))] == [
        "a:1:2", "a:2:3", "a:2:12", "a:2:3",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        ("", "IMP001 1 the input is empty"),
        (" \n", "IMP001 1 the input is empty"),
        ("Name  Zones\n", "IMP002 1 not JSON"),
    ],
)
def test_what_is_not_json(content: str, fault: str) -> None:
    entries = list(items(Text("a", content, "a"), ()))
    assert [each for each in entries if isinstance(each, Item)] == []
    assert codes([each for each in entries if isinstance(each, Diagnostic)]) == [fault]


def test_words_that_are_in_no_name_are_omitted() -> None:
    (size,), _ = sizes(text(SKU | {"family": "a: b", "locations": ["eastus", "a/b", 5]}))
    assert (size.family, size.region) == ("", "eastus")


def test_the_remedy_for_a_page_of_prices_that_is_not_json_is_to_fetch_it_again() -> None:
    _, (fault,) = prices(Text("a.json", '[{"retailPrice" 1}]', "a.json"))
    assert fault.help == "fetch the page again, and pass it as the API sends it"


def test_text_after_a_readable_document_is_a_fault() -> None:
    first, broken = items(Text("a", '[1,\n {"a" 2}]', "a"), ())
    assert isinstance(first, Item)
    assert isinstance(broken, Diagnostic)
    assert broken.span.line == 2


INDEX = """\
apiVersion: v1
entries:
  keda:
  - version: 2.20.0
    appVersion: 2.20.0
    kubeVersion: ">=1.23"
    created: "2026-11-20T10:00:00Z"
  - version: 2.19.0
    deprecated: true
  - name: keda
  - version: 2.18.0
    deprecated: "true"
  other:
  - version: [
  later:
  - {version: 1.0.0}
generated: "2026-11-22T01:02:03Z"
"""


def published(content: str, *wanted: str) -> dict[str, list[tuple[str, str, str, str, bool]]]:
    """The releases in an index."""
    index, faults = charts(Text("index.yaml", content, "index.yaml"), wanted)
    assert index is not None, faults
    return {name: [release[1:] for release in releases] for name, releases in index.releases.items()}


def test_the_releases_of_the_wanted_charts() -> None:
    """Entries below other names are not read."""
    assert published(INDEX, "keda", "later", "absent") == {
        "keda": [
            ("2.20.0", "2.20.0", ">=1.23", "2026-11-20T10:00:00Z", False),
            ("2.19.0", "", "", "", True),
            ("2.18.0", "", "", "", False),
        ],
        "later": [("1.0.0", "", "", "", False)],
    }


def test_an_index_in_another_layout() -> None:
    index = {"entries": {"keda": [{"version": "1"}], "x": []}, "generated": "2026-11-22"}
    assert published(json.dumps(index), "keda", "x") == {"keda": [("1", "", "", "", False)]}


@for_each(
    ("line", "day"),
    [
        ('generated: "2026-11-22T01:02:03Z"', "2026-11-22"),
        ("generated: 2026-11-22", "2026-11-22"),
        ("x: y", ""),
        ("x:\n  generated: 2026-11-22", ""),
    ],
)
def test_the_day_of_an_index(line: str, day: str) -> None:
    content = INDEX.replace(INDEX.splitlines()[-1], line)
    index, _ = charts(Text("index.yaml", content, "index.yaml"), ("keda",))
    assert index
    assert index.day == day


@for_each(
    ("content", "fault"),
    [
        (" \n", "IMP001 1 the input is empty"),
        ("apiVersion: v1\n", "CAT011 1 not the index of a chart repository"),
        ("entries: []\n", "CAT011 1 not the index of a chart repository"),
        ("entries:\n  web:\n  - version: 1.0.0\n", "CAT012 1 contains no release of a chart that gitgpu installs"),
        ('{"entries": {"web": [{"version": "1"}]}}', "CAT012 1 contains no release of a chart that gitgpu installs"),
    ],
)
def test_what_is_not_an_index(content: str, fault: str) -> None:
    index, faults = charts(Text("index.yaml", content, "index.yaml"), ("keda",))
    assert (index, codes(faults)) == (None, [fault])


def test_a_fault_in_an_index_has_its_line() -> None:
    index, (fault,) = charts(Text("index.yaml", INDEX, "index.yaml"), ("other", "keda"))
    assert index is None
    _, (later,) = charts(Text("index.yaml", f"\n{INDEX}", "index.yaml"), ("other", "keda"))
    assert (fault.span.line, later.span.line) == (14, 15)
