"""AMD GPUs: the output must match AMD's operator, Microsoft's guide and the scrape configuration."""

import json
import re

import pytest

from gitgpu.model.metrics.promql import read_query, selectors
from gitgpu.model.metrics.promql_faults import refusal
from tests.emit.fleets import (
    A100,
    AZURE,
    BY_NAME,
    CATALOG,
    MI300X,
    PROMETHEUS,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    placed,
    plans,
    pool,
    workload,
)
from tests.helping.cases import for_each

OPERATED: Body = {"driver": "operator"}
CHART = "amd-gpu-operator"
THERE = {metric for metric, there in CATALOG.must("series", "amd")["guest"].items() if there}
FOREIGN = {"kube_daemonset_status_desired_number_scheduled", "up"}  # of kube-state-metrics, of Prometheus itself
NODES = ["GpuNodeNotInitialized", "GpuNodeWithoutGpus"]  # alerts for any GPU vendor
LABELS = {"gpu_id", "hostname", "namespace", "pod", "container"}  # labels that AMD's exporter always sets
ALERTS = [
    "AmdGpuIdle",
    "AmdGpuMetricsIncomplete",
    "AmdGpuMetricsMissing",
    "AmdGpuUncorrectableMemoryErrors",
    "AmdGpuUnhealthy",
]


def test_nothing_manages_kernel_modules() -> None:
    """So cert-manager is not needed. A DaemonSet installs the driver, and the operator waits for it."""
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    values = output.values(CHART) or {}
    assert values["kmm"] == {"enabled": False, "watch": False}
    assert values["crds"] == {"defaultCR": {"install": False}}
    [config] = output.every("DeviceConfig")
    assert config["spec"]["driver"]["enable"] is False
    pod = output.one("DaemonSet", "amdgpu-driver-pool-mi300x")["spec"]["template"]["spec"]
    assert placed(pod["affinity"]) == ["mi300x"]
    assert output.one("AKSNodeClass", "mi300x")["spec"]["gpu"] == {"mode": "None"}


def test_every_image_is_pinned() -> None:
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config] = output.every("DeviceConfig")
    text = str(config)
    images = [word for word in text.replace("'", " ").split() if word.startswith(("docker.io/", "mcr.", "rocm/"))]
    assert len(images) == 4
    assert not any(image.endswith("latest") for image in images)


@pytest.mark.parametrize("others", [[], [pool("h100", A100, driver="operator")]], ids=["alone", "with NVIDIA's"])
def test_only_one_release_installs_node_feature_discovery(others: list[Body]) -> None:
    """AMD's release waits for the one that installs it, which brings the CRDs of its rules."""
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED), *others)
    worker = output.discovery() or {}
    assert placed(worker["affinity"]) == sorted(["mi300x", *(other["metadata"]["name"] for other in others)])
    waits = output.one("HelmRelease", CHART)["spec"].get("dependsOn")
    assert waits == [{"name": "node-feature-discovery"}]
    by_name = emitted(fleet(), cluster(stack=BY_NAME), pool("mi300x", MI300X, **OPERATED), *others)
    waits = by_name.one("HelmRelease", CHART)["spec"].get("dependsOn")
    assert waits == ([{"name": "gpu-operator"}] if others else None)


def test_the_scrape_finds_the_exporter() -> None:
    """AMD's operator sets the DeviceConfig's name as a label of the exporter's Service, and names the port."""
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config], [monitor] = output.every("DeviceConfig"), output.every("ServiceMonitor")
    name = f"{config['metadata']['name']}-metrics-exporter"
    assert monitor["spec"]["selector"] == {"matchLabels": {"app.kubernetes.io/service": name}}
    assert monitor["spec"]["namespaceSelector"] == {"matchNames": [config["metadata"]["namespace"]]}
    assert monitor["spec"]["endpoints"][0]["port"] == "exporter-port"


def test_without_metrics_there_is_no_exporter() -> None:
    output = emitted(fleet(stack={"metrics": {"exporter": False}}), cluster(), pool("mi300x", MI300X, **OPERATED))
    [config] = output.every("DeviceConfig")
    assert config["spec"]["metricsExporter"] == {"enable": False}
    assert not output.every("ServiceMonitor")


