"""Alert rules: an alert on a series that nothing exports would never fire."""

import re

from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.model.metrics.promql_faults import refusal
from tests.emit.fleets import A10, CATALOG, CLUSTER_ID, MI300X, PROMETHEUS, Body, Emitted, cluster, emitted, fleet, pool
from tests.emit.test_metrics import BOTH, exported
from tests.helping.cases import for_each

OF_NODES = {"kube_node_spec_taint", "kube_node_status_allocatable"}  # series of kube-state-metrics
FOREIGN = {"kube_daemonset_status_desired_number_scheduled", "up", *OF_NODES}  # and series of Prometheus itself
NODES = ["GpuNodeNotInitialized", "GpuNodeWithoutGpus"]
LABELS = {*CATALOG.must("series", "dcgm")["labels"], "daemonset", "node", "key", "value", "resource"}
LISTED = [field for name in CATALOG.names("counters") for field in CATALOG.must("counters", name)["fields"]]
COUNTERS: list[object] = ["standard", "profiling", LISTED, ["DCGM_FI_DEV_GPU_TEMP"], ["DCGM_FI_DEV_SM_CLOCK"]]
POOLS = {"t4": [pool("t4")], "a10": [pool("a10", A10)], "operator": BOTH[1:], "both": BOTH}
MANAGED = pool("managed", driver="managed")
POOLS |= {"managed": [MANAGED], "all": [*BOTH, MANAGED]}


def with_alerts(pools: list[Body], **metrics: object) -> Emitted:
    """The output with alerts."""
    return emitted(fleet(stack={"metrics": {**PROMETHEUS, "alerts": True, **metrics}}), cluster(), *pools)


def rules(output: Emitted) -> list[Body]:
    """The rules of the only group."""
    [body] = output.every("PrometheusRule")
    [group] = body["spec"]["groups"]
    every: list[Body] = group["rules"]
    return every


def names(output: Emitted) -> list[str]:
    """The names of the alerts on metrics of exporters."""
    return [rule["alert"] for rule in rules(output) if "alert" in rule and rule["alert"] not in NODES]


def fields(output: Emitted) -> set[str]:
    """Every metric that any exporter has. That of AKS runs on managed nodes and has a fixed list."""
    aks = set(CATALOG.must("exporters", "aks-managed")["defaults"]) if output.every("ScrapeConfig") else set()
    sets = [body["metadata"]["name"] for body in output.every("DaemonSet")]
    ours = {field for name in sets if name.startswith("dcgm") for field in exported(output, name)}
    values = output.operator_values() or {"dcgmExporter": {"config": {"data": ""}}}
    return ours | aks | {line.split(",")[0] for line in values["dcgmExporter"]["config"]["data"].splitlines()}


@for_each("counters", COUNTERS, ids=lambda value: str(value)[:30])
@for_each("pools", POOLS.values(), ids=POOLS)
def test_a_rule_queries_only_exported_metrics(pools: list[Body], counters: object) -> None:
    output = with_alerts(pools, counters=counters)
    there = fields(output) | FOREIGN
    for rule in rules(output):
        assert not refusal(rule["expr"])
        assert "$" not in rule["expr"]
        asked = list(selectors(read_query(rule["expr"])))
        assert asked
        assert {selector.metric for selector in asked} <= there, rule
        assert {match.label for selector in asked for match in selector.matchers} <= LABELS
        there |= {rule["record"]} if "record" in rule else set()


@for_each("pools", POOLS.values(), ids=POOLS)
def test_annotations_use_only_labels_that_the_expression_keeps(pools: list[Body]) -> None:
    for rule in rules(with_alerts(pools, counters=LISTED)):
        text = " ".join(rule.get("annotations", {}).values())
        asked = set(re.findall(r"\$labels\.(\w+)", text))
        dropped = {"container", "namespace", "pod", "pod_uid"} if "without" in rule["expr"] else set()
        assert asked <= LABELS - dropped
        assert text.count("{{") == text.count("}}")


def test_presets_add_the_usual_alerts() -> None:
    usual = [
        "GpuHot",
        "GpuIdle",
        "GpuMetricsMissing",
        "GpuRowRemapFailure",
        "GpuUncorrectableMemoryErrors",
        "GpuXidError",
    ]
    assert names(with_alerts(BOTH, counters="standard")) == usual
    assert names(with_alerts(BOTH, counters="profiling")) == usual
    more = {"GpuPageRetirementPending", "GpuThermalThrottling"}
    assert set(names(with_alerts(BOTH, counters=LISTED))) == {*usual, *more}


def test_alerts_without_their_metric_are_omitted() -> None:
    output = with_alerts(BOTH, counters=["DCGM_FI_DEV_GPU_TEMP"])
    assert names(output) == ["GpuHot", "GpuMetricsMissing"]
    assert [rule for rule in rules(output) if "record" in rule] == []


def test_a_partition_is_busy_by_the_profiling_counter() -> None:
    """With MIG, GPU_UTIL is absent, or 0 in old exporters, so the profiling counter must come first."""
    [busy] = [rule for rule in rules(with_alerts([pool("t4")])) if "record" in rule]
    assert busy["expr"] == "DCGM_FI_PROF_GR_ENGINE_ACTIVE or DCGM_FI_DEV_GPU_UTIL / 100"
    [plain] = [rule for rule in rules(with_alerts([pool("a10", A10)])) if "record" in rule]
    assert plain["expr"] == "DCGM_FI_DEV_GPU_UTIL / 100"


