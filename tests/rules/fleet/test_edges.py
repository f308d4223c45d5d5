"""Limits of rules: unknown facts are not reported, and a mistake on several clusters is reported once."""

import pytest

from gitgpu.rules.inputs.node_pools import EXAMPLE
from tests.helping.cases import for_each
from tests.rules.fleet.examples import BASE, findings

CLUSTERS = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-swc}}
spec: {{region: {region}, kubernetesVersion: "{kubernetes}", stack: {{driver: {driver}}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {{name: prod-weu}}
spec: {{region: {region}, kubernetesVersion: "{kubernetes}", stack: {{driver: {driver}}}}}
---
"""
POOL = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: pool}}
spec: {{clusters: [prod-swc, prod-weu], limits: {{nodes: 4}}, {spec}}}
"""
WORKLOAD = """\
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: ranker, namespace: serving}}
spec: {{pools: [pool], target: {{kind: Deployment, name: ranker}}, cuda: "{cuda}"}}
"""
SILENT: tuple[str, ...] = ()
T4, A100, V100 = "sku: Standard_NC16as_T4_v3", "sku: Standard_NC24ads_A100_v4", "sku: Standard_ND40rs_v2"


def codes(
    spec: str, cuda: str = "", *, driver: str = "aks", region: str = "swedencentral", kubernetes: str = "1.36"
) -> tuple[str, ...]:
    """The code of each finding about a pool on two clusters, except that MPS is experimental."""
    text = CLUSTERS.format(region=region, kubernetes=kubernetes, driver=driver) + POOL.format(spec=spec)
    diagnostics = findings(text + (WORKLOAD.format(cuda=cuda) if cuda else ""))
    return tuple(finding.code for finding in diagnostics if finding.code != "PRT014")


@for_each(
    ("spec", "expected"),
    [
        ("sku: nc16as_t4_v3", SILENT),
        ("sku: [standard_nc6S_v3]", ("SKU001",)),
        ("sku: [Standard_NC6s_v3, Standard_NC24s_v3]", ("SKU001", "SKU001")),
        ("sku: Standard_NV16as_v4", ("SKU001",)),  # also excluded by Karpenter: reported once
        ("requirements: {gpu: {model: [T4]}}", SILENT),
        ("requirements: {gpu: {model: [V100]}}", ("SKU016",)),  # retired sizes are skipped; the rest has no price there
        ("sku: [Standard_ND96is_H200_v5, Standard_ND96isf_H200_v5]", SILENT),  # no prices, so no order
    ],
)
def test_which_sizes_of_a_pool_are_reported(spec: str, expected: tuple[str, ...]) -> None:
    assert codes(spec) == expected


@for_each(
    ("spec", "region", "expected"),
    [
        (f"{T4}, zones: [1]", "swedencentral", SILENT),
        (f"{T4}, zones: [4]", "swedencentral", ("SKU006",)),
        (f"{T4}, placement: zonal", "northcentralus", ("SKU006",)),
        (f"{T4}, placement: regional", "northcentralus", SILENT),
        (f"{A100}, zones: [2]", "southcentralus", ("SKU006",)),
        (f"{A100}, zones: [2, 3]", "southcentralus", SILENT),
        (f"{A100}, zones: [2]", "swedencentral", SILENT),  # the zones of this size are not known there
    ],
)
def test_which_zones_of_a_region_are_reported(spec: str, region: str, expected: tuple[str, ...]) -> None:
    assert codes(spec, region=region) == expected


@for_each(
    ("limits", "expected"),
    [
        ("{gpus: 1, cpu: 24, memory: 204Gi}", SILENT),
        ("{gpus: 1, memory: 203Gi}", ("SKU007",)),
        ("{gpus: 1, cpu: 23999m}", ("SKU007",)),
        ("{gpus: 0}", SILENT),
        ("{nodes: 0}", SILENT),
        ("{cpu: 48}", ("SKU008",)),
        ("{cpu: 0}", SILENT),
        ("{memory: 203Gi}", ("SKU007",)),
    ],
)
def test_which_limits_are_too_small_for_a_node(limits: str, expected: tuple[str, ...]) -> None:
    text = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: a100}}
spec: {{clusters: [prod-swc], {A100}, limits: {limits}}}
"""
    assert tuple(finding.code for finding in findings(text)) == expected


@for_each(
    ("spec", "driver", "expected"),
    [
        (V100, "aks", SILENT),
        (V100, "operator", ("DRV004",)),
        (f"{V100}, driver: aks", "operator", SILENT),
        ("sku: Standard_ND96isr_MI300X_v5", "aks", ("DRV001",)),
        ("sku: Standard_ND96isr_MI300X_v5", "managed", ("DRV070", "DRV001")),
        ("sku: Standard_ND96isr_MI300X_v5", "none", SILENT),
        ("sku: Standard_ND96isr_MI300X_v5", "operator", SILENT),
        ("sku: Standard_NV24ads_V710_v5", "none", ("SKU011", "SKU016")),
        ("sku: Standard_NV24ads_V710_v5", "operator", ("AMD001", "SKU011", "SKU016")),
        ("sku: Standard_ND96isr_MI300X_v5, partition: {timeSlicing: {replicas: 2}}", "operator", ("AMD003",)),
        ("sku: Standard_ND96isr_MI300X_v5, driverBranch: '580'", "operator", ("DRV061",)),
        ("sku: Standard_ND96isr_MI300X_v5, rdma: sriov", "operator", ("SKU017",)),
        ("sku: Standard_ND40rs_v2, rdma: sriov", "aks", ("RDM001", "SKU017")),
        (f"{T4}, partition: {{timeSlicing: {{replicas: 2}}}}", "managed", ("DRV070", "DRV006")),
        (f"{T4}, partition: {{timeSlicing: {{replicas: 2}}}}", "operator", SILENT),
        (f"{T4}, partition: {{mps: {{replicas: 48}}}}", "aks", SILENT),
        (f"{T4}, partition: {{mps: {{replicas: 48}}}}", "operator", SILENT),
        (f"{T4}, partition: {{mps: {{replicas: 2}}}}", "managed", ("DRV070", "DRV006")),
        (f"{T4}, partition: {{mps: {{replicas: 2}}}}", "none", ("DRV006",)),
        (f"{V100}, partition: {{mps: {{replicas: 16}}}}", "aks", SILENT),
        (f"{V100}, partition: {{mps: {{replicas: 17}}}}", "aks", ("SCH024",)),
        (f"{V100}, partition: {{timeSlicing: {{replicas: 17}}}}", "aks", SILENT),
        ("sku: Standard_NV12ads_A10_v5, partition: {mps: {replicas: 2}}", "aks", ("SCH023",)),
        ("sku: Standard_ND96isr_MI300X_v5, partition: {mps: {replicas: 2}}", "none", ("SCH023", "DRV006")),
        (f"{T4}, image: {{family: AzureLinux}}", "operator", ("DRV003",)),
        (f"{T4}, image: {{family: AzureLinux}}", "aks", SILENT),
    ],
)
def test_which_driver_works_on_which_size(spec: str, driver: str, expected: tuple[str, ...]) -> None:
    region = "westeurope" if V100 in spec else "swedencentral"  # a region where they are available
    assert codes(spec, driver=driver, region=region) == expected


@for_each(
    ("cuda", "driver", "spec", "expected"),
    [
        ("13.0", "aks", T4, SILENT),
        ("11.8", "aks", T4, SILENT),
        ("12.9", "aks", "sku: Standard_NV36ads_A10_v5", SILENT),  # minor versions of a major version are compatible
        ("13.0", "aks", "sku: Standard_NV36ads_A10_v5", ("DRV005",)),
        ("13.0", "none", "sku: Standard_NV36ads_A10_v5", SILENT),
        ("99.0", "aks", "sku: Standard_NV36ads_A10_v5", ("DRV005",)),  # newer than every major version in the catalog
        ("13.0", "aks", "sku: Standard_NV36ads_A10_v5, image: {family: AzureLinux}", SILENT),  # no version is pinned
    ],
)
def test_rules_about_cuda(cuda: str, driver: str, spec: str, expected: tuple[str, ...]) -> None:
    assert codes(spec, cuda, driver=driver) == expected


@for_each(
    ("image", "expected"),
    [
        ("{ephemeralOSDisk: true}", SILENT),  # 128 GB by default
        ("{ephemeralOSDisk: true, osDiskGB: 154}", SILENT),
        ("{ephemeralOSDisk: true, osDiskGB: 155}", ("DSK001",)),
        ("{osDiskGB: 155}", ("DSK002",)),
    ],
)
def test_which_os_disk_fits_a_size(image: str, expected: tuple[str, ...]) -> None:
    assert codes(f"{T4}, image: {image}") == expected
    assert codes(f"sku: Standard_NC40ads_H100_v5, image: {image}") == SILENT  # its local disk is not known


def test_kubernetes_and_image_must_be_compatible() -> None:
    a100 = f"{A100}, image: {{family: AzureLinux}}"
    assert codes(a100, kubernetes="1.34.2") == SILENT
    assert codes(a100, kubernetes="1.31") == ("CLU003", "CLU003", "DRV007", "DRV015")


def test_one_finding_names_all_clusters() -> None:
    text = CLUSTERS.format(region="swedencentral", kubernetes="1.36", driver="operator") + POOL.format(spec=V100)
    message = findings(text)[0].message
    assert message.endswith("on prod-swc (fleet.yaml:4:74) and prod-weu (fleet.yaml:9:74)")


@for_each(
    ("way", "nics", "expected"),
    [
        ("sriov", 8, SILENT),
        ("sriov", 9, ("RDM003",)),
        ("shared", 1, SILENT),
        ("shared", 2, ("RDM003",)),
    ],
)
def test_how_many_nics_a_pod_may_request(way: str, nics: int, expected: tuple[str, ...]) -> None:
    text = f"""\
{EXAMPLE}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: h200}}
spec: {{clusters: [prod-swc], sku: Standard_ND96isr_H200_v5, nodes: {{min: 2, max: 2}}, rdma: {way}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {{name: pretrain, namespace: research}}
spec: {{pools: [h200], target: {{kind: StatefulSet, name: pretrain}}, gpus: 8, rdma: {nics}}}
"""
    assert tuple(finding.code for finding in findings(text)) == expected


@pytest.mark.parametrize(
    ("pool", "expected"),
    [
        ("sku: Standard_NV36ads_A10_v5, os: windows", {"MET005", "MET060", "WIN009"}),
        ("sku: Standard_NC16as_T4_v3, driver: none", {"MET005", "MET060"}),
        ("sku: Standard_NC16as_T4_v3", set()),
    ],
)
def test_which_alerts_have_no_metrics(pool: str, expected: set[str]) -> None:
    metrics = "  stack: {metrics: {alerts: true, dashboards: true, containerInsights: utilization}}\n"
    text = f"""\
{EXAMPLE}{metrics}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: pool}}
spec: {{clusters: [prod-swc], nodes: {{min: 1, max: 2}}, nodePoolName: pool, {pool}}}
"""
    assert {finding.code for finding in findings(text)} == expected


@pytest.mark.parametrize(("driver", "expected"), [("aks", {"MET005"}), ("managed", set())])
def test_what_aks_exports_itself_can_be_watched_without_other_exporters(driver: str, expected: set[str]) -> None:
    metrics = "  stack: {metrics: {exporter: false, scrape: prometheus-operator, alerts: true, dashboards: true}}\n"
    text = f"""\
{EXAMPLE}{metrics}---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: pool}}
spec: {{clusters: [prod-swc], nodes: {{min: 2, max: 2}}, sku: Standard_NC24ads_A100_v4, driver: {driver}}}
"""
    assert {finding.code for finding in findings(text) if finding.code.startswith("MET")} == expected


def test_settings_that_windows_nodes_ignore_are_reported() -> None:
    text = f"""\
{EXAMPLE}  stack: {{metrics: {{containerInsights: utilization}}}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec: {{clusters: [prod-swc], nodes: {{max: 2}}, sku: Standard_NC16as_T4_v3}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: win}}
spec: {{clusters: [prod-swc], nodes: {{min: 1, max: 2}}, sku: Standard_NV36ads_A10_v5, os: windows}}
"""
    assert "MET061" in {finding.code for finding in findings(text)}


@for_each(
    ("spec", "expected"),
    [
        (f"{T4}, driver: managed, nodes: {{min: 2, max: 2}}", ("AGP020", "DRV070")),
        (f"{T4}, driver: managed, nodes: {{max: 1}}", ("AGP013", "AGP020", "DRV070")),
        (f"{T4}, driver: managed, os: windows, nodes: {{min: 1}}", ("WIN002", "WIN009")),
        (f"{T4}, nodes: {{min: 1}}, tags: {{{', '.join(f't{n}: x' for n in range(41))}}}", SILENT),
        (f"{T4}, nodes: {{min: 1}}, tags: {{{', '.join(f't{n}: x' for n in range(42))}}}", ("SCH017",)),
        ("sku: Standard_NV36ads_A10_v5, driver: operator, os: windows, nodes: {min: 1}", ("WIN002", "WIN009")),
        (f"{T4}, os: windows, nodes: {{min: 1}}, driverType: CUDA", ("WIN009",)),
        (f"{T4}, os: windows, nodes: {{min: 1}}, devicePlugin: true", ("DRV101", "WIN009")),
        (f"{T4}, os: windows, nodes: {{min: 1}}, driverType: GRID", ("AGP020", "WIN009")),
        (f"{T4}, os: windows, nodes: {{min: 1}}, driverType: GRID, driver: none", ("AGP020", "WIN009", "WIN020")),
        ("sku: Standard_NV36ads_A10_v5, os: windows, nodes: {min: 1}, driverType: GRID", ("WIN009",)),
        (
            "sku: Standard_NV36ads_A10_v5, os: windows, nodes: {min: 1}, driverType: CUDA",
            ("AGP020", "WIN009", "WIN021"),
        ),
        (f"{T4}, driverType: CUDA", ("WIN020",)),
        (f"{A100}, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}", SILENT),
        (f"{A100}, partition: {{mig: {{strategy: mixed, profiles: {{1g.10gb: 7}}}}}}", ("AGP014",)),
        (f"{A100}, nodes: {{min: 1}}, partition: {{mig: {{strategy: mixed, profiles: {{1g.10gb: 7}}}}}}", SILENT),
        (f"{T4}, image: {{artifactStreaming: true}}", ("AGP020",)),
    ],
)
def test_node_pools_in_preview(spec: str, expected: tuple[str, ...]) -> None:
    pool = POOL.format(spec=spec).replace("prod-swc, prod-weu", "prod-swc")
    assert tuple(sorted(finding.code for finding in findings(f"{EXAMPLE}---\n{pool}"))) == expected


H100S = "sku: Standard_ND96isr_H100_v5, nodes: {min: 1}, driver: operator, image: {family: Ubuntu2204}"
WHOLE_AND_CUT = "{strategy: mixed, profiles: [{3g.40gb: 2}, {}, {}, {}, {}, {}, {}, {}]}"


@for_each(
    ("pool", "asked", "expected"),
    [
        (f"{A100}, nodes: {{min: 1}}, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}", "gpus: 2", ("PRT010",)),
        (
            f"{A100}, nodes: {{min: 1}}, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}",
            "gpus: 8",
            ("PRT010", "SCH009"),
        ),
        (f"{A100}, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}", "gpus: 2", ("PRT010", "SCH009")),
        (f"{H100S}, partition: {{mig: {WHOLE_AND_CUT}}}", "gpus: 7", SILENT),
        (f"{H100S}, partition: {{mig: {WHOLE_AND_CUT}}}", "gpus: 8", ("SCH009",)),
        (f"{H100S}, partition: {{mig: {WHOLE_AND_CUT}}}", "mig: 3g.40gb, gpus: 2", ("PRT010",)),
        (f"{H100S}, partition: {{mig: {WHOLE_AND_CUT}}}", "mig: 3g.40gb, gpus: 3", ("PRT010", "SCH009")),
    ],
)
def test_a_pod_gets_instances_or_whole_gpus_of_a_node(pool: str, asked: str, expected: tuple[str, ...]) -> None:
    spec = POOL.format(spec=pool).replace("prod-swc, prod-weu", "prod-swc")
    work = f"{{pools: [pool], target: {{kind: Deployment, name: chat}}, {asked}}}"
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\nmetadata: {name: chat, namespace: serving}"
    text = f"{EXAMPLE}---\n{spec}---\n{head}\nspec: {work}\n"
    assert tuple(sorted(finding.code for finding in findings(text))) == expected


DEVICES = [("con", 1), ("com1", 1), ("nul", 1), ("console", 0), ("com10", 0), ("a-con", 0)]


@for_each(("name", "expected"), DEVICES)
def test_folders_with_the_name_of_a_windows_device(name: str, expected: int) -> None:
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuWorkload\n"
    spec = "spec: {pools: [t4], target: {kind: Deployment, name: w}}\n"
    workload = f"{head}metadata: {{name: w, namespace: {name}}}\n{spec}"
    texts = [BASE[kind].replace("prod-swc", name) for kind in ("Cluster", "GpuPool")]
    reported = [finding for finding in findings("---\n".join([*texts, workload])) if finding.code == "CLU011"]
    assert len(reported) == 2 * expected


DNS = (
    "{zone: ., queryLogging: Error, protocol: PreferUDP, forwardDestination: VnetDNS, forwardPolicy: Sequential, "
    "maxConcurrent: 1000, cacheDuration: 1h, serveStaleDuration: 1h, serveStale: Verify}"
)


@for_each(
    ("spec", "expected"),
    [
        ("linuxOSConfig: {sysctls: {vmSwappiness: 10}}", SILENT),
        ("os: windows, linuxOSConfig: {sysctls: {vmSwappiness: 10}}", ("WIN010",)),
        ("security: {encryptionAtHost: true}", SILENT),
        ("os: windows, kubelet: {failSwapOn: false}", ("WIN010",)),
        ("localDNS: {mode: Disabled, vnetDNSOverrides: [DNS], kubeDNSOverrides: [DNS]}", ("AGP005",)),
    ],
)
def test_settings_of_nodes_on_node_pools(spec: str, expected: tuple[str, ...]) -> None:
    text = f"{EXAMPLE}---\n" + POOL.replace("prod-swc, prod-weu", "prod-swc").format(
        spec=f"sku: Standard_NC16as_T4_v3, nodes: {{min: 0, max: 2}}, {spec.replace('DNS]', DNS + ']')}"
    )
    errors = [finding for finding in findings(text) if finding.severity.value == "error"]
    assert tuple(finding.code for finding in errors) == expected
    if expected == ("AGP005",):
        assert errors[0].help == "remove it; set it with `az aks nodepool update --localdns-config`"


@for_each(
    ("first", "second", "expected"),
    [
        ("", "", SILENT),
        ("image: {osDiskGB: 256}", "image: {osDiskGB: 256, ephemeralOSDisk: true}", SILENT),
        ("image: {osDiskGB: 256}", "image: {osDiskGB: 512}", ("NCL001",)),
        ("tags: {a: b}", "", ("NCL001",)),
        ("driver: aks", "driver: none", ("NCL001",)),
        ("security: {encryptionAtHost: true}", "", ("NCL001",)),
        ("image: {fips: false}", "", SILENT),
    ],
)
def test_pools_share_a_node_class_if_it_is_the_same(first: str, second: str, expected: tuple[str, ...]) -> None:
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\n"
    pools = [
        f"{head}metadata: {{name: {name}}}\nspec:\n  clusters: [prod-swc]\n  sku: Standard_NC64as_T4_v3\n"
        f"  limits: {{nodes: 4}}\n  nodeClass: {{name: gpu}}\n  {more}\n"
        for name, more in (("a", first), ("b", second))
    ]
    codes = tuple(finding.code for finding in findings("---\n".join(pools)) if finding.severity.value == "error")
    assert codes == expected


def test_a_pool_has_the_name_of_the_node_class_of_another() -> None:
    head = "apiVersion: gitgpu.dev/v1alpha1\nkind: GpuPool\n"
    spec = "clusters: [prod-swc], sku: Standard_NC64as_T4_v3, limits: {nodes: 4}"
    text = (
        f"{head}metadata: {{name: gpu}}\nspec: {{{spec}, maxPods: 50}}\n---\n"
        f"{head}metadata: {{name: a}}\nspec: {{{spec}, nodeClass: {{name: gpu}}}}\n"
    )
    (finding,) = (finding for finding in findings(text) if finding.code == "NCL001")
    assert finding.span.line == 9
    assert "AKSNodeClass gpu with gpu" in finding.message
    assert "maxPods" in finding.message


@pytest.mark.parametrize("more", ["", "replicas: 2"])
def test_budgets_of_static_pools_cover_drift_only(more: str) -> None:
    """Karpenter does not consolidate static pools, so a budget for drift is enough and keeps no empty nodes."""
    text = f"""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {{name: t4}}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  {more or "limits: {gpus: 4}"}
  disruption: {{budgets: [{{nodes: "0"}}, {{nodes: "1", reasons: [Drifted]}}]}}
"""
    codes = {finding.code for finding in findings(text)}
    assert ("DIS007" in codes) is not bool(more)


def test_exact_requirements_on_a_node_pool_are_one_finding() -> None:
    pool = POOL.replace("prod-swc, prod-weu", "prod-swc")
    wanted = "{key: karpenter.azure.com/sku-gpu-name, operator: In, values: [T4]}"
    exact = f"nodes: {{min: 0, max: 2}}, nodeRequirements: [{wanted}]"
    assert [finding.code for finding in findings(f"{EXAMPLE}---\n{pool.format(spec=exact)}")] == ["AGP005"]
