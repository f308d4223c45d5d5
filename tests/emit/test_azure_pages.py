"""Azure's monitoring services: pages that users deploy, and the configuration of the agents."""

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitgpu.emit import pages
from gitgpu.emit.bicep import Code, bicep
from gitgpu.emit.pages import gpu_alerts
from tests.emit.fleets import (
    AZURE,
    CLUSTER_ID,
    GROUP,
    PROMETHEUS,
    Body,
    cluster,
    emitted,
    fleet,
    plans,
    pool,
    workload,
)

WATCHED = {"alerts": True, "dashboards": True}
VALUES = st.recursive(
    st.text() | st.integers() | st.booleans(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(min_size=1), below, max_size=3),
    max_leaves=8,
)
WORDS = re.compile(r"'(?:\\.|[^'\\])*'|[A-Za-z0-9_-]+|[][{}:\n]")
SIGNS = {"n": "\n", "r": "\r", "t": "\t"}


def written(metrics: Body, *pools: Body) -> dict[str, str]:
    """The pages of a cluster, by name."""
    plan = plans(fleet(stack={"metrics": metrics}), cluster(), *(pools or (pool("t4"),)))["one"]
    return {page.name: text for page in pages() if (text := page.write(plan))}


def read(text: str) -> Any:
    """A Bicep value without references, parsed by the grammar."""
    words = WORDS.findall(text)
    assert WORDS.sub("", text).strip(" ") == ""
    value, rest = _value(words)
    assert rest == []
    return value


def _value(words: list[str]) -> tuple[Any, list[str]]:
    first, rest = words[0], words[1:]
    if first in "{[":
        items: list[Any] = []
        while rest[0] not in "}]":
            if rest[0] == "\n":
                rest = rest[1:]
                continue
            key = None
            if first == "{":
                key, rest = _unquoted(rest[0]), rest[2:]
            value, rest = _value(rest)
            items.append(value if first == "[" else (key, value))
        return (items if first == "[" else dict(items)), rest[1:]
    if first[0] == "'":
        return _unquoted(first), rest
    return json.loads(first), rest


def _unquoted(word: str) -> str:
    if word[0] != "'":
        return word
    assert not re.search(r"(?<!\\)(\\\\)*\$\{", word), "this would be an expression"
    return re.sub(r"\\(.)", lambda match: SIGNS.get(match[1], match[1]), word[1:-1], flags=re.DOTALL)


@given(VALUES)
def test_a_value_is_read_back_as_it_was(value: Any) -> None:
    assert read(bicep(value)) == value


def test_a_name_is_kept_as_it_is() -> None:
    assert bicep({"scopes": [Code("workspace")]}) == "{\n  scopes: [\n    workspace\n  ]\n}"


@pytest.mark.parametrize("scrape", ["azure-managed", "prometheus-operator"])
def test_rules_and_dashboard_have_the_format_of_the_service(scrape: str) -> None:
    of_azure = scrape == "azure-managed"
    metrics = {**(AZURE if of_azure else PROMETHEUS), **WATCHED}
    output = emitted(fleet(stack={"metrics": metrics}), cluster(), pool("t4"))
    assert bool(output.every("PrometheusRule")) is not of_azure
    assert any("dashboard" in body["metadata"]["name"] for body in output.every("ConfigMap")) is not of_azure
    assert ({"gpu-alerts.bicep", "gpu-dashboard.json"} <= written(metrics).keys()) is of_azure


def test_the_rule_group_has_every_alert_for_its_own_cluster() -> None:
    metrics = {**AZURE, **WATCHED}
    text = written(metrics)["gpu-alerts.bicep"]
    plan = plans(fleet(stack={"metrics": metrics}), cluster(), pool("t4"))["one"]
    assert plan.alerts
    assert all(f"'{alert.name}'" in text and bicep(alert.expr) in text for alert in plan.alerts)
    assert "clusterName: 'one'" in text
    assert set(re.findall(r"for: '(.*)'", text)) <= {"PT10M", "PT15M", "PT30M", "PT2H"}
    assert text.index("record:") < text.index("alert:")


@pytest.mark.parametrize(("many", "sizes"), [(20, [20]), (21, [20, 1]), (45, [20, 20, 5])])
def test_no_group_has_more_rules_than_azure_accepts(many: int, sizes: list[int]) -> None:
    plan = plans(fleet(stack={"metrics": {**AZURE, **WATCHED}}), cluster(), pool("t4"))["one"]
    rules = tuple(plan.alerts[-1]._replace(name=f"Rule{at}") for at in range(many))
    text = gpu_alerts.PAGE.write(plan._replace(alerts=rules))
    groups = text.split("\nresource ")[1:]
    names = [re.findall(r"alert: '(.*)'", group) for group in groups]
    assert [name for group in names for name in group] == [rule.name for rule in rules]
    assert [len(group) for group in names] == sizes
    assert len({group.split()[0] for group in groups}) == len(set(re.findall(r"\n  name: '(.*)'", text))) == len(groups)


