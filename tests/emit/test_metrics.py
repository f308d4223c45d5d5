"""Exporters and scraping: if a ServiceMonitor selected no Service, the dashboard would have no data."""

import pytest
from hypothesis import given

from tests.emit.fleets import (
    A10,
    AZURE,
    BY_NAME,
    CATALOG,
    PROMETHEUS,
    T4,
    Body,
    Emitted,
    cluster,
    emitted,
    fleet,
    pool,
    pools,
)

GROUPS = {"azure-managed": "azmonitoring.coreos.com/v1", "prometheus-operator": "monitoring.coreos.com/v1"}
LIMITS = {"labelLimit": 63, "labelNameLengthLimit": 511, "labelValueLengthLimit": 1023}
BOTH = [pool("t4"), pool("trained", "Standard_ND96isr_H100_v5", driver="operator", image={"family": "Ubuntu2204"})]


def with_metrics(metrics: Body, *gpu_pools: Body) -> Emitted:
    """The output with these metrics."""
    return emitted(fleet(stack={"metrics": metrics}), cluster(), *gpu_pools)


def exported(output: Emitted, name: str) -> list[str]:
    """The fields that a gitgpu exporter exports."""
    return [
        line.split(",")[0]
        for line in output.one("ConfigMap", listing(output, name))["data"]["counters.csv"].splitlines()
    ]


def listing(output: Emitted, name: str) -> str:
    """The name of the ConfigMap that an exporter reads its fields from."""
    volumes = output.one("DaemonSet", name)["spec"]["template"]["spec"]["volumes"]
    return next(str(volume["configMap"]["name"]) for volume in volumes if "configMap" in volume)


@pytest.mark.parametrize("metrics", [AZURE, PROMETHEUS], ids=("azure-managed", "prometheus-operator"))
def test_a_monitor_is_in_the_api_group_of_the_scraper(metrics: Body) -> None:
    for body in with_metrics(metrics, *BOTH).every("ServiceMonitor"):
        assert body["apiVersion"] == GROUPS[metrics["scrape"]]
        limits = {key: body["spec"][key] for key in LIMITS if key in body["spec"]}
        assert limits == (LIMITS if metrics["scrape"] == "azure-managed" else {})
        assert [endpoint["honorLabels"] for endpoint in body["spec"]["endpoints"]] == [True]


def test_a_monitor_selects_the_service_and_the_service_its_pods() -> None:
    output = with_metrics({**PROMETHEUS, "interval": "15s", "labels": {"release": "stack"}}, *BOTH, pool("a10", A10))
    ours, operators = output.every("ServiceMonitor")
    service = output.one("Service", "dcgm-exporter")
    assert ours["metadata"]["labels"]["release"] == "stack"
    assert ours["spec"]["selector"]["matchLabels"].items() <= service["metadata"]["labels"].items()
    assert ours["spec"]["namespaceSelector"]["matchNames"] == [service["metadata"]["namespace"]]
    [endpoint], [port] = ours["spec"]["endpoints"], service["spec"]["ports"]
    assert (endpoint["port"], endpoint["interval"]) == (port["name"], "15s")
    sets = output.every("DaemonSet")[:2]
    for body in sets:
        template = body["spec"]["template"]
        assert service["spec"]["selector"].items() <= template["metadata"]["labels"].items()
        [container] = template["spec"]["containers"]
        assert port["targetPort"] in [container_port["name"] for container_port in container["ports"]]
    # The Service of the operator's exporter: labels and port from its state-dcgm-exporter assets.
    assert operators["spec"]["selector"]["matchLabels"] == {"app": "nvidia-dcgm-exporter"}
    assert operators["spec"]["endpoints"][0]["port"] == "gpu-metrics"
    assert operators["spec"]["namespaceSelector"]["matchNames"] == ["gpu-operator"]


@given(pools())
def test_no_two_daemon_sets_select_the_same_pods(gpu_pools: list[Body]) -> None:
    result = emitted(fleet(), cluster(), *gpu_pools)
    selectors = [body["spec"]["selector"]["matchLabels"] for body in result.every("DaemonSet")]
    templates = [body["spec"]["template"]["metadata"]["labels"] for body in result.every("DaemonSet")]
    for index, selector in enumerate(selectors):
        assert [at for at, labels in enumerate(templates) if selector.items() <= labels.items()] == [index]


