"""Remedies of fleet rules, followed literally, lead to no finding of the same rule, no error, no invalid value."""

import pytest

from gitgpu.diagnostic import Diagnostic, Severity
from gitgpu.load.spec.shape import shape
from gitgpu.load.text import Text
from gitgpu.model.link import link
from tests.helping.cases import for_each
from tests.rules.fleet.examples import BASE, CATALOG, RULES, findings

HEAD = "apiVersion: gitgpu.dev/v1alpha1\nkind: "
CLUSTER = f"{HEAD}Cluster\nmetadata: {{name: prod-swc}}\nspec: {{region: %s, kubernetesVersion: '1.36'}}\n"
POOL = f"{HEAD}GpuPool\nmetadata: {{name: pool}}\nspec: {{clusters: [prod-swc], limits: {{gpus: 16}}, %s}}\n"
WORK = f"{HEAD}GpuWorkload\nmetadata: {{name: work, namespace: research}}\nspec: {{pools: [pool], %s}}\n"
TARGET = "target: {kind: StatefulSet, name: work}"
V100 = "sku: Standard_ND40rs_v2, driver: operator"
HOPPER = "sku: [Standard_NC40ads_H100_v5, Standard_ND96isr_H100_v5], driver: operator, image: {family: Ubuntu2204}"


def finding_of(code: str, *documents: str) -> Diagnostic:
    """The only finding of a code."""
    (finding,) = [finding for finding in findings("---\n".join(documents)) if finding.code == code]
    return finding


def errors(*documents: str) -> set[str]:
    return {finding.code for finding in findings("---\n".join(documents)) if finding.severity is Severity.ERROR}


def unlinked(requirements: str) -> tuple[str, str, str]:
    """The pointer, message and remedy of requirements that no size meets."""
    text = "---\n".join([BASE["Fleet"], BASE["Cluster"], POOL % f"requirements: {requirements}"])
    (diagnostic,) = link(shape([Text("fleet.yaml", text, "fleet.yaml")])[0], CATALOG)[1]
    assert diagnostic.code == "LNK008"
    return diagnostic.pointer, diagnostic.message, diagnostic.help


@pytest.mark.parametrize("branch", ["", ', driverBranch: "595"'])
def test_the_remedy_for_a_dropped_gpu_is_the_newest_branch_that_supports_it(branch: str) -> None:
    assert (
        finding_of("DRV004", POOL % (V100 + branch)).help == 'set driverBranch: "580", or use a size with a newer GPU'
    )
    assert errors(POOL % f'{V100}, driverBranch: "580"') == set()


def test_the_remedy_is_not_a_negative_request_if_no_node_fits_a_pod() -> None:
    cluster = (
        f"{HEAD}Cluster\nmetadata: {{name: prod-swc}}\nspec: {{region: swedencentral, kubernetesVersion: '1.36', "
        "provisioner: cluster-autoscaler, resourceId: /subscriptions/00000000-0000-0000-0000-000000000000/"
        "resourceGroups/gpu/providers/Microsoft.ContainerService/managedClusters/prod-swc}\n"
    )
    pool = POOL % (
        "sku: Standard_NC24ads_A100_v4, driver: operator, nodes: {min: 1, max: 2}, image: {family: Ubuntu}, "
        "partition: {mig: {strategy: mixed, profiles: {1g.10gb: 7}}}"
    )
    assert finding_of("SCH009", cluster, pool, WORK % TARGET).help == (
        "set mig: 1g.10gb, which its pools are split into, and gpus to the number of instances"
    )
    assert "SCH009" not in errors(cluster, pool, WORK % f"{TARGET}, mig: 1g.10gb")


def test_a_workload_can_choose_among_the_profiles_that_all_its_pools_have() -> None:
    bad = next(rule.bad_examples[1] for rule in RULES if rule.code == "PRT008")
    text = bad.replace("{3g.47gb: 2}", "{1g.12gb: 4, 3g.47gb: 1}").replace("[t4, h100]", "[h100]")
    assert finding_of("PRT008", text).help == "set mig: 1g.12gb or 3g.47gb"
    for profile in ("1g.12gb", "3g.47gb"):
        assert errors(f"{text}  mig: {profile}\n") == set()