def test_software_of_others_is_left_alone() -> None:
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, driver="none"))
    assert {body["kind"] for body in (m.body for m in output.manifests)} == {
        "AKSNodeClass",
        "GitRepository",
        "Kustomization",
        "NodePool",
    }


def test_only_the_plugin_is_installed_if_others_install_the_driver() -> None:
    """It looks for GPUs only when it starts, so it waits for the driver. It has no write access to the node."""
    asked, left = pool("mi300x", MI300X, driver="none", devicePlugin=True), pool("own", MI300X, driver="none")
    output = emitted(fleet(), cluster(), asked, left)
    [body] = output.every("DaemonSet")
    pod = body["spec"]["template"]["spec"]
    assert placed(pod["affinity"]) == ["mi300x"]
    [waiter], [plugin] = pod["initContainers"], pod["containers"]
    assert all(path in waiter["command"][-1] for path in ("/sys/class/kfd", "/sys/module/amdgpu/drivers"))
    assert plugin["image"].startswith("docker.io/rocm/k8s-device-plugin:")
    sockets = {"name": "sockets", "mountPath": "/var/lib/kubelet/device-plugins"}
    assert [mount for mount in plugin["volumeMounts"] if not mount.get("readOnly")] == [sockets]
    assert not any(context.get("privileged") for context in (waiter["securityContext"], plugin["securityContext"]))
    assert [namespace["metadata"]["name"] for namespace in output.every("Namespace")] == [body["metadata"]["namespace"]]
    assert output.values(CHART) is None


def watching(*others: Body, **metrics: object) -> Emitted:
    """A cluster with AMD GPUs and monitoring."""
    asked = {**PROMETHEUS, "alerts": True, "dashboards": True, **metrics}
    return emitted(fleet(stack={"metrics": asked}), cluster(), pool("mi300x", MI300X, **OPERATED), *others)


def rules(output: Emitted) -> list[Body]:
    """The alert rules."""
    [body] = output.every("PrometheusRule")
    every: list[Body] = body["spec"]["groups"][0]["rules"]
    return every


def charts(output: Emitted) -> Body:
    """The dashboard."""
    [text] = next(
        config_map for config_map in output.every("ConfigMap") if config_map["metadata"]["name"] == "gitgpu-dashboard"
    )["data"].values()
    body: Body = json.loads(text)
    return body


def test_the_source_of_the_driver_is_in_the_catalog() -> None:
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED))
    [container] = output.one("DaemonSet", "amdgpu-driver-pool-mi300x")["spec"]["template"]["spec"]["containers"]
    row, script = CATALOG.must("packages", "amdgpu"), str(container)
    assert row["repository"].replace("$release", "$DRIVER") in script
    assert all(row[key] in script for key in ("key", "package"))
    assert not re.search(r"@[A-Z]", script)


def test_alerts_query_metrics_that_a_virtual_gpu_is_known_to_have() -> None:
    asked = set()
    for rule in (alert for alert in rules(watching()) if alert["alert"] in ALERTS):
        assert not refusal(rule["expr"])
        assert "$exporters" not in rule["expr"]
        metrics = {selector.metric for selector in selectors(read_query(rule["expr"]))}
        assert metrics <= THERE | FOREIGN
        asked |= metrics - FOREIGN
        used = set(re.findall(r"\$labels\.(\w+)", " ".join(rule["annotations"].values())))
        assert used <= LABELS - ({"namespace", "pod", "container"} if "without" in rule["expr"] else set())
    assert asked == THERE


def test_metrics_that_may_be_absent_have_an_alert() -> None:
    """An alert on an absent series never fires, so another alert reports the absence."""
    rows = {row.get("alert"): row for row in CATALOG.rows("alerts").values()}
    incomplete = read_query(rows["AmdGpuMetricsIncomplete"]["terms"][0]["expr"])
    needed = {selector.metric for selector in selectors(incomplete)} - {"up"}
    of_amd = {name for name in CATALOG.names("metrics") if CATALOG.must("metrics", name)["amd"]}
    scaled = {metric for name in of_amd for metric in CATALOG.must("metrics", name)["amd"]}
    asked = {field for row in rows.values() if row.get("scope") == "amd" for field in row["terms"][0]["fields"]}
    assert needed == asked == THERE
    assert scaled <= needed


