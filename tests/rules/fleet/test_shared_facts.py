"""Facts about a pool or a size that several rules use: labels of nodes, missing metrics, limits, dates."""

import json
from typing import Any

import pytest

from gitgpu.load.catalog.folders import Folder
from gitgpu.load.catalog.rows import CatalogFiles
from gitgpu.model.catalog import Catalog
from gitgpu.model.dates import has_begun, is_before, is_retired, known_day, over, retirement, retiring
from gitgpu.model.fleet import Cluster, Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Lifecycle
from gitgpu.rules.inputs.budgets import blocking_budgets
from gitgpu.rules.inputs.exported_metrics import by_gitgpu, export_gap, find_export_gap
from gitgpu.rules.inputs.karpenter import since_when
from gitgpu.rules.inputs.limits import is_paused, short, short_together
from gitgpu.rules.inputs.node_labels import labels
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CATALOG, RULES, inputs_of

T4, A100, V710 = "Standard_NC16as_T4_v3", "Standard_NC24ads_A100_v4", "Standard_NV4ads_V710_v5"
MI300X, A10, V100 = "Standard_ND96isr_MI300X_v5", "Standard_NV6ads_A10_v5", "Standard_ND40rs_v2"
OF_AMD = f"sku: {MI300X}, image: {{family: Ubuntu2204}}"
ZONES = "topology.kubernetes.io/zone"
DAY = str(CATALOG.facts("skus", T4)["verified"])  # type: ignore[index]


def pool_and_cluster(pool: str = "", region: str = "swedencentral", stack: str = "") -> tuple[Inputs, Pool, Cluster]:
    """A pool with limits on a cluster, by default of T4s."""
    size = "" if "sku:" in pool else f"sku: {T4}, "
    limits = "" if "limits:" in pool else "limits: {gpus: 8}, "
    inputs = inputs_of(f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: p}}