def test_profiling_fields_are_exported_only_for_gpus_that_support_them() -> None:
    """With the converged driver, an A10 node is a vGPU guest, where the profiling module does not work."""
    output = with_metrics({**PROMETHEUS, "counters": "profiling"}, pool("t4"), pool("a10", A10))
    plain, profiled = exported(output, "dcgm-exporter"), exported(output, "dcgm-exporter-profiling")
    assert "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE" in profiled
    assert not [field for field in plain if "_PROF_" in field]
    assert set(plain) < set(profiled)
    rights = [added(output.one("DaemonSet", name)) for name in ("dcgm-exporter", "dcgm-exporter-profiling")]
    assert rights == [[], ["SYS_ADMIN"]]


def added(body: Body) -> list[str]:
    """The capabilities that are added to an exporter."""
    [container] = body["spec"]["template"]["spec"]["containers"]
    assert container["securityContext"]["capabilities"]["drop"] == ["ALL"]
    capabilities: list[str] = container["securityContext"]["capabilities"].get("add", [])
    return capabilities


def test_standard_counters_need_no_capabilities() -> None:
    output = with_metrics({**PROMETHEUS, "counters": "standard"}, pool("t4"), pool("a10", A10))
    assert [body["metadata"]["name"] for body in output.every("DaemonSet")] == ["dcgm-exporter", "nvidia-device-plugin"]
    assert exported(output, "dcgm-exporter") == list(CATALOG.must("counters", "standard")["fields"])


def test_another_list_of_fields_restarts_the_exporters() -> None:
    """Both exporters read the list only at start-up, so its name has to change with its content."""

    def names(counters: list[str]) -> tuple[str, str]:
        output = with_metrics({**PROMETHEUS, "counters": counters}, *BOTH)
        values = output.operator_values() or {}
        return listing(output, "dcgm-exporter"), values["dcgmExporter"]["config"]["name"]

    first, other = names(["DCGM_FI_DEV_GPU_UTIL"]), names(["DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_DEV_FB_USED"])
    assert first == names(["DCGM_FI_DEV_GPU_UTIL"])
    assert set(first).isdisjoint(other)


def test_an_exporter_without_fields_is_omitted() -> None:
    """If none of the fields can be measured, there is neither an exporter nor a scrape object."""
    output = with_metrics({**PROMETHEUS, "counters": ["DCGM_FI_PROF_DRAM_ACTIVE"]}, pool("a10", A10))
    assert [body["metadata"]["name"] for body in output.every("DaemonSet")] == ["nvidia-device-plugin"]
    assert output.every("ServiceMonitor") == []


def test_an_exporter_has_the_memory_that_was_measured() -> None:
    daemon_set = with_metrics(PROMETHEUS, pool("t4")).one("DaemonSet", "dcgm-exporter-profiling")
    [container] = daemon_set["spec"]["template"]["spec"]["containers"]
    wanted = CATALOG.must("containers", "dcgm-exporter")["memory"]
    assert container["resources"]["requests"]["memory"] == wanted["requests"]
    assert container["resources"]["limits"] == {"memory": wanted["limits"]}


def test_counters_by_name() -> None:
    wanted = ["DCGM_FI_DEV_GPU_UTIL", "DCGM_FI_PROF_DRAM_ACTIVE"]
    output = with_metrics({**PROMETHEUS, "counters": wanted}, pool("t4"), pool("a10", A10))
    assert exported(output, "dcgm-exporter-profiling") == wanted
    assert exported(output, "dcgm-exporter") == wanted[:1]


@pytest.mark.parametrize("counters", ["standard", "profiling"])
def test_a_line_of_counters_has_three_fields(counters: str) -> None:
    """The exporter does not start if a line has another number of commas."""
    output = with_metrics({**PROMETHEUS, "counters": counters}, *BOTH)
    config = (output.operator_values() or {})["dcgmExporter"]["config"]["data"]
    ours = [text for body in output.every("ConfigMap") for text in body["data"].values() if "DCGM_" in text]
    for line in "".join([config, *ours]).splitlines():
        field, kind, words = line.split(", ")
        assert field.startswith("DCGM_FI_")
        assert kind in ("gauge", "counter", "label")
        assert words.strip()