def test_nics_on_a_cluster_with_karpenter() -> None:
    pool = POOL % "sku: Standard_ND96isr_H200_v5"
    remedy = finding_of("RDM003", pool, WORK % f"{TARGET}, gpus: 8, rdma: 8").help
    assert remedy == "remove rdma, or use a pool with rdma and provisioner: fixed"


def test_a_layout_for_two_kinds_of_gpus_is_supported_by_both() -> None:
    mixed = f"{HOPPER}, partition: {{mig: {{profiles: {{1g.10gb: 7}}}}}}"
    (finding,) = [finding for finding in findings(POOL % mixed) if finding.code == "PRT002"]
    assert finding.help == "use a separate pool for each GPU model: no profile exists on all GPUs of this pool"


@for_each(
    ("requirements", "place", "remedy"),
    [
        ("{gpu: {model: [Tesla T4]}}", "gpu/model", "did you mean T4?"),
        ("{gpu: {model: [A100-SXM4-80GB]}}", "gpu/model", "did you mean A100?"),
        ("{gpu: {model: [NVIDIA H100 NVL]}}", "gpu/model", "did you mean H100?"),
        ("{gpu: {model: [Xavier]}}", "gpu/model", "use one of "),
        ("{gpu: {model: [T4], architecture: [Hoper]}}", "gpu/architecture", "did you mean Hopper?"),
        ("{gpu: {model: [T4], count: 3}}", "gpu/count", "relax it"),
        ("{gpu: {model: [T4], memoryGiB: '>=80'}}", "gpu/model", "relax or remove it"),
        ("{vcpus: 3}", "vcpus", "relax it"),
    ],
)
def test_the_requirement_that_no_size_meets_is_named(requirements: str, place: str, remedy: str) -> None:
    pointer, message, reported = unlinked(requirements)
    assert pointer == f"/spec/requirements/{place}"
    assert place.replace("/", ".") in message
    assert reported.startswith(remedy)


@pytest.mark.parametrize(
    ("budget", "remedy", "mended"),
    [
        ('schedule: "0 6 * * *", duration: 24h', "set duration: 12h, or another one below 24h", "duration: 12h"),
        ('schedule: "@hourly", duration: 2h', "set duration: 30m, or another one below 1h", "duration: 30m"),
        ('schedule: "0 0 31 2 *", duration: 1h', "use a day that exists in its months", 'schedule: "0 0 28 2 *"'),
    ],
)
def test_a_budget_without_a_pause_gets_one(budget: str, remedy: str, mended: str) -> None:
    text = POOL % f"sku: Standard_NC16as_T4_v3, disruption: {{budgets: [{{nodes: '0', {budget}}}, {{nodes: 10%}}]}}"
    diagnostic = finding_of("DIS006", text)
    assert diagnostic.help == remedy
    key, _, old = mended.partition(": ")
    before = next(part for part in budget.split(", ") if part.startswith(key))
    assert [finding.code for finding in findings(text.replace(before, f"{key}: {old}"))] == []


@pytest.mark.parametrize("capacity", ["[spot]", "[spot, on-demand]", "[on-demand]"])
def test_the_remedy_for_a_job_is_not_only_spot_nodes(capacity: str) -> None:
    job = WORK % "target: {kind: Job, name: train}"
    text = "---\n".join([POOL % f"sku: Standard_NC16as_T4_v3, capacity: {capacity}", job])
    assert ("DIS014" in {finding.code for finding in findings(text)}) is (capacity == "[spot]")
    assert "DIS014" not in {finding.code for finding in findings(text.replace("kind: Job", "kind: Deployment"))}


@pytest.mark.parametrize("sku", ["Standard_NV36ads_A10_v5", "Standard_NV6ads_A10_v5"])
def test_the_operators_driver_does_not_come_up_on_grid_sizes(sku: str) -> None:
    assert "DRV002" in errors(POOL % f"sku: {sku}, driver: operator")
    assert errors(POOL % f"sku: {sku}, driver: aks") == set()