spec: {{clusters: [c], {size}{limits}{pool}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: c}}
spec: {{region: {region}, kubernetesVersion: "1.36", stack: {{{stack}}}}}
""")
    return inputs, inputs.pools[0], inputs.clusters[0]


def labelled(pool: str = "", region: str = "swedencentral") -> dict[str, tuple[str, ...]]:
    """The labels that nodes of a pool can have."""
    inputs, gpu_pool, cluster = pool_and_cluster(pool, region)
    return labels(gpu_pool, cluster, inputs.catalog)


USUAL = {
    "karpenter.sh/capacity-type": ("on-demand",),
    "kubernetes.azure.com/scalesetpriority": ("regular",),
    "kubernetes.azure.com/priority": ("regular",),
    "karpenter.azure.com/placement-scope": ("zonal", "regional"),
    "kubernetes.azure.com/os-sku": ("Ubuntu",),
    "kubernetes.azure.com/fips_enabled": (),
    "kubernetes.azure.com/mode": ("system", "user"),
    "kubernetes.io/os": ("linux",),
    "kubernetes.io/arch": ("amd64",),
    "topology.kubernetes.io/region": ("swedencentral",),
    ZONES: ("swedencentral-1", "swedencentral-2", "swedencentral-3", "0"),
    "node.kubernetes.io/instance-type": (T4,),
    "karpenter.azure.com/sku-name": (T4,),
    "karpenter.azure.com/sku-family": ("N",),
    "karpenter.azure.com/sku-series": ("NCas_v3",),
    "karpenter.azure.com/sku-version": ("3",),
    "karpenter.azure.com/sku-cpu": ("16",),
    "karpenter.azure.com/sku-memory": ("112640",),
    "karpenter.azure.com/sku-gpu-name": ("T4",),
    "karpenter.azure.com/sku-gpu-count": ("1",),
    "karpenter.azure.com/sku-gpu-manufacturer": ("nvidia",),
}


def test_the_labels_that_nodes_of_a_pool_can_have() -> None:
    assert labelled() == USUAL


@for_each(
    ("pool", "changes"),
    [
        ("capacity: [spot]", {
            "karpenter.sh/capacity-type": ("spot",),
            "kubernetes.azure.com/scalesetpriority": ("spot",), "kubernetes.azure.com/priority": ("spot",)}),
        ("capacity: [spot, on-demand]", {
            "karpenter.sh/capacity-type": ("spot", "on-demand"),
            "kubernetes.azure.com/scalesetpriority": ("spot", "regular"),
            "kubernetes.azure.com/priority": ("spot", "regular")}),
        ("placement: regional", {"karpenter.azure.com/placement-scope": ("regional",), ZONES: ("0",)}),
        ("placement: zonal", {"karpenter.azure.com/placement-scope": ("zonal",), ZONES: USUAL[ZONES][:3]}),
        ("zones: [1, 3]", {ZONES: ("swedencentral-1", "swedencentral-3")}),
        ("image: {family: AzureLinux, fips: true}", {
            "kubernetes.azure.com/os-sku": ("AzureLinux",), "kubernetes.azure.com/fips_enabled": ("true",)}),
    ],
)  # fmt: skip
def test_what_changes_the_labels_that_nodes_can_have(pool: str, changes: dict[str, tuple[str, ...]]) -> None:
    assert labelled(pool) == {**USUAL, **changes}


def test_labels_of_several_sizes_are_merged_unless_one_is_unknown() -> None:
    both = labelled(f"sku: [{T4}, {V100}]")
    assert both["karpenter.azure.com/sku-cpu"] == ("16", "40")
    assert both["karpenter.azure.com/sku-gpu-name"] == ("T4",)
    assert both["karpenter.azure.com/sku-family"] == ("N",)
    part = labelled(f"sku: {A10}")
    assert "karpenter.azure.com/sku-gpu-name" in part
    assert {"karpenter.azure.com/sku-gpu-count", "karpenter.azure.com/sku-gpu-manufacturer"} <= part.keys()


def test_zones_of_a_region_without_known_zones() -> None:
    assert ZONES not in labelled(region="jioindiawest")
    assert labelled("zones: [2]", "jioindiawest")[ZONES] == ("jioindiawest-2",)


def gap(metric: str, pool: str = "", stack: str = "") -> str:
    """The first reason why nothing exports a metric: a key of the stack, or else words; "" if something does."""
    inputs, gpu_pool, cluster = pool_and_cluster(pool, stack=stack)
    reason = export_gap(inputs, inputs.catalog.must("metrics", metric), cluster, gpu_pool)
    return (reason and (".".join(map(str, reason.key)) or reason.why)) or ""


SCRAPED = "metrics: {scrape: prometheus-operator, "


@for_each(
    ("metric", "pool", "stack", "expected"),
    [
        ("gpu-utilization", "", "", ""),
        ("gpu-utilization", "driver: operator", "", ""),
        ("gpu-utilization", "driver: none", "", "driver"),
        ("gpu-utilization", "driver: managed", "", "driver"),
        ("gpu-utilization", f"sku: {A100}", "allocation: dra", "allocation"),
        ("gpu-utilization", "", "metrics: {exporter: false}", "metrics.exporter"),
        ("gpu-utilization", "driver: none", "metrics: {exporter: false}", "driver"),
        ("gpu-utilization", "", "metrics: {scrape: none}", "metrics.scrape"),
        ("gpu-utilization", "", "metrics: {scrape: none, exporter: false}", "metrics.exporter"),
        ("gpu-utilization", "", f"{SCRAPED}counters: standard}}", ""),
        ("gpu-memory", "", f"{SCRAPED}counters: standard}}", ""),
        ("tensor-activity", "", f"{SCRAPED}counters: standard}}", "metrics.counters"),
        ("tensor-activity", "", f"{SCRAPED}counters: profiling}}", ""),
        ("gpu-memory", "", f"{SCRAPED}counters: profiling}}", ""),
        ("gpu-memory", "", f"{SCRAPED}counters: [DCGM_FI_DEV_FB_USED]}}", "metrics.counters"),
        ("gpu-memory", "", f"{SCRAPED}counters: [DCGM_FI_DEV_FB_USED, DCGM_FI_DEV_FB_FREE]}}", ""),
        ("tensor-activity", f"sku: {A10}", "", f"profiling counters are not known to work on {A10}"),
        ("gpu-utilization", f"sku: {A10}", "", ""),
        ("gpu-utilization", f"sku: {A100}, driver: operator, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}", "",
         "a GPU in MIG mode has no DCGM_FI_DEV_GPU_UTIL"),
        ("gpu-memory", f"sku: {A100}, driver: operator, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}", "", ""),
        ("gpu-utilization", f"{OF_AMD}, driver: operator", "", ""),
        ("gpu-memory", f"{OF_AMD}, driver: operator", "", ""),
        ("gpu-utilization", f"{OF_AMD}, driver: none, devicePlugin: true", "", "driver"),
        ("tensor-activity", f"{OF_AMD}, driver: operator", "",
         "no source confirms that AMD GPUs in a VM have tensor-activity"),
        ("gpu-utilization", f"{OF_AMD}, driver: operator", "metrics: {scrape: none}", "metrics.scrape"),
        ("gpu-utilization", f"sku: {V710}, driver: operator", "",
         f"AMD does not list the GPUs of {V710} for its GPU Operator"),
        ("gpu-utilization", f"sku: {A10}, os: windows, nodes: {{min: 1}}", "",
         "there are no GPU metrics for Windows nodes"),
    ],
)  # fmt: skip
def test_why_nothing_exports_a_metric(metric: str, pool: str, stack: str, expected: str) -> None:
    assert gap(metric, pool, stack) == expected


def test_the_remedy_of_a_gap_names_what_to_write() -> None:
    inputs, pool, cluster = pool_and_cluster(stack=f"{SCRAPED}counters: standard}}")
    reason = export_gap(inputs, inputs.catalog.must("metrics", "tensor-activity"), cluster, pool)
    field = "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE"
    assert reason
    assert reason.why == f"stack.metrics.counters does not list {field}"
    assert reason.remedy == f"set counters: profiling, or add {field}"


@for_each(
    ("field", "stack", "remedy"),
    [
        ("DCGM_FI_DEV_GPU_UTIL", "scrape: prometheus-operator, counters: standard", ""),
        ("DCGM_FI_PROF_SM_ACTIVE", "scrape: prometheus-operator, counters: profiling", ""),
        (
            "DCGM_FI_PROF_SM_ACTIVE",
            "scrape: prometheus-operator, counters: standard",
            "add DCGM_FI_PROF_SM_ACTIVE to counters",
        ),
        ("DCGM_FI_DEV_OTHER", "scrape: prometheus-operator, counters: standard", "use another field"),
        ("DCGM_FI_DEV_OTHER", "scrape: prometheus-operator, exporter: false", ""),
        ("DCGM_FI_DEV_OTHER", "scrape: none", ""),
    ],
)
def test_a_field_that_the_counters_leave_out(field: str, stack: str, remedy: str) -> None:
    inputs, _, cluster = pool_and_cluster(stack=f"metrics: {{{stack}}}")
    why_not = find_export_gap(field, cluster.stack.metrics, inputs.catalog)
    assert (why_not.remedy if why_not else "") == remedy


@for_each(
    ("pool", "own"),
    [("", True), ("driver: operator", False), ("driver: none", False), ("os: windows, nodes: {min: 1}", False)],
)
def test_the_pools_on_which_an_exporter_of_gitgpu_runs(pool: str, *, own: bool) -> None:
    _, gpu_pool, cluster = pool_and_cluster(pool)
    assert by_gitgpu(cluster, gpu_pool) is own


@for_each(
    ("pool", "each", "together", "paused"),
    [
        ("limits: {gpus: 1, cpu: 16, memory: 102Gi, nodes: 1}", [], [], False),
        ("limits: {gpus: 0}", [], [], True),
        ("limits: {gpus: 1, nodes: 0}", [], [], True),
        ("limits: {gpus: 1, cpu: 15}", [("cpu", 16, T4)], [], False),
        ("limits: {gpus: 1, memory: 101Gi}", [("memory", 109253230592, T4)], [], False),
        (f"sku: {MI300X}, limits: {{gpus: 7}}", [("gpus", 8, MI300X)], [], False),
        (f"sku: [{T4}, {A100}], limits: {{gpus: 1, cpu: 17}}", [], [], False),
        (f"sku: [{T4}, {A100}], limits: {{gpus: 1, cpu: 15}}", [("cpu", 16, T4)], [], False),
        (f"sku: [{A100}, Standard_NC64as_T4_v3], limits: {{gpus: 1, cpu: 24}}", [], [], False),
        (f"sku: [Standard_NC64as_T4_v3, {A100}], limits: {{gpus: 4, cpu: 23, memory: 220Gi}}",
         [("cpu", 24, A100)], [], False),
        ("sku: [Standard_NC64as_T4_v3, Standard_NV72ads_A10_v5], limits: {gpus: 2, cpu: 64}", [],
         [("cpu", 72, "Standard_NV72ads_A10_v5")], False),
        (f"sku: [{T4}, Standard_ND96ams_v4], limits: {{gpus: 1, cpu: 15}}", [], [], False),  # its vCPUs are unknown
    ],
)  # fmt: skip
def test_limits_below_one_node(pool: str, each: list[Any], together: list[Any], *, paused: bool) -> None:
    _, gpu_pool, _ = pool_and_cluster(pool)
    assert [(limit.key, limit.minimum, limit.size) for limit in short(gpu_pool)] == each
    assert [(limit.key, limit.minimum, limit.size) for limit in short_together(gpu_pool)] == together
    assert is_paused(gpu_pool) is paused


@for_each(
    ("day", "today", "expected"),
    [
        ("2027-03-31", "2027-03-30", (False, False, True)),
        ("2027-03-31", "2027-03-31", (True, False, False)),
        ("2027-03-31", "2027-04-01", (True, True, False)),
        ("2027-03", "2027-03-31", (True, False, False)),
        ("2027-03", "2027-04-01", (True, True, False)),
        ("2027-03", "2027-02-28", (False, False, True)),
        (None, "2027-04-01", (False, False, False)),
        ("2027-03-31", "", (False, False, False)),
        ("", "", (False, False, False)),
    ],
)
def test_days_that_have_begun_or_ended(day: str | None, today: str, expected: tuple[bool, ...]) -> None:
    assert (has_begun(day, today), over(day, today), is_before(today, day)) == expected


@for_each(
    ("status", "date", "today", "expected"),
    [
        ("active", None, "2030-01-01", (False, False)),
        ("announced", "2027-03-31", "2027-03-30", (False, True)),
        ("announced", "2027-03-31", "2027-03-31", (True, False)),
        ("announced", "2999-03-31", "", (False, True)),
        ("announced", "2020-03-31", "", (True, False)),
        ("announced", DAY, "", (True, False)),
        ("announced", None, "2027-03-31", (False, True)),
        ("retired", "2027-03-31", "", (True, False)),
        ("retired", "2027-03-31", "2027-03-30", (False, True)),
        ("retired", "2027-03-31", "2027-03-31", (True, False)),
        ("retired", None, "2020-01-01", (True, False)),
    ],
)
def test_a_size_retires_on_its_date(status: str, date: str | None, today: str, expected: tuple[bool, bool]) -> None:
    sku = CATALOG.sku(T4)
    assert sku is not None
    sku = sku._replace(lifecycle=Lifecycle(status, date, None))
    assert (is_retired(sku, today), retiring(sku, today)) == expected


@pytest.mark.parametrize(
    ("status", "date", "text"),
    [
        ("announced", "2027-03-31", f"Azure planned to retire {T4} on 2027-03-31"),
        ("retired", "2027-03-31", f"Azure retired {T4} on 2027-03-31"),
        ("retired", None, f"Azure retired {T4}"),
    ],
)
def test_the_words_about_a_retired_size(status: str, date: str | None, text: str) -> None:
    sku = CATALOG.sku(T4)
    assert sku is not None
    assert retirement(sku._replace(lifecycle=Lifecycle(status, date, None))) == text


@pytest.mark.parametrize(("today", "expected"), [("", "2026-06-01"), ("2026-05-31", "2026-06-01"), ("2027-01-01",) * 2])
def test_the_later_of_the_given_day_and_that_of_a_row(today: str, expected: str) -> None:
    assert known_day({"verified": "2026-06-01"}, today) == expected


@for_each(
    ("budgets", "expected"),
    [
        ("", []),
        ('{nodes: "0"}', [0]),
        ('{nodes: "1"}, {nodes: 0%}', [1]),
        ('{nodes: "10"}, {nodes: 100%}', []),
        ('{nodes: "0", reasons: [Drifted]}', [0]),
        ('{nodes: "0", reasons: [Empty]}', []),
        ('{nodes: "0", reasons: [Empty, Drifted]}, {nodes: "0"}', [0, 1]),
        ('{nodes: "0"}, {nodes: "1", schedule: 0 8 * * *, duration: 1h}', []),
        ('{nodes: "0"}, {nodes: "1", schedule: 0 8 * * *}', []),
        ('{nodes: "0"}, {nodes: "1", duration: 1h}', []),
    ],
)
def test_budgets_that_always_forbid_a_disruption(budgets: str, expected: list[int]) -> None:
    """If any budget has a schedule or a duration, the author has thought about the times."""
    _, pool, _ = pool_and_cluster(f"disruption: {{budgets: [{budgets}]}}" if budgets else "")
    assert [*blocking_budgets(pool, "Drifted")] == expected


def test_a_karpenter_release_that_aks_has_not_run() -> None:
    inputs, _, _ = pool_and_cluster()
    assert since_when("1.12.1", inputs) == "available on AKS as of 1.12.1 (2026-05-29)"
    assert since_when("99.0.0", inputs) == "not yet available on AKS"


def test_node_requirements_that_allow_two_architectures_are_narrowed_by_another_one() -> None:
    (rule,) = (rule for rule in RULES if rule.code == "SKU010")
    inputs, pool, _ = pool_and_cluster(f"sku: [{T4}, Standard_NC24ads_A100_v4]")
    first, second = pool.skus
    mixed = pool._replace(exact=True, skus=(first, second._replace(arch="arm64")))
    (finding,) = rule.check(inputs._replace(pools=(mixed,)))
    assert finding.help == (
        "use a separate pool for each: require kubernetes.io/arch In [amd64] in nodeRequirements, or build every image "
        "for both"
    )


@pytest.mark.parametrize(("code", "feature"), [("DRV070", "managed-gpu-nodes"), ("WIN009", "windows-gpus")])
def test_the_end_of_a_preview_only_changes_the_catalog(code: str, feature: str) -> None:
    (rule,) = (rule for rule in RULES if rule.code == code)
    inputs = inputs_of(rule.bad)
    row = {key: value for key, value in CATALOG.must("prerequisites", feature).items() if key != "preview"}
    files = {f"prerequisites/{feature}.yaml": json.dumps(row)}
    later = inputs._replace(catalog=Catalog(CatalogFiles([Folder("mine", "mine", files)])))
    assert len(list(rule.check(inputs))) == 1
    assert list(rule.check(later)) == []


@pytest.mark.parametrize(
    ("known", "message"),
    [
        (True, "AKS managed GPU nodes are a preview without a service level agreement"),
        (None, "whether they are still a preview is not known"),
    ],
)
def test_a_preview_that_is_certain_is_called_one(known: bool | None, message: str) -> None:
    (rule,) = (rule for rule in RULES if rule.code == "DRV070")
    inputs = inputs_of(rule.bad)
    files = {
        "prerequisites/managed-gpu-nodes.yaml": json.dumps(
            {**CATALOG.must("prerequisites", "managed-gpu-nodes"), "preview": known}
        )
    }
    (finding,) = rule.check(inputs._replace(catalog=Catalog(CatalogFiles([Folder("mine", "mine", files)]))))
    assert finding.message.endswith(message)