def test_the_list_of_fields_is_where_the_exporter_looks() -> None:
    output = with_metrics(PROMETHEUS, pool("t4"))
    spec = output.one("DaemonSet", "dcgm-exporter-profiling")["spec"]["template"]["spec"]
    [container] = spec["containers"]
    flag, path = container["args"]
    folder = next(mount["mountPath"] for mount in container["volumeMounts"] if mount["name"] == "counters")
    volume = next(entry["configMap"]["name"] for entry in spec["volumes"] if entry["name"] == "counters")
    assert flag == "-f"
    assert path.rpartition("/")[0] == folder
    assert path.rpartition("/")[2] in output.one("ConfigMap", volume)["data"]


@pytest.mark.parametrize(
    ("metrics", "kinds"),
    [
        ({"exporter": False}, {"DaemonSet": ["nvidia-device-plugin"], "Service": [], "ServiceMonitor": []}),
        ({"scrape": "none"}, {"Service": ["dcgm-exporter"], "ServiceMonitor": []}),
    ],
    ids=("no exporter", "no scrape"),
)
def test_unrequested_objects_are_not_emitted(metrics: Body, kinds: dict[str, list[str]]) -> None:
    output = with_metrics(metrics, *BOTH)
    assert {kind: [body["metadata"]["name"] for body in output.every(kind)] for kind in kinds} == kinds


def test_the_exporter_of_the_operator_is_off_if_no_metrics_are_requested() -> None:
    values = with_metrics({"exporter": False}, *BOTH).operator_values()
    assert values is not None
    assert values["dcgmExporter"] == {"enabled": False}


def test_the_operator_creates_no_service_monitor() -> None:
    """Azure's collector does not read its API group, and the API server rejects it without the CRD."""
    values = with_metrics(AZURE, *BOTH).operator_values()
    assert values is not None
    assert values["dcgmExporter"]["serviceMonitor"] == {"enabled": False}


@pytest.mark.parametrize(("way", "expected"), [(None, None), ("timeSlicing", "true"), ("mps", "true")])
def test_the_exporter_is_configured_for_shared_gpus(way: str | None, expected: str | None) -> None:
    sharing: Body = {"partition": {way: {"replicas": 4}}} if way else {}
    stack = {**BY_NAME, "metrics": PROMETHEUS}
    output = emitted(fleet(), cluster(stack=stack), pool("t4", T4, **sharing))
    [container] = output.one("DaemonSet", "dcgm-exporter-profiling")["spec"]["template"]["spec"]["containers"]
    environment = {variable["name"]: variable.get("value") for variable in container["env"]}
    assert environment.get("KUBERNETES_VIRTUAL_GPUS") == expected
    assert environment["DCGM_EXPORTER_INTERVAL"] == "30000"


def test_probes_have_the_delays_of_the_spec() -> None:
    probes = {"readinessDelaySeconds": 7, "livenessDelaySeconds": 9}
    output = with_metrics({**PROMETHEUS, "probes": probes}, pool("t4"))
    [container] = output.one("DaemonSet", "dcgm-exporter-profiling")["spec"]["template"]["spec"]["containers"]
    delays = [container[probe]["initialDelaySeconds"] for probe in ("readinessProbe", "livenessProbe")]
    assert delays == [7, 9]


@pytest.mark.parametrize("replicas", [None, 4])
def test_both_exporters_get_the_interval_and_the_sharing(replicas: int | None) -> None:
    shared: Body = {} if replicas is None else {"partition": {"timeSlicing": {"replicas": replicas}}}
    image = {"family": "Ubuntu2204"}
    output = emitted(
        fleet(),
        cluster(stack={**BY_NAME, "metrics": {**AZURE, "interval": "1m"}}),
        pool("t4", **shared),
        pool("trained", driver="operator", image=image, **shared),
    )
    container = output.one("DaemonSet", "dcgm-exporter-profiling")["spec"]["template"]["spec"]["containers"][0]
    operators = (output.operator_values() or {})["dcgmExporter"]["env"]
    for env in (container["env"], operators):
        variables = {variable["name"]: variable.get("value") for variable in env}
        assert variables["DCGM_EXPORTER_INTERVAL"] == "60000"
        assert variables.get("KUBERNETES_VIRTUAL_GPUS") == (None if replicas is None else "true")
