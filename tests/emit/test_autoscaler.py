"""Scaling without KEDA: the autoscaler uses a metric that the adapter serves, from fields that are exported."""

from typing import Any

import pytest

from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.plan.adapter import RULES
from tests.emit.fleets import CATALOG, Emitted, cluster, emitted, fleet, pool, workload

METRICS = tuple(RULES)


def scaled(*scalings: dict[str, Any], **stack: Any) -> Emitted:
    """The output with a workload for each of these."""
    wanted = [
        workload(f"w{at}", ["t4"], scaling={"target": 70, "max": 8, **scaling}) for at, scaling in enumerate(scalings)
    ]
    return emitted(fleet(stack=stack), cluster(), pool("t4"), *wanted)


def adapter_rules(output: Emitted) -> list[dict[str, Any]]:
    """The rules in the Prometheus values Adapter."""
    rules: list[dict[str, Any]] = output.one("HelmRelease", "prometheus-adapter")["spec"]["values"]["rules"]["custom"]
    return rules


@pytest.mark.parametrize("metric", METRICS)
def test_the_autoscaler_uses_a_metric_that_the_adapter_serves(metric: str) -> None:
    output = scaled({"engine": "hpa", "metric": metric})
    (asked,) = output.one("HorizontalPodAutoscaler", "w0")["spec"]["metrics"]
    (made,) = adapter_rules(output)
    assert asked["pods"]["metric"]["name"] == made["name"]["as"]
    assert asked["pods"]["target"] == {"type": "AverageValue", "averageValue": "70"}
    assert made["resources"]["overrides"] == {name: {"resource": name} for name in ("namespace", "pod")}


@pytest.mark.parametrize("metric", METRICS)
def test_the_adapter_queries_the_fields_of_the_metric(metric: str) -> None:
    query = RULES[metric].query.replace("<<.LabelMatchers>>", 'pod="a"').replace("<<.GroupBy>>", "pod")
    fields = {selector.metric for selector in selectors(read_query(query))}
    assert fields == set(CATALOG.must("metrics", metric)["fields"])
    assert RULES[metric].series.partition("{")[0] in fields


def test_each_scaler_has_its_own_kind_of_object() -> None:
    output = scaled({"engine": "hpa"}, {"engine": "keda"})
    assert [body["metadata"]["name"] for body in output.every("ScaledObject")] == ["w1"]
    assert [body["metadata"]["name"] for body in output.every("HorizontalPodAutoscaler")] == ["w0"]


def test_the_adapter_comes_once_with_each_metric_once_and_only_where_it_is_needed() -> None:
    output = scaled({"engine": "hpa"}, {"engine": "hpa"}, {"engine": "hpa", "metric": "gpu-memory"})
    assert [rule["name"]["as"] for rule in adapter_rules(output)] == ["gpu_memory", "gpu_utilization"]
    assert not [body for body in scaled({}).every("HelmRelease") if body["metadata"]["name"] == "prometheus-adapter"]
    none = scaled({"engine": "hpa"}, adapter="none")
    assert not none.every("HelmRelease")
    assert len(none.every("HorizontalPodAutoscaler")) == 1


def test_the_url_is_whole_and_the_chart_adds_no_port() -> None:
    values = scaled({"engine": "hpa"}).one("HelmRelease", "prometheus-adapter")["spec"]["values"]
    assert values["prometheus"] == {"url": "http://prometheus.monitoring:9090", "port": ""}
    assert values["rules"]["default"] is False


def test_a_cooldown_is_the_delay_before_scaling_down() -> None:
    spec = scaled({"engine": "hpa", "cooldown": "10m"}).one("HorizontalPodAutoscaler", "w0")["spec"]
    assert spec["behavior"] == {"scaleDown": {"stabilizationWindowSeconds": 600}}
    assert (spec["minReplicas"], spec["maxReplicas"]) == (1, 8)
