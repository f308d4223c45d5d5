"""The values without effect in responses from Azure and from chart repositories."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.diagnostic import Diagnostic
from gitgpu.load.text import Text
from gitgpu.refresh.answers.charts import charts
from gitgpu.refresh.answers.json_items import Item, items
from gitgpu.refresh.answers.prices import pages, prices
from gitgpu.refresh.answers.quotas import limits
from gitgpu.refresh.answers.sizes import sizes
from gitgpu.refresh.answers.versions import versions
from tests.helping.single_changes import unread
from tests.refresh.answers.test_answers import METER, QUOTA, SKU, VERSION

SIZE = {
    **SKU,
    "restrictions": [
        {"type": "Zone", "reasonCode": "Quota", "restrictionInfo": {"zones": ["3"], "locations": ["EastUS"]}}
    ],
}
BARRED = {
    **SKU,
    "restrictions": [{"type": "Location", "reasonCode": "NotAvailableForSubscription", "values": ["eastus"]}],
}
INDEX: dict[str, Any] = {
    "apiVersion": "v1",
    "generated": "2026-11-20T01:02:03Z",
    "entries": {
        "keda": [{"version": "2.19.0", "appVersion": "2.19.0", "kubeVersion": ">=1.23", "created": "2026-01-01",
        "deprecated": True}],
        "other": [{"version": "1.0.0"}],
    },
}  # fmt: skip


def fields(value: Any) -> str:
    """The fields of a result. The place of its item is shown instead of the item."""
    facts = dict(value._asdict())
    item = facts.pop("item", None)
    return f"{facts}{f' at {item.span()}' if item else ''}"


def reported(fault: Diagnostic) -> str:
    """A fault on one line."""
    return f"{fault.code} {fault.span.line}:{fault.span.column} {fault.message}; {fault.help}"


def lines(read: Callable[[Text], Any]) -> Callable[[Any], Iterator[str]]:
    """The result of a reader for a list, as lines."""

    def shown(data: Any) -> Iterator[str]:
        rows, faults = read(Text("a.json", json.dumps(data, indent=1), "a.json"))
        yield from map(fields, rows)
        yield from map(reported, faults)

    return shown


ANSWERS: dict[str, tuple[Callable[[Text], Any], Any]] = {
    "prices": (prices, {"Items": [METER], "NextPageLink": None, "Count": 1}),
    "sizes": (sizes, [SIZE, BARRED]),
    "quotas": (limits, [QUOTA, {"name": {"value": "x", "localizedValue": "X"}, "limit": 5, "currentValue": "1"}]),
    "versions": (versions, {"values": [VERSION, {**VERSION, "version": "1.35", "isPreview": True}]}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_values_without_effect(name: str, snapshot: SnapshotAssertion) -> None:
    read, data = ANSWERS[name]
    shown = lines(read)
    assert [*shown(data), *unread(data, shown)] == snapshot


def index_lines(data: Any) -> Iterator[str]:
    """The KEDA releases in an index, as lines."""
    index, faults = charts(Text("index.json", json.dumps(data), ""), ("keda",))
    yield f"day {index.day if index else None}"
    for releases in index.releases.values() if index else ():
        yield from map(str, releases)
    yield from map(reported, faults)


def test_the_values_without_effect_of_an_index(snapshot: SnapshotAssertion) -> None:
    assert [*index_lines(INDEX), *unread(INDEX, index_lines)] == snapshot


TEXTS = (
    "", "  ", "x", "{}", "[]", "[1, 2]", "5", '{"Items": []}', '{"Items": [1], "a": [2]}',
    '[{"Items": [1]}, {"Items": [2]}]', '{"Items": [1]}\n{"Items": [2]}', '{"Items": {"a": 1}}', '{"a": 1}',
    '[{"a": 1}, 5]', "[1, 2", '{"a": 1', '{"a"', "{a: 1}", "[1 2]", "\x1b[0m[\x1b[32m1\x1b[0m]",
    '[{"Items": [{"Items": [1]}]}]', '{"value": [1], "Items": [2]}', "[1,]", "// c\n[1]",
    "Name  Size\n----  ----\na     b\n", '[\n {"a":\n 1},\n {"b": 2}]', "[" * 10**5, '{"Items": [1]} x', "true", "[]]",
)  # fmt: skip


def test_the_items_of_a_text(snapshot: SnapshotAssertion) -> None:
    shown = []
    for text in TEXTS:
        shown.append(repr(text[:60]))
        for each in items(Text("a.json", text, ""), ("Items", "value")):
            if isinstance(each, Item):
                places = each.span(), each.span("b"), each.span("nothing")
                shown.append(f"  {each.data} at {' '.join(f'{place.line}:{place.column}' for place in places)}")
            else:
                shown.append(f"  {reported(each)}")
    assert "\n".join(shown) == snapshot


def test_the_pages_of_prices(snapshot: SnapshotAssertion) -> None:
    link = "https://prices.azure.com/api/retail/prices?$filter=x&$skip="
    texts = (
        [{"Items": [METER], "NextPageLink": f"{link}1000"}],
        [{"Items": [METER], "NextPageLink": f"{link}1000"}, {"Items": [METER], "NextPageLink": None}],
        [{"Items": [], "NextPageLink": ""}],
        {"Items": [METER], "NextPageLink": f"{link}2000", "Count": 1000},
        [METER],
    )
    shown = [f"{pages(Text('a.json', json.dumps(data), ''))}".replace(json.dumps(data), "…")[:400] for data in texts]
    assert shown == snapshot
