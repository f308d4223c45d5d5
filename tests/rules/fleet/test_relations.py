"""Limits of rules about related settings: several forms of a mistake, and correct input that looks like it."""

import pytest

from gitgpu.rule import FAILED
from tests.helping.cases import for_each
from tests.rules.fleet.examples import CLOCK, findings

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
SILENT: tuple[str, ...] = ()
T4, A100 = "sku: Standard_NC16as_T4_v3", "sku: Standard_NC24ads_A100_v4"
METRICS = 'scrape: prometheus-operator, server: "http://prometheus.monitoring:9090"'
QUEUE = "{storageQueue: {account: contosowork, queue: render}, target: 2}"
IDENTITY = "11111111-2222-3333-4444-555555555555"


def cluster(spec: str = "", name: str = "prod-swc", region: str = "swedencentral") -> str:
    spec = f", {spec.removeprefix(', ')}" if spec else ""
    return f'{HEAD}Cluster\nmetadata: {{name: {name}}}\nspec: {{region: {region}, kubernetesVersion: "1.36"{spec}}}\n'


def pool(spec: str, name: str = "pool", limits: str = "{gpus: 8}") -> str:
    head = f"{HEAD}GpuPool\nmetadata: {{name: {name}}}\n"
    return f"{head}spec: {{clusters: [prod-swc], limits: {limits}, {spec}}}\n"


def workload(spec: str, kind: str = "Deployment", pools: str = "pool", name: str = "ranker") -> str:
    target = f"pools: [{pools}], target: {{kind: {kind}, name: {name}}}"
    return f"{HEAD}GpuWorkload\nmetadata: {{name: {name}, namespace: serving}}\nspec: {{{target}{spec}}}\n"


def codes(*documents: str) -> tuple[str, ...]:
    return tuple(finding.code for finding in findings("---\n".join(documents)))


@for_each(
    ("disruption", "expected"),
    [
        ('budgets: [{nodes: "0"}]', ("DIS007",)),
        ("budgets: [{nodes: 0%}]", ("DIS007",)),
        ('budgets: [{nodes: "0"}], consolidateAfter: Never', SILENT),
        ('budgets: [{nodes: "0", reasons: [Drifted]}]', SILENT),  # by default, only empty nodes are removed
        ('budgets: [{nodes: "0", reasons: [Drifted]}], expireAfter: Never', ("DIS008",)),
        ('budgets: [{nodes: "0"}], expireAfter: Never', ("DIS007", "DIS008")),
        ('budgets: [{nodes: "1"}], expireAfter: Never', SILENT),
        ('budgets: [{nodes: "0", schedule: "@daily", duration: 8h}, {nodes: "1"}], expireAfter: Never', SILENT),
        ('budgets: [{nodes: "0", schedule: "@daily", duration: 24h}]', ("DIS006",)),
        ('budgets: [{nodes: "0", schedule: "@daily", duration: 23h59m}, {nodes: "1"}]', SILENT),
        ('budgets: [{nodes: "0", schedule: "@daily", duration: 8h}]', ("DIS013",)),
        ('budgets: [{nodes: "1", schedule: "@daily", duration: 8h}]', ("DIS012",)),
        ('budgets: [{nodes: "1", schedule: "@daily", duration: 8h}, {nodes: 100%}]', SILENT),
        ('budgets: [{nodes: 5%}, {nodes: 50%, schedule: "@daily", duration: 8h}]', ("DIS002",)),
        ('budgets: [{nodes: "1", reasons: [Empty]}]', ("DIS013",)),
        ('budgets: [{nodes: "1", schedule: "0 0 30 2 *", duration: 1h}]', ("DIS006",)),
        ('budgets: [{nodes: "1", schedule: "0 0 * * 8", duration: 1h}]', ("DIS005",)),
        ('budgets: [{nodes: "1", schedule: "@daily"}]', ("DIS001",)),
        ("expireAfter: 15m", ("DIS011",)),
        ("expireAfter: 1h", SILENT),
    ],
)
def test_rules_about_budgets(disruption: str, expected: tuple[str, ...]) -> None:
    assert codes(pool(f"{T4}, disruption: {{{disruption}}}")) == expected