def test_the_dashboard_of_a_shared_workspace_shows_one_cluster() -> None:
    dashboard = json.loads(written({**AZURE, **WATCHED})["gpu-dashboard.json"])
    asked = [panel["targets"][0]["expr"] for panel in dashboard["panels"]]
    asked += [variable["query"] for variable in dashboard["templating"]["list"] if variable["type"] == "query"]
    series = [labels for query in asked for labels in re.findall(r"DCGM_\w+(\{[^}]*\})?", query)]
    assert series
    assert all('cluster="one"' in labels for labels in series)


@pytest.mark.parametrize("asked", ["none", "inventory", "utilization"])
def test_container_insights_gets_what_was_requested(asked: str) -> None:
    metrics = {**PROMETHEUS, "containerInsights": asked}
    output = emitted(fleet(stack={"metrics": metrics}), cluster(), pool("t4"))
    settings = [body for body in output.every("ConfigMap") if body["metadata"]["namespace"] == "kube-system"]
    [exporter] = [body for body in output.every("DaemonSet") if "dcgm" in body["metadata"]["name"]]
    annotated = exporter["spec"]["template"]["metadata"].get("annotations", {})
    assert bool(settings) is bool(annotated) is (asked == "utilization")
    names = written(metrics).keys()
    assert ({"gpu-queries.kql", "gpu-workbook.bicep"} <= names) is (asked != "none")


def test_the_agent_finds_the_exporters_and_their_fields() -> None:
    metrics = {**PROMETHEUS, "containerInsights": "utilization"}
    output = emitted(fleet(stack={"metrics": metrics}), cluster(), pool("t4"))
    settings = tomllib.loads(
        output.one("ConfigMap", "container-azm-ms-agentconfig")["data"]["prometheus-data-collection-settings"]
    )
    own = settings["prometheus_data_collection_settings"]["cluster"]
    [exporter] = [body for body in output.every("DaemonSet") if "dcgm" in body["metadata"]["name"]]
    assert own["monitor_kubernetes_pods"] is True
    assert own["monitor_kubernetes_pods_namespaces"] == [exporter["metadata"]["namespace"]]
    pod = exporter["spec"]["template"]
    port = pod["spec"]["containers"][0]["ports"][0]["containerPort"]
    assert pod["metadata"]["annotations"] == {"prometheus.io/scrape": "true", "prometheus.io/port": str(port)}
    fields = {
        line.split(",")[0]
        for config_map in output.every("ConfigMap")
        for line in config_map["data"].get("counters.csv", "").splitlines()
    }
    assert own["fieldpass"]
    assert set(own["fieldpass"]) <= fields


def test_a_query_uses_only_metrics_that_the_agent_collects() -> None:
    counters = ["DCGM_FI_DEV_FB_USED", "DCGM_FI_DEV_FB_FREE"]
    text = written({**PROMETHEUS, "containerInsights": "utilization", "counters": counters})["gpu-queries.kql"]
    assert set(re.findall(r"DCGM_\w+", text)) == set(counters)
    assert "$cluster" not in text
    assert "DCGM" not in written({**PROMETHEUS, "containerInsights": "inventory"})["gpu-queries.kql"]


@pytest.mark.parametrize("provisioner", ["nap", "cluster-autoscaler"])
def test_queries_name_the_cluster_as_azure_does(provisioner: str) -> None:
    """The agents write the last part of the resource ID, with its case."""
    azure = CLUSTER_ID.replace("azure-one", "Azure_One")
    metrics = {**AZURE, **WATCHED, "containerInsights": "utilization"}
    ranker = workload("ranker", ["t4"], scaling={"target": 70, "max": 2})
    there = cluster(provisioner=provisioner, resourceId=azure)
    documents = (fleet(stack={"metrics": metrics, "keda": "addon"}), there, pool("t4"), ranker)
    plan = plans(*documents)["one"]
    text = {page.name: page.write(plan) for page in pages()}
    assert "clusterName: 'Azure_One'" in text["gpu-alerts.bicep"]
    assert 'cluster=\\"Azure_One\\"' in text["gpu-dashboard.json"]
    assert '=~ "Azure_One"' in text["gpu-queries.kql"]
    assert "--resource-group gpu --name Azure_One" in text["gpu-workbook.bicep"]
    [trigger] = emitted(*documents).one("ScaledObject", "ranker")["spec"]["triggers"]
    assert 'cluster="Azure_One"' in trigger["metadata"]["query"]
    assert not any('"one"' in query for query in (text["gpu-queries.kql"], trigger["metadata"]["query"]))


def test_the_rules_read_the_workspace_of_the_spec() -> None:
    workspace = f"{GROUP}/Microsoft.Monitor/accounts/gpu-metrics"
    page = written({**AZURE, **WATCHED, "workspace": workspace})["gpu-alerts.bicep"]
    assert f"param workspace string = '{workspace}'\n" in page
    assert "workspace=" not in page
    asked = written({**AZURE, **WATCHED})["gpu-alerts.bicep"]
    assert "param workspace string\n" in asked
    assert "--parameters workspace=<ID of the Azure Monitor workspace> " in asked