def test_a_fleet_with_only_amd_gpus_has_only_their_alerts() -> None:
    assert [rule["alert"] for rule in rules(watching())] == [*ALERTS, *NODES]
    beside = [rule.get("alert") for rule in rules(watching(pool("t4")))]
    assert set(ALERTS) < set(beside)
    assert "GpuXidError" in beside
    without = emitted(fleet(stack={"metrics": {**PROMETHEUS, "alerts": True}}), cluster(), pool("t4"))
    assert not any("Amd" in rule.get("alert", "") for rule in rules(without))


def test_the_alert_on_a_missing_exporter_is_about_the_scraped_job() -> None:
    output = watching()
    [missing] = [rule["expr"] for rule in rules(output) if rule["alert"] == "AmdGpuMetricsMissing"]
    [monitor] = output.every("ServiceMonitor")
    by = {match.label: match.value for selector in selectors(read_query(missing)) for match in selector.matchers}
    assert by["job"] == by["daemonset"] == monitor["metadata"]["name"]
    assert by["namespace"] == monitor["metadata"]["namespace"]


@pytest.mark.parametrize("others", [[], [pool("t4")]], ids=["alone", "with NVIDIA"])
def test_the_dashboard_shows_exported_metrics(others: list[Body]) -> None:
    body = charts(watching(*others))
    titles = [chart["title"] for chart in body["panels"]]
    assert {"Busy", "Busy, by pod", "Memory used", "Uncorrectable errors of AMD GPUs"} <= set(titles)
    assert ("Temperature" in titles) is bool(others)
    for panel in body["panels"]:
        [target] = panel["targets"]
        assert not refusal(target["expr"])
        of_amd = {
            selector.metric for selector in selectors(read_query(target["expr"])) if selector.metric.startswith("gpu_")
        }
        assert of_amd <= THERE
        assert "GPU" not in target["legendFormat"] or "{{gpu_id}}" in target["legendFormat"]
    nodes, namespaces = (variable["query"] for variable in body["templating"]["list"][1:])
    for query in (nodes, namespaces):
        assert ("DCGM_FI_DEV" in query) is bool(others)
        assert "gpu_ecc_uncorrect_total" in query
    assert namespaces.startswith("query_result" if others else "label_values")


@for_each("metrics", [AZURE, PROMETHEUS], ids=("azure-managed", "prometheus-operator"))
@for_each("metric", ["gpu-utilization", "gpu-memory"])
def test_workloads_scale_on_metrics_of_amds_exporter(metric: str, metrics: Body) -> None:
    asked = workload("chat", ["mi300x"], scaling={"metric": metric, "target": 70, "max": 8})
    planned = plans(fleet(stack={"metrics": metrics}), cluster(), pool("mi300x", MI300X, **OPERATED), asked)
    [plan] = planned["one"].workloads
    [trigger] = plan.triggers
    query = trigger.metadata["query"]
    assert not refusal(query)
    every = list(selectors(read_query(query)))
    assert {selector.metric for selector in every} == set(CATALOG.must("metrics", metric)["amd"])
    labels = {"namespace", "pod", *({"cluster"} if metrics["scrape"] == "azure-managed" else ())}
    assert all({match.label for match in selector.matchers} == labels for selector in every)


def test_pod_metrics_of_both_vendors_have_different_names() -> None:
    """Prometheus Adapter identifies a metric only by its name."""
    spec = {"scaling": {"engine": "hpa", "target": 70, "max": 8}}
    wanted = [workload("a", ["mi300x"], **spec), workload("b", ["t4"], **spec)]
    output = emitted(fleet(), cluster(), pool("mi300x", MI300X, **OPERATED), pool("t4"), *wanted)
    values = output.one("HelmRelease", "prometheus-adapter")["spec"]["values"]
    assert [rule["name"]["as"] for rule in values["rules"]["custom"]] == ["amd_gpu_utilization", "gpu_utilization"]
    [asked] = output.one("HorizontalPodAutoscaler", "a")["spec"]["metrics"]
    assert asked["pods"]["metric"]["name"] == "amd_gpu_utilization"
