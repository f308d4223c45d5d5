"""The first reason why nothing exports a metric for a pool."""

from gitgpu.rules.inputs.exported_metrics import export_gap, find_export_gap
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG, inputs_of

FLEET = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec:
  region: swedencentral
  kubernetesVersion: "1.34"
  stack: {{driver: {driver}, metrics: {{server: "http://prometheus.monitoring:9090", {metrics}}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: pool}}
spec: {{clusters: [prod-swc], sku: {sku}, limits: {{nodes: 4}}}}
"""
T4, A100, MI300X, V620, V710 = (
    "Standard_NC16as_T4_v3",
    "Standard_NC24ads_A100_v4",
    "Standard_ND96isr_MI300X_v5",
    "Standard_NG32ads_V620_v1",
    "Standard_NV24ads_V710_v5",
)
RTX = "Standard_NC144ds_xl_RTXPRO6000BSE_v6"  # no source says that profiling works on it
SCRAPED = "scrape: prometheus-operator, counters: standard"

UNLISTED = "AMD does not list the GPUs of {} for its GPU Operator"


def gap(metric: str, sku: str, driver: str = "aks", metrics: str = SCRAPED) -> str:
    """Why nothing exports a metric on a size; "" if something does."""
    inputs = inputs_of(FLEET.format(driver=driver, metrics=metrics, sku=sku))
    why_not = export_gap(inputs, CATALOG.must("metrics", metric), inputs.clusters[0], inputs.pools[0])
    return why_not.why if why_not else ""


@for_each(
    ("metric", "sku", "driver", "expected"),
    [
        ("gpu-utilization", T4, "aks", ""),
        ("gpu-utilization", T4, "operator", ""),
        (
            "gpu-utilization",
            T4,
            "managed",
            "the exporter of AKS managed GPU nodes does not report which pod uses a GPU",
        ),
        ("gpu-utilization", T4, "none", "with driver: none, gitgpu does not install an exporter"),
        ("tensor-activity", T4, "aks", "stack.metrics.counters does not list DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"),
        ("gpu-utilization", MI300X, "operator", ""),
        ("gpu-memory", MI300X, "operator", ""),
        ("tensor-activity", MI300X, "operator", "no source confirms that AMD GPUs in a VM have tensor-activity"),
        ("gpu-utilization", MI300X, "none", "AMD's exporter is part of AMD's operator"),
        ("gpu-utilization", V620, "operator", UNLISTED.format(V620)),
        ("gpu-memory", V710, "operator", UNLISTED.format(V710)),
    ],
)
def test_gaps_by_driver_and_size(metric: str, sku: str, driver: str, expected: str) -> None:
    assert gap(metric, sku, driver) == expected


@for_each(
    ("metric", "metrics", "expected"),
    [
        ("gpu-utilization", "exporter: false", "stack.metrics.exporter is false"),
        ("gpu-utilization", "scrape: none", "stack.metrics.scrape: none"),
        (
            "gpu-utilization",
            "counters: [DCGM_FI_DEV_FB_USED]",
            "stack.metrics.counters does not list DCGM_FI_DEV_GPU_UTIL",
        ),
        ("tensor-activity", "counters: profiling", ""),
    ],
)
def test_gaps_by_settings_of_the_exporter(metric: str, metrics: str, expected: str) -> None:
    assert gap(metric, A100, metrics=metrics) == expected


@for_each(
    ("metrics", "field", "remedy"),
    [
        (SCRAPED, "DCGM_FI_DEV_GPU_UTIL", None),
        (SCRAPED, "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "add DCGM_FI_PROF_PIPE_TENSOR_ACTIVE to counters"),
        (SCRAPED, "DCGM_FI_NONE", "use another field"),
        ("scrape: none", "DCGM_FI_NONE", None),
        ("exporter: false", "DCGM_FI_NONE", None),
    ],
)
def test_a_field_that_the_counters_leave_out(metrics: str, field: str, remedy: str | None) -> None:
    cluster = inputs_of(FLEET.format(driver="aks", metrics=metrics, sku=T4)).clusters[0]
    why_not = find_export_gap(field, cluster.stack.metrics, CATALOG)
    assert (why_not and why_not.remedy) == remedy


def test_amd_exports_only_the_listed_metrics_of_a_virtual_gpu() -> None:
    inputs = inputs_of(FLEET.format(driver="operator", metrics=SCRAPED, sku=MI300X))
    known = CATALOG.must("metrics", "gpu-utilization")
    for fields, is_exported in ((known["amd"], True), ([*known["amd"], "GPU_FAN_SPEED"], False)):
        why_not = export_gap(inputs, {**known, "amd": fields}, inputs.clusters[0], inputs.pools[0])
        assert (why_not is None) == is_exported


@for_each(
    ("driver", "selection", "expected"),
    [
        ("aks", "pools", ""),
        ("operator", "pools", f"profiling counters are not known to work on {RTX}"),
        ("operator", "labels", ""),
    ],
)
def test_the_pools_of_the_operator_share_a_list_of_counters(driver: str, selection: str, expected: str) -> None:
    """By pools, it has what all of them have. By labels, it has all, and each exporter omits what its GPUs lack."""
    metrics = "scrape: prometheus-operator, counters: profiling"
    fleet = FLEET.format(driver=f"operator, nodeSelection: {selection}", metrics=metrics, sku=A100)
    other = f"""\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: rtx}}
spec: {{clusters: [prod-swc], sku: {RTX}, limits: {{nodes: 4}}, driver: {driver}}}
"""
    inputs = inputs_of(fleet + other)
    reason = export_gap(inputs, CATALOG.must("metrics", "tensor-activity"), inputs.clusters[0], inputs.pools[0])
    assert (reason.why if reason else "") == expected