@for_each("region", ["usgovvirginia", "usgovarizona", "chinanorth3", "chinaeast2"])
def test_regions_of_other_clouds_are_known(region: str) -> None:
    assert errors(CLUSTER % region, POOL % "sku: Standard_NC16as_T4_v3") == set()


@pytest.mark.parametrize("metric", ["gpu-utilization", "query"])
def test_no_remedy_scales_a_workload_to_zero_that_could_not_scale_up_again(metric: str) -> None:
    query = ", query: sum(gateway_requests_waiting)" if metric == "query" else ""
    stack = "stack: {metrics: {scrape: prometheus-operator, server: 'http://prometheus.monitoring:9090'}}"
    cluster = CLUSTER.replace("'1.36'", f"'1.36', {stack}") % "swedencentral"
    work = WORK % f"target: {{kind: Deployment, name: w}}, scaling: {{metric: {metric}{query}, target: 70, max: 8, %s}}"
    pool = POOL % "sku: Standard_NC16as_T4_v3"
    for code, setting in (("SCL013", "cooldown: 15m"), ("SCL063", "activation: 5")):
        assert ("min: 0" in finding_of(code, cluster, pool, work % setting).help) is (metric == "query")


SIZES = "sku: [Standard_ND40rs_v2, Standard_NC144ds_xl_RTXPRO6000BSE_v6]"
LIMITED = (POOL % SIZES).replace("limits: {gpus: 16}", "limits: {%s}")


def test_limits_that_exclude_every_size_only_together() -> None:
    diagnostic = finding_of("SKU007", LIMITED % "gpus: 1, cpu: 40")
    assert (diagnostic.pointer, diagnostic.help) == ("/spec/limits/cpu", "set cpu: 144 or more")
    for limits in ("gpus: 8, cpu: 40", "gpus: 1, cpu: 144", "gpus: 0, cpu: 40"):
        assert "SKU007" not in errors(LIMITED % limits), limits


@pytest.mark.parametrize(
    ("wanted", "pointer", "remedy"),
    [
        ('gpu: {model: [T4, "Tesla V100"]}', "/spec/requirements/gpu/model/1", "did you mean V100?"),
        ("gpu: {architecture: [Hoper, Ampere]}", "/spec/requirements/gpu/architecture/0", "did you mean Hopper?"),
        ("series: [NCas_v3, NCads_v44]", "/spec/requirements/series/1", "did you mean NCads_v4?"),
    ],
)
def test_an_unknown_name_beside_a_known_one_is_reported(wanted: str, pointer: str, remedy: str) -> None:
    refusal = unlinked(f"{{{wanted}}}")
    assert (refusal[0], refusal[2]) == (pointer, remedy)


def test_a_known_but_unavailable_name_may_be_listed_beside_others() -> None:
    assert "LNK008" not in errors(POOL % 'requirements: {gpu: {model: [t4, P100, "rtx pro 6000"]}}')


def test_another_server_is_scraped_by_the_operator_without_an_identity() -> None:
    cluster = (
        f"{HEAD}Cluster\nmetadata: {{name: prod-swc}}\nspec: {{region: swedencentral, kubernetesVersion: '1.36', "
        'stack: {metrics: {server: "http://prometheus.monitoring:9090", scrape: %s}}}\n'
    )
    scaled = WORK % f"{TARGET}, scaling: {{metric: gpu-utilization, target: 70, max: 8}}"
    documents = POOL % "sku: Standard_NC16as_T4_v3", scaled
    identity = "azure-managed, identity: 11111111-2222-3333-4444-555555555555"
    help_text = finding_of("SCL025", cluster % identity, *documents).help
    assert help_text.endswith("or set scrape: prometheus-operator and remove identity")
    after = findings("---\n".join([cluster % "prometheus-operator", *documents]))
    assert {finding.code for finding in after}.isdisjoint({"SCL025", "MET064"})