@for_each(
    ("disruption", "kind", "expected"),
    [
        ("{}", "Job", SILENT),
        ("{consolidationPolicy: Balanced}", "Job", ("DIS009",)),
        ("{consolidationPolicy: Balanced, consolidateAfter: Never}", "Job", SILENT),
        ("{consolidationPolicy: Balanced}", "Deployment", SILENT),
        ("{expireAfter: 719h}", "Job", ("DIS010",)),
        ("{expireAfter: 720h}", "Job", SILENT),
        ("{expireAfter: 24h}", "StatefulSet", SILENT),
    ],
)
def test_rules_about_jobs(disruption: str, kind: str, expected: tuple[str, ...]) -> None:
    reported = codes(pool(f"{T4}, disruption: {disruption}"), workload("", kind))
    assert tuple(code for code in reported if code != "CLU004") == expected


@for_each(
    ("query", "expected"),
    [
        ("sum(DCGM_FI_DEV_GPU_UTIL{pod=~'ranker-.*'})", SILENT),
        ("sum(DCGM_FI_DEV_GPU_UTIL{exported_pod=~'x'})", ("SCL018",)),
        ("sum(DCGM_FI_DEV_GPU_UTIL:rate5m{team='x'})", SILENT),  # a recording rule has its own labels
        ("sum(requests{deployment='x'})", SILENT),
        ("DCGM_FI_DEV_GPU_UTIL", ("SCL020",)),
        ("requests_waiting", SILENT),  # may be a single series
        ("sum by (pod) (requests)", ("SCL020",)),
        ("sum without (pod) (requests)", ("SCL020",)),
        ("sum(sum by (pod) (requests))", SILENT),
        ("topk(3, requests)", ("SCL020",)),
        ("topk(1, requests)", SILENT),
        ("avg(requests)", ("SCL021",)),
        ("max(requests)", SILENT),  # two exporters with the same value
        ("max(DCGM_FI_DEV_GPU_UTIL)", ("SCL021",)),
        ("quantile(0.9, DCGM_FI_DEV_GPU_UTIL)", ("SCL021",)),
        ("avg by (pod) (DCGM_FI_DEV_GPU_UTIL)", ("SCL020",)),
        ("avg(a) * count(a)", SILENT),
        ("sum(DCGM_FI_DEV_TEMPERATURE)", ("SCL017",)),
        ("sum(DCGM_FI_DEV_FB_TOTAL)", ("SCL019",)),
        ("sum(requests", ("SCL016",)),
    ],
)
def test_rules_about_queries(query: str, expected: tuple[str, ...]) -> None:
    scaling = f', scaling: {{metric: query, query: "{query}", target: 5, max: 8}}'
    assert codes(cluster(f"stack: {{metrics: {{{METRICS}}}}}"), pool(T4), workload(scaling)) == expected


@pytest.mark.parametrize(
    ("stack", "expected"),
    [
        ("driver: aks", ("SCL018",)),
        ("driver: none", SILENT),  # the exporter there is unknown, and so are its labels
        ("driver: managed", ("DRV070",)),  # only the preview is reported, not the label
    ],
)
def test_labels_of_other_exporters(stack: str, expected: tuple[str, ...]) -> None:
    scaling = ", scaling: {metric: query, query: \"sum(DCGM_FI_DEV_GPU_UTIL{team='x'})\", target: 5, max: 8}"
    assert codes(cluster(f"stack: {{{stack}, metrics: {{{METRICS}}}}}"), pool(T4), workload(scaling)) == expected


@for_each(
    ("query", "expected"),
    [
        ("sum(vllm:num_requests_waiting)", ("SCL022",)),
        ("sum(rate(vllm:num_incoming_requests_total[1m]))", SILENT),
        ("sum(vllm:num_requests_waiting) + sum(queue)", SILENT),
        ("sum(DCGM_FI_DEV_GPU_UTIL)", ("SCL022",)),
        ("sum(queue)", SILENT),
        ("vector(1)", SILENT),
    ],
)
def test_queries_from_zero(query: str, expected: tuple[str, ...]) -> None:
    scaling = f', scaling: {{metric: query, query: "{query}", target: 5, min: 0, max: 8}}'
    assert codes(cluster(f"stack: {{metrics: {{{METRICS}}}}}"), pool(T4), workload(scaling)) == expected


