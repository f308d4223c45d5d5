"""The dashboard has no panel without data, because that would look like an idle fleet."""

import json
import re

import pytest

from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.model.metrics.promql_faults import refusal
from tests.emit.fleets import CATALOG, PROMETHEUS, Body, Emitted, cluster, emitted, fleet
from tests.emit.test_alerts import COUNTERS, POOLS, fields
from tests.helping.cases import for_each

LABELS = set(CATALOG.must("series", "dcgm")["labels"])


def with_dashboard(gpu_pools: list[Body], name: str = "one", **metrics: object) -> Emitted:
    """The output with a dashboard."""
    pools = [{**body, "spec": {**body["spec"], "clusters": [name]}} for body in gpu_pools]
    asked = {**PROMETHEUS, "dashboards": True, **metrics}
    return emitted(fleet(stack={"metrics": asked}), cluster(name), *pools, name=name)


def texts(output: Emitted) -> list[str]:
    """The dashboards as text."""
    maps = [body for body in output.every("ConfigMap") if body["metadata"].get("labels", {}).get("grafana_dashboard")]
    return [text for config_map in maps for text in config_map["data"].values()]


def dashboard(output: Emitted) -> Body:
    """The only dashboard."""
    [text] = texts(output)
    body: Body = json.loads(text)
    return body


@for_each("counters", COUNTERS[:4], ids=lambda value: str(value)[:30])
@for_each("pools", POOLS.values(), ids=POOLS)
def test_a_panel_queries_only_exported_metrics(pools: list[Body], counters: object) -> None:
    output = with_dashboard(pools, counters=counters)
    panels = dashboard(output)["panels"]
    assert panels
    for panel in panels:
        [target] = panel["targets"]
        assert not refusal(target["expr"])
        asked = list(selectors(read_query(target["expr"])))
        assert {selector.metric for selector in asked} <= fields(output)
        assert {match.label for selector in asked for match in selector.matchers} <= LABELS
        assert set(re.findall(r"{{(\w+)}}", target["legendFormat"])) <= LABELS


def test_variables_query_exported_metrics() -> None:
    output = with_dashboard(POOLS["both"])
    body = dashboard(output)
    asked = {variable["name"]: variable["query"] for variable in body["templating"]["list"]}
    assert asked.keys() == {"datasource", "node", "namespace"}
    used = re.findall(r"\$(\w+)", " ".join(panel["targets"][0]["expr"] for panel in body["panels"]))
    assert set(used) == {"node", "namespace"}
    for query in (asked["node"], asked["namespace"]):
        assert set(re.findall(r"DCGM_\w+", query)) <= fields(output)
        assert "PROF" not in query  # otherwise GPUs without these counters would be missing


def test_panels_do_not_overlap() -> None:
    places = [
        (panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in dashboard(with_dashboard(POOLS["both"]))["panels"]
    ]
    assert len(set(places)) == len(places)
    assert all(x + 12 <= 24 for x, _ in places)


def test_the_same_fleet_gives_the_same_text() -> None:
    assert texts(with_dashboard(POOLS["both"])) == texts(with_dashboard(POOLS["both"]))


def test_two_clusters_may_share_a_grafana() -> None:
    one, two = (dashboard(with_dashboard(POOLS["t4"], name)) for name in ("one", "two"))
    assert one["uid"] != two["uid"]
    assert one["title"] != two["title"]
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,40}", body["uid"]) for body in (one, two))


@pytest.mark.parametrize("counters", [["DCGM_FI_DEV_SM_CLOCK"]])
def test_without_charts_there_is_no_dashboard(counters: list[str]) -> None:
    assert texts(with_dashboard(POOLS["t4"], counters=counters)) == []
    assert texts(with_dashboard([])) == []


def test_a_dashboard_is_requested() -> None:
    assert texts(emitted(fleet(), cluster(), *POOLS["both"])) == []