STACK = "  stack: {metrics: {scrape: azure-managed%s}}\n"
CLUSTERS = [
    f"{HEAD}Cluster\nmetadata: {{name: {name}}}\nspec:\n  region: swedencentral\n  kubernetesVersion: '1.36'\n"
    for name in ("one", "two")
]
SCALED = WORK % f"{TARGET}, scaling: {{target: 70, max: 4}}"


@for_each(
    ("clusters", "place"),
    [
        ([CLUSTERS[0]], "scaling: {target"),
        (CLUSTERS, "scaling: {target"),
        ([CLUSTERS[0] + STACK % ""], "metrics: {scrape"),
        ([cluster + STACK % "" for cluster in CLUSTERS], "scaling: {target"),
    ],
)
def test_a_missing_address_is_reported_where_metrics_or_scaling_are_written(clusters: list[str], place: str) -> None:
    """It is not reported at an unrelated line, such as the region of a cluster."""
    names = ", ".join(["one", "two"][: len(clusters)])
    text = "---\n".join([*clusters, POOL.replace("prod-swc", names) % "sku: Standard_NC16as_T4_v3", SCALED])
    diagnostics = [finding for finding in findings(text) if finding.code == "SCL006"]
    assert {diagnostic.message.rpartition("metrics.")[2].split()[0] for diagnostic in diagnostics} == {
        "server",
        "identity",
    }
    for diagnostic in diagnostics:
        line = text.splitlines()[diagnostic.span.line - 1]
        assert place in line[diagnostic.span.column - 1 - len(place.split(maxsplit=1)[0]) - 1 :], line
        assert names.replace(", ", " and ") in diagnostic.message


REGIONS = {
    "us-east-1": ("us-east-1 is a region of AWS or Google Cloud, not of Azure", "az account list-locations"),
    "us-gov-west-1": ("us-gov-west-1 is a region of AWS or Google Cloud, not of Azure", "az account list-locations"),
    "europe-west4": ("europe-west4 is a region of AWS or Google Cloud, not of Azure", "az account list-locations"),
    "us-central1": ("us-central1 is a region of AWS or Google Cloud, not of Azure", "az account list-locations"),
    "east-us-2": ("unknown Azure region east-us-2", "did you mean eastus2?"),
    "estus": ("unknown Azure region estus", "did you mean eastus?"),
}


@for_each("region", REGIONS)
def test_a_region_of_another_cloud_is_named_as_such(region: str) -> None:
    message, remedy = REGIONS[region]
    diagnostic = finding_of("CLU001", CLUSTER % region)
    assert diagnostic.message == message
    assert remedy in diagnostic.help


@for_each(
    ("name", "target", "wanted"),
    [
        ("DCGM_FI_DEV_SM_UTIL", 70, "100 * DCGM_FI_PROF_SM_ACTIVE"),
        ("DCGM_FI_DEV_SM_UTIL", 0.7, "DCGM_FI_PROF_SM_ACTIVE"),
        ("DCGM_FI_DEV_MEM_UTIL", 70, "DCGM_FI_DEV_MEM_COPY_UTIL"),
        ("DCGM_FI_DEV_GPU_UTILIZATION", 70, "DCGM_FI_DEV_GPU_UTIL"),
    ],
)
@for_each("query", ["avg(NAME)", "sum(NAME)", 'avg(NAME{namespace="research"})'])
def test_the_suggested_field_leads_to_no_other_finding(query: str, name: str, target: float, wanted: str) -> None:
    def documents(field: str) -> tuple[str, ...]:
        scaling = f"scaling: {{metric: query, query: '{query.replace('NAME', field)}', target: {target}, max: 8}}"
        pool = POOL % "sku: Standard_NC4as_T4_v3"
        return BASE["Fleet"], BASE["Cluster"], pool, WORK % f"{TARGET}, {scaling}"

    before = {finding.code for finding in findings("---\n".join(documents(name)))}
    shown = f"'{wanted}'" if " " in wanted else wanted
    assert finding_of("SCL017", *documents(name)).help == f"use {shown}, or another DCGM field"
    assert {finding.code for finding in findings("---\n".join(documents(wanted)))} <= before - {"SCL017"}
