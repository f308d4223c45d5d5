"""AKS managed GPU nodes: their exporter is a system service, which does not map GPUs to pods."""

import json

import pytest

from gitgpu.model.metrics.promql import read_query, selectors
from tests.emit.fleets import AZURE, CATALOG, PROMETHEUS, Body, Emitted, cluster, emitted, fleet, pool
from tests.emit.test_alerts import MANAGED, names, rules
from tests.emit.test_azure_pages import written
from tests.emit.test_dashboard import dashboard

ROW = CATALOG.must("exporters", "aks-managed")
WATCHED = {"alerts": True, "dashboards": True}


def with_metrics(metrics: Body, *pools: Body) -> Emitted:
    """The output for a monitored cluster."""
    return emitted(fleet(stack={"metrics": {**metrics, **WATCHED}}), cluster("one"), *pools)


def test_nodes_are_selected_by_the_label_of_aks_and_scraped_at_the_exporters_port() -> None:
    output = with_metrics({**PROMETHEUS, "interval": "15s", "labels": {"release": "stack"}}, MANAGED)
    [scrape] = output.every("ScrapeConfig")
    assert scrape["apiVersion"] == "monitoring.coreos.com/v1alpha1"
    assert scrape["metadata"]["labels"]["release"] == "stack"
    assert scrape["metadata"]["namespace"] in {body["metadata"]["name"] for body in output.every("Namespace")}
    [discovery] = scrape["spec"]["kubernetesSDConfigs"]
    assert discovery == {"role": "Node", "selectors": [{"role": "Node", "label": ROW["nodes"]["label"]}]}
    made = {relabeling["targetLabel"]: relabeling for relabeling in scrape["spec"]["relabelings"]}
    assert made["__address__"]["replacement"] == f"$1:{ROW['port']}" == "$1:19400"
    assert made["instance"]["sourceLabels"] == ["__meta_kubernetes_node_name"]
    assert scrape["spec"]["scrapeInterval"] == "15s"


@pytest.mark.parametrize(
    ("metrics", "pools"),
    [
        (AZURE, [MANAGED]),
        ({"scrape": "none"}, [MANAGED]),
        (PROMETHEUS, [pool("t4")]),
    ],
    ids=("Azure has its own job", "nothing scrapes", "no managed nodes"),
)
def test_no_scrape_object_is_emitted_if_it_is_not_needed(metrics: Body, pools: list[Body]) -> None:
    result = emitted(fleet(stack={"metrics": metrics}), cluster(), *pools)
    assert result.every("ScrapeConfig") == []


def test_without_other_exporters_there_are_the_alerts_of_nodes_alone() -> None:
    output = with_metrics(PROMETHEUS, MANAGED)
    assert names(output) == [
        "GpuHot",
        "GpuRowRemapFailure",
        "GpuUncorrectableMemoryErrors",
        "GpuXidError",
        "ManagedGpuIdle",
        "ManagedGpuMetricsMissing",
    ]
    [scrape], [rule] = output.every("ScrapeConfig"), output.every("PrometheusRule")
    assert rule["metadata"]["namespace"] == scrape["metadata"]["namespace"]


def test_an_alert_on_nodes_selects_the_scrape_job_and_ignores_pods() -> None:
    output = with_metrics(PROMETHEUS, MANAGED, pool("t4"))
    [scrape] = output.every("ScrapeConfig")
    by_name = {rule["alert"]: matchers(rule["expr"]) for rule in rules(output) if "alert" in rule}
    assert by_name["ManagedGpuMetricsMissing"] == {"job": scrape["spec"]["jobName"], "namespace": ""}
    assert by_name["ManagedGpuIdle"] == {"job": scrape["spec"]["jobName"], "namespace": ""}
    idle = next(rule["expr"] for rule in rules(output) if rule.get("alert") == "GpuIdle")
    assert 'namespace!="",' in idle  # a series without a pod is not an idle pod


def matchers(expr: str) -> Body:
    """The label matchers of a query."""
    return {match.label: match.value for selector in selectors(read_query(expr)) for match in selector.matchers}


def test_azure_has_the_same_alerts_for_its_own_job() -> None:
    text = written({**AZURE, **WATCHED}, MANAGED)["gpu-alerts.bicep"]
    assert "ManagedGpuMetricsMissing" in text
    assert "'GpuMetricsMissing'" not in text  # that alert counts pods
    assert f'job="{ROW["nodes"]["azureJob"]}"' in text


def test_panels_by_pod_exclude_series_without_pods() -> None:
    alone, both = (dashboard(with_metrics(PROMETHEUS, *gpu_pools)) for gpu_pools in ([MANAGED], [MANAGED, pool("t4")]))
    assert "Busy, by pod" not in {panel["title"] for panel in alone["panels"]}
    by_title = {panel["title"]: panel["targets"][0]["expr"] for panel in both["panels"]}
    assert by_title["Busy, by pod"].count('pod!=""') == 2
    assert 'pod!=""' not in by_title["Busy"]


def test_in_azures_job_the_node_is_the_instance() -> None:
    text = written({**AZURE, **WATCHED}, MANAGED)["gpu-dashboard.json"]
    legends = {panel["targets"][0]["legendFormat"] for panel in json.loads(text)["panels"]}
    assert legends == {
        "{{Hostname}}{{hostname}} {{instance}} GPU {{gpu}} {{GPU_I_PROFILE}} {{namespace}}/{{pod}}",
    }


def test_selected_counters_are_queried_from_every_exporter() -> None:
    few = {**PROMETHEUS, "counters": ["DCGM_FI_DEV_GPU_UTIL"]}
    variables = dashboard(with_metrics(few, MANAGED, pool("t4")))["templating"]["list"]
    [asked] = [variable["query"] for variable in variables if variable["name"] == "namespace"]
    assert asked == "query_result(group by (namespace) (DCGM_FI_DEV_GPU_UTIL or DCGM_FI_DEV_FB_USED))"


def test_they_export_whatever_the_spec_says_of_other_exporters() -> None:
    with_some, without = (with_metrics({**PROMETHEUS, "exporter": some}, MANAGED) for some in (True, False))
    assert len(without.every("ScrapeConfig")) == 1
    assert names(without) == names(with_some)