@for_each(
    ("triggers", "expected"),
    [
        ("{query: 'sum(vllm:num_requests_waiting)', target: 5}", ("SCL022",)),
        ("{query: 'sum(vllm:num_requests_waiting)', target: 5}, {metric: gpu-utilization, target: 70}", ("SCL022",)),
        ("{query: 'sum(vllm:num_requests_waiting)', target: 5}, {query: sum(queue), target: 5}", SILENT),
        ("{metric: gpu-utilization, target: 70}, {metric: gpu-memory, target: 70}", ("SCL001",)),
        ("{metric: gpu-utilization, target: 70}, {query: sum(queue), target: 5}", SILENT),
    ],
)
def test_one_trigger_that_works_without_pods_is_enough_to_scale_from_zero(
    triggers: str, expected: tuple[str, ...]
) -> None:
    scaling = f", scaling: {{triggers: [{triggers}], min: 0, max: 8}}"
    assert codes(cluster(f"stack: {{metrics: {{{METRICS}}}}}"), pool(T4), workload(scaling)) == expected


@for_each(
    ("scaling", "expected"),
    [
        ("target: 90, max: 8", SILENT),
        ("target: 91, max: 8", ("SCL011",)),
        ("target: 101, max: 8", ("SCL011",)),
        ("metric: query, query: sum(a), target: 95, max: 8", SILENT),
        ("target: 70, max: 1", ("SCL015",)),
        ("target: 70, max: 9", ("SCL008",)),
        ("metric: query, query: sum(a), target: 5, min: 0, max: 8, cooldown: 5m", SILENT),
        (f"target: 70, max: 8, identity: {IDENTITY}", ("SCL065",)),
        (f"triggers: [{QUEUE}], max: 8, identity: {IDENTITY}", SILENT),
        (f"triggers: [{{metric: gpu-utilization, target: 70}}, {QUEUE}], max: 8, identity: {IDENTITY}", SILENT),
    ],
)
def test_rules_about_scaling(scaling: str, expected: tuple[str, ...]) -> None:
    documents = (cluster(f"stack: {{metrics: {{{METRICS}}}}}"), pool(T4), workload(f", scaling: {{{scaling}}}"))
    assert codes(*documents) == expected


def test_limits_on_nodes_also_limit_replicas() -> None:
    documents = cluster(f"stack: {{metrics: {{{METRICS}}}}}"), workload(", scaling: {target: 70, max: 5}")
    assert codes(*documents, pool(T4, limits="{nodes: 4}")) == ("SCL008",)
    assert codes(*documents, pool(T4, limits="{nodes: 5}")) == SILENT
    assert codes(*documents, pool(T4, limits="{nodes: 5, gpus: 4}")) == ("SCL008",)
    for below_one_node in ("{gpus: 0}", "{nodes: 0}"):
        assert codes(*documents, pool(T4, limits=below_one_node)) == SILENT, "it is paused, and nothing is wrong"
    assert codes(*documents, pool("sku: Standard_NC64as_T4_v3", limits="{nodes: 2}")) == SILENT


@for_each(
    ("labels", "expected"),
    [
        ("{contoso.com/team: a}", SILENT),
        ("{karpenter.sh/capacity-type: on-demand}", SILENT),
        ("{karpenter.sh/capacity-type: Spot}", ("SCH013",)),
        ("{kubernetes.azure.com/scalesetpriority: spot}", ("SCH013",)),
        ("{topology.kubernetes.io/zone: swedencentral-1}", SILENT),
        ("{topology.kubernetes.io/zone: '1'}", ("SCH013",)),
        ("{topology.kubernetes.io/zone: '0'}", SILENT),
        ("{topology.kubernetes.io/region: eastus}", ("SCH013",)),
        ("{kubernetes.io/arch: amd64}", SILENT),
        ("{kubernetes.io/arch: arm64}", ("SCH013",)),
        ("{kubernetes.io/os: windows}", ("SCH013",)),
        ("{karpenter.azure.com/sku-gpu-name: A100}", ("SCH013",)),
        ("{karpenter.azure.com/sku-gpu-name: T4}", SILENT),
        ("{karpenter.azure.com/sku-memory: '110'}", ("SCH013",)),
        ("{karpenter.azure.com/sku-memory: '112640'}", SILENT),
        ("{kubernetes.azure.com/fips_enabled: 'true'}", ("SCH013",)),
        ("{kubernetes.azure.com/mode: system}", SILENT),
    ],
)
def test_rules_about_labels(labels: str, expected: tuple[str, ...]) -> None:
    assert codes(pool(f"{T4}, labels: {labels}")) == expected


