"""Costs by team, namespace, label, pool or another key, as text, JSON, CSV and Markdown."""

import csv
import json
from io import StringIO
from math import isclose

import pytest

from gitgpu.report.findings import Style
from gitgpu.report.simulation.csv import as_csv
from gitgpu.report.simulation.grouping import OF_NODES, OF_WORKLOADS, groups, is_grouping
from gitgpu.report.simulation.html import Basis, page
from gitgpu.report.simulation.json import as_json
from gitgpu.report.simulation.markdown import as_markdown
from gitgpu.report.simulation.text import text
from gitgpu.report.simulation.totals import usages
from gitgpu.report.simulation.view import View
from gitgpu.simulate.forecast import Forecast, Node, Share, Verdict
from tests.helping.cases import for_each
from tests.simulate.worlds import A100, CLASS, H100X8, deployment, forecast, pool

KEYS = (*OF_NODES, *OF_WORKLOADS, "label:team")


@pytest.fixture(scope="module")
def clusters() -> list[Forecast]:
    """Two clusters with shared nodes, an idle node, and a workload with a hostile label."""
    result = forecast(
        CLASS,
        pool("a", A100, limits={"nvidia.com/gpu": "1"}),
        pool("h", H100X8),
        *(deployment(name, replicas) for name, replicas in (("chat", 3), ("embed", 2), ("large", 1))),
    )
    labels = {"chat": {"team": "red"}, "embed": {"team": "blue"}, "large": {"team": "=cmd|'x'!A1"}}
    verdicts = tuple(verdict._replace(labels=labels[verdict.name], team="all") for verdict in result.verdicts)
    idle = Node("idle", A100, False, (), 1, 0, 1, 3.5, 3.5, ())
    first = result._replace(cluster="one", verdicts=verdicts, low=(*result.low, idle), high=(*result.high, idle))
    return [first, result._replace(cluster="two", region="westeurope", verdicts=verdicts)]


@pytest.mark.parametrize("key", KEYS)
def test_groups_add_up_to_the_fleet(clusters: list[Forecast], key: str) -> None:
    low, high = usages(clusters)
    found = groups(clusters, key)
    for side, usage in (("low", low), ("high", high)):
        amounts = [getattr(group, side) for group in found]
        assert sum(amount.gpus for amount in amounts) == usage.gpus
        assert sum(amount.idle for amount in amounts) == usage.idle
        assert isclose(sum(amount.price.maximum for amount in amounts), usage.price.maximum or 0)
        assert isclose(sum(amount.idle_price.maximum for amount in amounts), usage.idle_price.maximum or 0)
    prices = [group.high.price.maximum or 0 for group in found]
    assert prices == sorted(prices, reverse=True)


def test_a_shared_node_is_paid_in_proportion(clusters: list[Forecast]) -> None:
    [result] = [clusters[1]]
    node = Node("h", H100X8, False, (), 8, 4, 8, 80.0, 80.0, (Share(0, 3, 3), Share(1, 1, 1)))
    by_label = {group.name: group for group in groups([result._replace(low=(), high=(node,))], "label:team")}
    assert (by_label["red"].high.price.exact, by_label["blue"].high.price.exact) == (60.0, 20.0)
    assert (by_label["red"].high.idle_price.exact, by_label["blue"].high.idle_price.exact) == (30.0, 10.0)
    assert by_label["red"].high.gpus == 6
    assert by_label["red"].high.idle == 3


def test_what_has_no_value_and_no_workload_is_named(clusters: list[Forecast]) -> None:
    assert [group.name for group in groups(clusters, "label:absent")] == ["(none)", "(no workload)"]
    assert groups(clusters, "label:absent")[1].workloads == 0
    assert {group.name for group in groups(clusters, "pool")} == {"h", "idle"}
    assert [group.workloads for group in groups(clusters, "team")] == [6, 0]


@for_each(("key", "expected"), [("team", True), ("label:a/b", True), ("label:", False), ("label", False)])
def test_keys(key: str, expected: bool) -> None:
    assert is_grouping(key) == expected


def test_csv_has_a_row_for_each_workload_or_group(clusters: list[Forecast]) -> None:
    rows = list(csv.DictReader(StringIO(as_csv(clusters))))
    assert [(row["cluster"], row["name"]) for row in rows] == [
        (cluster, name) for cluster in ("one", "two") for name in ("chat", "embed", "large")
    ]
    assert all(float(row["usdPerHourMax"]) > 0 and row["priceDate"] for row in rows)
    grouped = list(csv.DictReader(StringIO(as_csv(clusters, "label:team"))))
    assert {row["team"] for row in grouped} == {"red", "blue", "'=cmd|'x'!A1", "(no workload)"}  # not a formula
    assert sum(float(row["gpusMax"]) for row in grouped) == usages(clusters)[1].gpus


def test_every_format_has_the_groups(clusters: list[Forecast]) -> None:
    view = View("label:team")
    shown = text(clusters, Style(), view)
    assert "team         " in shown.lower()
    assert "IDLE $/HOUR" in shown
    table = as_markdown(clusters, view)
    assert "| team | workloads | GPUs | idle GPUs | USD/hour | idle USD/hour |" in table
    assert "\\|'x'" in table  # a value cannot end its cell
    document = json.loads(as_json(clusters, [], "label:team"))
    assert document["groupBy"] == "label:team"
    assert [group["name"] for group in document["groups"]] == [group.name for group in groups(clusters, "label:team")]
    assert json.loads(as_json(clusters, []))["groups"] == []


def test_a_hostile_key_is_escaped_once(clusters: list[Forecast]) -> None:
    shown = page(clusters, Basis(), view=View('label:<b>"&'))
    assert "<h2>Cost by label &lt;b&gt;&quot;&amp;</h2>" in shown
    assert "<caption>Cost by label &lt;b&gt;&quot;&amp;</caption>" in shown
    assert "<b>" not in shown.partition("<style>")[0] + shown.partition("</style>")[2]


def test_unknown_prices_stay_out_of_the_costs(clusters: list[Forecast]) -> None:
    unpriced = [
        result._replace(high=tuple(node._replace(price=None, maximum=None) for node in result.high), low=())
        for result in clusters
    ]
    assert all(group.high.price.maximum == 0 for group in groups(unpriced, "team"))
    assert "whose price is unknown" in as_markdown(unpriced, View("team"))
    assert ",,," in as_csv([unpriced[0]._replace(verdicts=tuple(_unpriced(unpriced[0])))])


def _unpriced(result: Forecast) -> list[Verdict]:
    return [verdict._replace(high=verdict.high._replace(price=None, maximum=None)) for verdict in result.verdicts]