def test_the_exporters_are_those_of_the_scrape_objects() -> None:
    output = with_alerts(BOTH)
    [missing] = [rule["expr"] for rule in rules(output) if rule.get("alert") == "GpuMetricsMissing"]
    by = {match.label: match.value for selector in selectors(read_query(missing)) for match in selector.matchers}
    for monitor in output.every("ServiceMonitor"):
        assert re.fullmatch(by["namespace"], monitor["metadata"]["namespace"])
        # The job is the name of the Service, which the operator's monitor of gitgpu does not have.
        assert re.fullmatch(by["job"], monitor["metadata"]["name"].replace("gitgpu-", "nvidia-"))
    for name in ("dcgm-exporter", "dcgm-exporter-profiling", "nvidia-dcgm-exporter"):
        assert re.fullmatch(by["daemonset"], name)
    assert not re.fullmatch(by["daemonset"], "nvidia-dcgm")
    [idle] = [rule["expr"] for rule in rules(output) if rule.get("alert") == "GpuIdle"]
    assert 'namespace!~"gpu-operator|gpu-resources"' in idle


def test_prometheus_selects_rules_as_it_selects_monitors() -> None:
    output = with_alerts([pool("t4")], labels={"release": "stack"})
    [rule], [monitor] = output.every("PrometheusRule"), output.every("ServiceMonitor")
    assert rule["apiVersion"] == monitor["apiVersion"]
    assert rule["metadata"]["labels"]["release"] == "stack"
    assert rule["metadata"]["namespace"] == monitor["metadata"]["namespace"]


def test_without_scraping_there_are_no_alerts() -> None:
    assert with_alerts([]).every("PrometheusRule") == []


def test_alerts_are_requested() -> None:
    assert emitted(fleet(), cluster(), *BOTH).every("PrometheusRule") == []


def of_nodes(*pools: Body, **metrics: object) -> dict[str, str]:
    """The alerts on GPU nodes: the expression of each, by name."""
    expressions = {rule.get("alert"): rule["expr"] for rule in rules(with_alerts(list(pools), **metrics))}
    return {name: expressions[name] for name in NODES if name in expressions}


OWN = 'kube_node_spec_taint{key="sku",value="gpu"}'
DRIVERS: list[Body] = [{}, {"driver": "operator"}, {"driver": "none"}, {"driver": "managed"}]


@for_each("driver", DRIVERS, ids=str)
def test_a_node_without_gpus_is_reported_for_every_owner_of_the_driver(driver: Body) -> None:
    resources = "nvidia_com_gpu|nvidia_com_gpu_shared|nvidia_com_mig_.+"
    expr = of_nodes(pool("t4", **driver), pool("other"))["GpuNodeWithoutGpus"]
    there = f'kube_node_status_allocatable{{resource=~"{resources}"}}'
    assert expr == f"max by (node) ({OWN}) unless on (node) (max by (node) ({there}) > 0)"
    [rule] = [
        rule for rule in rules(with_alerts([pool("t4", **driver), pool("other")])) if rule.get("alert") == NODES[1]
    ]
    assert rule["for"] == "15m"


def test_each_vendor_has_its_resources() -> None:
    expr = of_nodes(pool("t4"), pool("mi300x", MI300X, driver="operator"))["GpuNodeWithoutGpus"]
    assert 'resource=~"amd_com_gpu|nvidia_com_gpu|' in expr


def test_a_windows_node_has_only_directx() -> None:
    windows = pool("win", A10, os="windows", nodes={"min": 1})
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    output = emitted(fleet(stack={"metrics": {**PROMETHEUS, "alerts": True}}), there, pool("t4"), windows)
    [expr] = [rule["expr"] for rule in rules(output) if rule.get("alert") == "GpuNodeWithoutGpus"]
    assert 'resource=~"microsoft_com_directx|nvidia_com_gpu|nvidia_com_gpu_shared|nvidia_com_mig_.+"' in expr


def test_a_taint_that_is_not_about_gpus_may_be_on_other_nodes() -> None:
    team = [{"key": "team", "value": "research", "effect": "NoSchedule"}]
    vendor = [{"key": "nvidia.com/gpu", "effect": "NoSchedule"}]
    assert of_nodes(pool("t4", taints=team)) == {}
    expr = of_nodes(pool("t4", taints=team), pool("a10", A10, taints=vendor))["GpuNodeWithoutGpus"]
    assert 'max by (node) (kube_node_spec_taint{key="nvidia.com/gpu",value=""}) unless' in expr


def test_a_node_that_never_finishes_starting_is_reported() -> None:
    taint = [{"key": "node.cilium.io/agent-not-ready", "effect": "NoExecute"}]
    expr = of_nodes(pool("t4", startupTaints=taint))["GpuNodeNotInitialized"]
    [waiting, tainted] = selectors(read_query(expr))
    [matcher] = waiting.matchers
    pattern = matcher.value
    for key in ("node.cilium.io/agent-not-ready", "node.cloudprovider.kubernetes.io/uninitialized"):
        assert re.fullmatch(pattern, key)
    assert not re.fullmatch(pattern, "nodexcilium.io/agent-not-ready")
    assert {match.label for match in tainted.matchers} == {"key", "value"}


def test_nodes_of_aks_have_no_node_claim() -> None:
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID)
    output = emitted(fleet(stack={"metrics": {**PROMETHEUS, "alerts": True}}), there, pool("t4"))
    assert [rule["alert"] for rule in rules(output) if rule.get("alert") in NODES] == ["GpuNodeWithoutGpus"]


def test_claimed_gpus_are_not_counted() -> None:
    there = cluster(provisioner="cluster-autoscaler", resourceId=CLUSTER_ID, stack={"allocation": "dra"})
    asked = fleet(stack={"metrics": {**PROMETHEUS, "alerts": True}})
    output = emitted(asked, there, pool("t4", nodes={"min": 2, "max": 2}))
    assert not [rule for body in output.every("PrometheusRule") for rule in rules(output) if rule.get("alert") in NODES]