@for_each(
    ("length", "hyphens", "expected"),
    [
        (57, (), SILENT),
        (58, (), ("SCH021",)),
        (63, (), ("SCH021",)),
        (63, (10,), ("SCH021",)),  # too far from the end
        (63, (40,), SILENT),
        (58, (34,), ("SCH021",)),
        (58, (35,), SILENT),
    ],
)
def test_rules_about_pool_names(length: int, hyphens: tuple[int, ...], expected: tuple[str, ...]) -> None:
    name = "".join("-" if at in hyphens else "a" for at in range(length))
    assert codes(pool(T4, name)) == expected


@for_each(
    ("tags", "expected"),
    [
        ("{costCentre: a, cost-centre: b}", SILENT),
        ("{costCentre: a, COSTCENTRE: b}", ("SCH015",)),
        ("{Azure-thing: a}", ("SCH016",)),
        ("{Karpenter.SH_nodepool: a}", ("SCH016",)),
        ("{my-azure: a}", SILENT),
    ],
)
def test_rules_about_tags(tags: str, expected: tuple[str, ...]) -> None:
    assert codes(pool(f"{T4}, tags: {tags}")) == expected


@for_each(
    ("url", "expected"),
    [
        ("https://github.com/contoso/gpu-fleet", SILENT),
        ("https://contoso@dev.azure.com/contoso/fleet/_git/fleet", SILENT),  # a user name alone is not a secret
        ("https://me:token@github.com/contoso/gpu-fleet", ("DLV005",)),
        ("ssh://git@github.com/contoso/gpu-fleet", ("DLV003",)),
        ("ssh://git:x@github.com/contoso/gpu-fleet", ("DLV003", "DLV005")),
    ],
)
def test_rules_about_passwords(url: str, expected: tuple[str, ...]) -> None:
    assert codes(f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec: {{delivery: {{repository: '{url}'}}}}\n") == expected


@for_each(
    ("delivery", "expected"),
    [
        ("revision: release/2027", SILENT),
        ("revision: v1.2", SILENT),
        ("revision: refs/tags/v1", ("DLV004",)),
        ("revision: HEAD", ("DLV004",)),
        ("revision: main..x", ("DLV004",)),
        ("revision: 0123456789abcdef0123456789abcdef01234567", ("DLV004",)),
        ("engine: argocd, revision: 0123456789abcdef0123456789abcdef01234567", SILENT),
        ("engine: argocd, revision: v1.*", SILENT),
    ],
)
def test_rules_about_revisions(delivery: str, expected: tuple[str, ...]) -> None:
    spec = f"{{delivery: {{repository: https://github.com/contoso/gpu-fleet, {delivery}}}}}"
    assert codes(f"{HEAD}Fleet\nmetadata: {{name: f}}\nspec: {spec}\n") == expected


@for_each(
    ("spec", "limits", "expected"),
    [
        ("sku: Standard_ND96isr_H200_v5", "{gpus: 8}", SILENT),
        ("sku: Standard_ND96isr_H200_v5", "{gpus: 12}", ("SKU015",)),
        ("sku: [Standard_NC16as_T4_v3, Standard_NC64as_T4_v3]", "{gpus: 7}", SILENT),
        ("requirements: {gpu: {model: [A100], memoryGiB: 80}}", "{gpus: 8}", ("SKU005",)),
        ("requirements: {gpu: {model: [H100]}, arch: amd64}", "{gpus: 8}", ("SKU005",)),  # 80 or 94 GiB
        ("requirements: {gpu: {model: [A10], fractional: true}}", "{gpus: 8}", ("SKU013",)),
        ("requirements: {gpu: {model: [H200]}, rdma: true}", "{nodes: 1}", ("SKU005",)),
        ("requirements: {gpu: {model: [H200]}, rdma: false}", "{nodes: 4}", SILENT),
    ],
)
def test_sizes_whose_limits_or_requirements_are_reported(spec: str, limits: str, expected: tuple[str, ...]) -> None:
    assert codes(pool(spec, limits=limits)) == expected


@for_each(
    ("cuda", "sku", "expected"),
    [
        ("11.4", "Standard_NC40ads_H100_v5", ("DRV010",)),
        ("11.8", "Standard_NC40ads_H100_v5", SILENT),
        ("11.8", "Standard_NC36ds_xl_RTXPRO6000BSE_v6", ("DRV010",)),
        ("12.9", "Standard_NC36ds_xl_RTXPRO6000BSE_v6", SILENT),
        ("13.0", "Standard_NC16as_T4_v3", SILENT),
        ("12.0", "Standard_NC16as_T4_v3", SILENT),
    ],
)
def test_rules_about_cuda(cuda: str, sku: str, expected: tuple[str, ...]) -> None:
    reported = codes(pool(f"sku: {sku}"), workload(f', cuda: "{cuda}"'))
    assert tuple(sorted(reported)) == expected


@for_each(
    ("sharing", "network", "expected"),
    [
        ("partition: {timeSlicing: {replicas: 30}}", "node-subnet", SILENT),
        ("partition: {timeSlicing: {replicas: 31}}", "node-subnet", ("SCH018",)),
        ("partition: {mps: {replicas: 31}}", "node-subnet", ("PRT014", "SCH018")),
        ("partition: {timeSlicing: {replicas: 64}}", "overlay", SILENT),
        ("partition: {timeSlicing: {replicas: 31}}, maxPods: 60", "node-subnet", SILENT),
        ("maxPods: 10", "overlay", SILENT),
    ],
)
def test_rules_about_time_slicing(sharing: str, network: str, expected: tuple[str, ...]) -> None:
    assert codes(cluster(f"network: {{mode: {network}}}"), pool(f"{T4}, {sharing}")) == expected


def test_one_server_for_two_clusters() -> None:
    metrics = f"stack: {{metrics: {{{METRICS}}}}}"
    both = f"{HEAD}GpuPool\nmetadata: {{name: pool}}\nspec: {{clusters: [a, b], limits: {{gpus: 8}}, {T4}}}\n"
    for query, expected in (("sum(q)", ("SCL023",)), ("sum(q{cluster='a'})", SILENT)):
        scaling = f', scaling: {{metric: query, query: "{query}", target: 5, max: 8}}'
        assert codes(cluster(metrics, "a"), cluster(metrics, "b"), both, workload(scaling)) == expected


@for_each(
    ("spec", "kinds", "expected"),
    [
        (f"{T4}, partition: {{timeSlicing: {{replicas: 4}}}}", ["Deployment"], True),
        (f"{T4}, partition: {{mps: {{replicas: 4}}}}", ["Deployment"], True),
        (f"{T4}, partition: {{mps: {{replicas: 4}}}}", ["Job", "Deployment"], True),
        (f"{T4}, partition: {{mps: {{replicas: 4}}}}", ["Job"], False),  # Jobs end, and a moved one starts again
        (f"{T4}, partition: {{mps: {{replicas: 4}}}}", [], False),
        (T4, ["Deployment"], False),
    ],
)
def test_shared_pods_that_are_not_consolidated(spec: str, kinds: list[str], expected: bool) -> None:
    reported = codes(pool(spec), *(workload("", kind, name=kind.lower()) for kind in kinds))
    assert ("PRT007" in reported) is expected


def test_the_cluster_autoscaler_counts_what_nodes_advertise() -> None:
    """It adds nodes like the existing ones, and does not consolidate."""
    group = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups/gpu/providers"
    where = f"provisioner: cluster-autoscaler, resourceId: {group}/Microsoft.ContainerService/managedClusters/prod-swc"
    shared = pool(f"{T4}, partition: {{mps: {{replicas: 4}}}}")
    assert "PRT007" not in codes(cluster(where), shared, workload(""))


@for_each(
    ("spec", "expected"),
    [
        ("sku: Standard_ND96isr_MI300X_v5, driver: none, devicePlugin: true", SILENT),
        ("sku: Standard_ND96isr_MI300X_v5, driver: none, devicePlugin: false", SILENT),
        ("sku: Standard_ND96isr_MI300X_v5, driver: managed, devicePlugin: true", ("DRV001", "DRV070", "DRV100")),
        (f"{T4}, devicePlugin: true", ("DRV100", "DRV101")),
        (f"{T4}, driver: none, devicePlugin: true", ("DRV101",)),
    ],
)
def test_the_device_plugin_alone(spec: str, expected: tuple[str, ...]) -> None:
    assert tuple(sorted(codes(pool(spec)))) == expected


@for_each(
    ("stack", "spec", "expected"),
    [
        ("discovery: gfd", T4, SILENT),
        ("discovery: none", f"{T4}, driver: none", SILENT),
        ("discovery: gfd", f"{T4}, driver: operator", ("DSC001",)),
        ("discovery: gfd, driver: none", "sku: Standard_ND96isr_MI300X_v5, devicePlugin: true", ("DSC001",)),
        ("discovery: gfd, allocation: dra", T4, ("DSC001",)),
    ],
)
def test_where_feature_discovery_has_an_effect(stack: str, spec: str, expected: tuple[str, ...]) -> None:
    reported = codes(cluster(f"stack: {{{stack}}}"), pool(spec))
    assert tuple(code for code in reported if code.startswith("DSC")) == expected


@for_each(
    ("setting", "driver", "expected"),
    [
        ("counters: standard", "operator", SILENT),
        ("counters: standard", "managed", ("MET062",)),
        ("probes: {livenessDelaySeconds: 90}", "aks", SILENT),
        ("probes: {livenessDelaySeconds: 90}", "operator", ("MET062",)),
    ],
)
def test_settings_of_exporters(setting: str, driver: str, expected: tuple[str, ...]) -> None:
    reported = codes(cluster(f"stack: {{metrics: {{{setting}}}}}"), pool(f"{T4}, driver: {driver}"))
    assert tuple(code for code in reported if code.startswith("MET")) == expected


@pytest.mark.parametrize(("driver", "expected"), [("aks", SILENT), ("managed", ("DSC001",))])
def test_discovery_for_the_whole_fleet(driver: str, expected: tuple[str, ...]) -> None:
    """A default that is useful on one cluster is not a mistake on another; if it is useful on none, it is."""
    head = f"{HEAD}Fleet\nmetadata: {{name: example}}\nspec:\n"
    shared = f"{head}  delivery: {{repository: 'https://github.com/a/b'}}\n  defaults: {{stack: {{discovery: gfd}}}}\n"
    reported = codes(shared, cluster(), cluster(name="idle"), pool(f"{T4}, driver: {driver}"))
    assert tuple(code for code in reported if code.startswith("DSC")) == expected


GROUPS = "/subscriptions/00000000-0000-0000-0000-000000000000/resourceGroups"
AKS = f"{GROUPS}/%s/providers/Microsoft.ContainerService/managedClusters/%s"


def identified(name: str, group: str, aks: str) -> str:
    return cluster(f"resourceId: {AKS % (group, aks)}", name)


@for_each(
    ("documents", "expected"),
    [
        ((identified("prod-swc", "gpu", "Prod_SWC"),), SILENT),
        ((identified("prod-swc", "gpu", "aks"), identified("b", "GPU", "AKS")), ("CLU008",)),
        ((identified("prod-swc", "gpu", "aks"), identified("b", "test", "aks")), SILENT),
        ((identified("prod-swc", "gpu", "b"), cluster(name="b")), ("CLU009",)),
        ((identified("prod-swc", "gpu", "b"), identified("b", "gpu", "prod-swc")), ("CLU009", "CLU009")),
        ((identified("prod-swc", "gpu", "b"), identified("b", "test", "b")), SILENT),
        ((identified("prod-swc", "gpu", "c"), cluster(name="b")), SILENT),
    ],
)
def test_ids_of_clusters(documents: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert codes(*documents, pool(T4)) == expected


def watched(*metrics: str, scrape: str = "azure-managed", name: str = "prod-swc") -> str:
    return cluster(f"stack: {{metrics: {{{', '.join((f'scrape: {scrape}', *metrics))}}}}}", name)


def endpoint(name: str) -> str:
    return f"server: https://{name}.swedencentral.prometheus.monitor.azure.com"


OWN, OTHER, AS = endpoint("gpu-a1b2"), endpoint("gpu-c3d4"), f"identity: {IDENTITY}"
WORKSPACE = f"workspace: {GROUPS}/m/providers/Microsoft.Monitor/accounts/gpu"


@for_each(
    ("metrics", "scaling", "expected"),
    [
        ((OWN, AS), ", scaling: {target: 70, max: 4}", ("MET065",)),
        ((OWN, AS), "", SILENT),
        ((OWN, "alerts: true"), "", ("MET065",)),
        ((OWN, AS, WORKSPACE), ", scaling: {target: 70, max: 4}", SILENT),
        ((endpoint("DefaultAzureMonitorWorkspace-sec-a1b2"), AS), ", scaling: {target: 70, max: 4}", SILENT),
        (("alerts: true",), "", SILENT),
    ],
)
def test_workspaces_that_the_runbook_leaves_out(
    metrics: tuple[str, ...], scaling: str, expected: tuple[str, ...]
) -> None:
    assert codes(watched(*metrics), pool(T4), workload(scaling)) == expected


def test_a_workspace_is_for_azure() -> None:
    assert codes(watched(WORKSPACE, scrape="prometheus-operator"), pool(T4)) == ("MET064",)


@for_each(
    ("first", "two", "expected"),
    [
        ((OWN, WORKSPACE), (OWN, WORKSPACE.upper().replace("WORKSPACE", "workspace", 1)), SILENT),
        ((OWN, WORKSPACE), (OWN, f"{WORKSPACE}-b"), ("MET066",)),
        ((OWN, WORKSPACE), (OTHER, WORKSPACE), ("MET066",)),
        ((OWN, WORKSPACE), (OTHER, f"{WORKSPACE}-b"), SILENT),
        ((OWN, WORKSPACE), (OWN,), SILENT),
        ((OWN, WORKSPACE), ("server: https://proxy.contoso.com", WORKSPACE), SILENT),
    ],
)
def test_endpoints_and_workspaces(first: tuple[str, ...], two: tuple[str, ...], expected: tuple[str, ...]) -> None:
    assert codes(watched(*first), watched(*two, name="b"), pool(T4)) == expected


RTX = pool("sku: Standard_NC144ds_xl_RTXPRO6000BSE_v6")
NO_DRIVER = pool(f"{A100}, driver: none")


@for_each("kubernetes", ["1.34", "1.35", "1.36"])
@for_each(
    ("today", "spec", "expected", "findings_in"),
    [
        ("", "", SILENT, ""),
        ("2026-07-17", "", SILENT, ""),
        (
            "2026-07-16",
            "",
            ("SKU012",),
            "available on AKS as of 1.14.0 (2026-07-17); prod-swc runs 1.12.1 (2026-05-29)",
        ),
        ("2026-05-28", "", ("SKU012", "CLU004"), "as of 1.12.1 (2026-05-29); prod-swc runs 1.10.2 (2026-04-28)"),
        ("2026-05-28", 'karpenter: "1.14.0"', SILENT, ""),
        ("", 'karpenter: "1.12.1"', ("SKU012",), "1.14.0 (2026-07-17); prod-swc runs 1.12.1"),
        ("", 'karpenter: "1.99.0"', SILENT, ""),
        ("2020-01-01", "", SILENT, ""),
    ],
)
def test_the_release_of_karpenter_is_that_of_the_service(
    kubernetes: str, today: str, spec: str, expected: tuple[str, ...], findings_in: str
) -> None:
    there = cluster(spec).replace("1.36", kubernetes)
    text = "---\n".join((there, RTX, NO_DRIVER.replace("name: pool", "name: other")))
    reported = findings(f"{CLOCK}{today}\n{text}" if today else text)
    of_release = [finding for finding in reported if finding.code in ("SKU012", "CLU004")]
    assert {finding.code for finding in of_release} == set(expected)
    assert findings_in in " ".join(diagnostic.message for diagnostic in of_release)


@for_each(
    ("aks", "metrics", "expected"),
    [
        (("aks", "aks"), (WORKSPACE, WORKSPACE), ("MET067",)),
        (("aks", "aks"), (OWN, OWN), ("MET067",)),
        (("aks", "aks"), (WORKSPACE, f"{WORKSPACE}-b"), SILENT),
        (("aks", "AKS"), (WORKSPACE, WORKSPACE), SILENT),
        (("aks", "b"), (WORKSPACE, WORKSPACE), SILENT),
        (("aks", "aks"), ("interval: 30s", "interval: 30s"), SILENT),
    ],
)
def test_labels_of_clusters(aks: tuple[str, str], metrics: tuple[str, str], expected: tuple[str, ...]) -> None:
    stacks = [f"stack: {{metrics: {{scrape: azure-managed, {metric}}}}}" for metric in metrics]
    there = [
        cluster(f"{stack}, resourceId: {AKS % (group, name)}", group)
        for stack, group, name in zip(stacks, ("prod-swc", "test-swc"), aks, strict=True)
    ]
    assert codes(*there, pool(T4)) == expected


@for_each(
    ("today", "spec", "outcome"),
    [
        ("", "", "does not start nodes for pods with a ResourceClaim (as of Karpenter 1.7.2 (2026-03-05))"),
        ("2026-03-05", "", "does not start nodes for pods with a ResourceClaim (as of Karpenter 1.7.2 (2026-03-05))"),
        ("2026-03-04", "", "runs Karpenter 1.6.8 (2026-02-08), which starts nodes without the devices of a claim"),
        ("", ', karpenter: "1.6.3"', "runs Karpenter 1.6.3, which starts nodes without the devices of a claim"),
    ],
)
def test_how_karpenter_treats_claims_depends_on_its_release(today: str, spec: str, outcome: str) -> None:
    text = "---\n".join((cluster(f"stack: {{allocation: dra}}{spec}"), pool(T4), workload("")))
    (message,) = [
        finding.message
        for finding in findings(f"{CLOCK}{today}\n{text}" if today else text)
        if finding.code == "DRA003"
    ]
    assert outcome in message


@pytest.mark.parametrize(
    ("triggers", "remedy"),
    [
        ("{metric: gpu-utilization, target: 70}", "remove cooldown"),
        ("{query: sum(queue), target: 5}", "remove cooldown, or set min: 0"),
        (
            "{query: sum(queue), target: 5}, {metric: gpu-utilization, target: 70}",
            "remove cooldown, or set min: 0",
        ),
    ],
)
def test_zero_replicas_are_suggested_if_a_signal_exists_without_pods(triggers: str, remedy: str) -> None:
    scaling = f", scaling: {{triggers: [{triggers}], min: 1, max: 8, cooldown: 5m}}"
    documents = (cluster(f"stack: {{metrics: {{{METRICS}}}}}"), pool(T4), workload(scaling))
    [reported] = [finding for finding in findings("---\n".join(documents)) if finding.code == "SCL013"]
    assert reported.help == remedy


@pytest.mark.parametrize(
    ("family", "expected"), [("Ubuntu", ["DRV013"]), ("Ubuntu2204", ["DRV013"]), ("AzureLinux", [])]
)
def test_fips_on_arm64_sizes_of_node_pools(family: str, expected: list[str]) -> None:
    nodes = f"sku: Standard_ND128isr_GB300_v6, image: {{family: {family}, fips: true}}, nodes: {{max: 2}}"
    documents = (cluster(f"provisioner: cluster-autoscaler, resourceId: {AKS % ('gpu', 'prod-swc')}"), pool(nodes))
    assert [code for code in codes(*documents) if code in ("DRV008", "DRV013")] == expected


@pytest.mark.parametrize(
    ("triggers", "is_reported"),
    [
        (QUEUE, False),
        ("{query: sum(queue), target: 5}", True),
        (f"{QUEUE}, {{query: sum(queue), target: 5}}", True),
    ],
)
def test_a_single_query_needs_a_server(triggers: str, is_reported: bool) -> None:
    scaling = f", scaling: {{triggers: [{triggers}], max: 8, identity: {IDENTITY}}}"
    assert ("SCL006" in codes(cluster("stack: {keda: helm}"), pool(T4), workload(scaling))) == is_reported


@pytest.mark.parametrize(("today", "expected"), [("2020-01-01", SILENT), ("2026-03-31", ("CLU004",)), ("", SILENT)])
def test_before_the_first_known_release_of_karpenter_nothing_is_known_to_be_missing(
    today: str, expected: tuple[str, ...]
) -> None:
    documents = cluster(), pool(f"{T4}, image: {{artifactStreaming: true}}")
    text = f"{CLOCK}{today}\n" * bool(today) + "---\n".join(documents)
    assert tuple(finding.code for finding in findings(text) if finding.code in ("CLU004", FAILED)) == expected
