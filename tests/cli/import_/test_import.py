"""`gitgpu import`: what it writes, what it reports, and its exit status."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator

from tests.adopt.test_observing import FLUX
from tests.cli.conftest import KNOWN, Run
from tests.runs.test_import import POOL

REPORT = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text("utf-8"))
PROD = (
    "--cluster",
    "prod",
    "--region",
    "swedencentral",
    "--kubernetes",
    "1.36",
    "--repository",
    "https://github.com/contoso/fleet",
)


@pytest.fixture
def pools(run: Run) -> Run:
    """Runs in a directory with the manifests of a pool."""
    Path("pools.yaml").write_text(POOL, encoding="utf-8")
    return run


def answer(run: Run, *words: str, code: int = 0) -> dict[str, Any]:
    """The report in JSON. Asserts that it fits its schema."""
    ran = run("import", *words, "-o", "json")
    assert ran.code == code, ran
    report: dict[str, Any] = json.loads(ran.out)
    assert list(Draft7Validator(REPORT).iter_errors(report)) == []
    return report


def files() -> list[str]:
    """The files of the fleet."""
    return sorted(path.as_posix() for path in Path("fleet").rglob("*") if path.is_file())


def test_the_fleet_is_written_and_builds(pools: Run) -> None:
    ran = pools("import", "pools.yaml", *PROD)
    assert ran.code == 0, ran
    verdict = (
        "1 GPU pool: no node is replaced; software unknown on 1\n  prod/gpu: no node is replaced, software unknown\n"
    )
    assert ran.out.startswith(verdict)
    lines = Path("fleet/clusters/prod/pools/gpu.yaml").read_text(encoding="utf-8").splitlines()
    place = f"fleet/clusters/prod/pools/gpu.yaml:{lines.index('  name: gpu') + 1}"
    assert f"Adopted:\n  pools.yaml:1:1: NodePool/gpu: {place}\n" in ran.out
    assert ran.err.endswith("Wrote 3 files in fleet. Next: gitgpu build\n")
    assert files() == ["fleet/clusters/prod/cluster.yaml", "fleet/clusters/prod/pools/gpu.yaml", "fleet/fleet.yaml"]
    assert pools("build").code == 0
    assert Path("overlays/prod/nodes/aksnodeclass-shared.yaml").is_file()


def test_a_dry_run_writes_nothing_and_shows_everything(pools: Run) -> None:
    ran = pools("import", "pools.yaml", *PROD, "--dry-run")
    assert (ran.code, files()) == (0, [])
    assert "==> fleet/clusters/prod/cluster.yaml <==\n" in ran.out
    shown = answer(pools, "pools.yaml", *PROD, "--dry-run")
    assert "kind: GpuPool" in "".join(each["text"] for each in shown["files"])
    assert files() == []


def test_a_dry_run_on_a_terminal_does_not_break_lines_of_files(pools: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is copied from it is the file."""
    monkeypatch.setattr("gitgpu.cli.output.terminal.columns", lambda: 40)
    Path("pools.yaml").write_text(POOL.replace("value: present", f"value: {'x' * 20}-{'y' * 40}"), encoding="utf-8")
    ran = pools("import", "pools.yaml", *PROD, "--dry-run")
    assert pools("import", "pools.yaml", *PROD).code == ran.code == 0
    for name in files():
        assert f"==> {name} <==\n{Path(name).read_text('utf-8')}\n" in ran.out
    assert max(map(len, Path("fleet/clusters/prod/pools/gpu.yaml").read_text("utf-8").splitlines())) > 80


def test_nothing_is_overwritten_without_force(pools: Run) -> None:
    Path("fleet").mkdir()
    Path("fleet/fleet.yaml").write_text("mine\n", encoding="utf-8")
    ran = pools("import", "pools.yaml", *PROD)
    assert (ran.code, ran.out) == (2, "")
    assert "fleet/fleet.yaml: error[OUT005] already exists" in ran.err
    assert "--force" in ran.err
    assert files() == ["fleet/fleet.yaml"]
    assert pools("import", "pools.yaml", *PROD, "--force").code == 0
    assert Path("fleet/fleet.yaml").read_text(encoding="utf-8") != "mine\n"


def test_each_field_names_the_line_of_the_spec(pools: Run) -> None:
    report = answer(pools, "pools.yaml", *PROD)
    lines = Path("fleet/clusters/prod/pools/gpu.yaml").read_text(encoding="utf-8").splitlines()
    by_pointer = {(each["object"], each["pointer"]): each for each in report["outcomes"]}
    disk = by_pointer["AKSNodeClass/shared", "/spec/osDiskSizeGB"]
    assert disk["outcome"] == "adopted"
    assert disk["spec"]["pointer"] == "/spec/image/osDiskGB"
    assert "osDiskGB: 300" in lines[disk["spec"]["line"] - 1]
    assert (disk["file"], disk["line"]) == ("pools.yaml", 22)


def test_check_compares_a_fleet_that_is_there(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    before = files()
    assert pools("import", "pools.yaml", *PROD, "--check").code == 0
    path = Path("fleet/clusters/prod/pools/gpu.yaml")
    path.write_text(
        path.read_text("utf-8").replace("    name: shared\n", "").replace("  nodeClass: {name: shared}\n", "")
    )
    ran = pools("import", "pools.yaml", *PROD, "--check")
    assert ran.code == 1
    assert "prod/gpu: nodes are replaced" in ran.out
    assert "nodeClass: {name: shared} keeps the AKSNodeClass" in ran.out
    assert files() == before


def test_import_reads_standard_input(pools: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import io  # noqa: PLC0415
    import sys  # noqa: PLC0415

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(POOL.encode())))
    assert pools("import", "-", *PROD, "--dry-run").code == 0


def test_a_node_class_that_was_not_read_counts_as_unknown(pools: Run) -> None:
    Path("pools.yaml").write_text(POOL.partition("---")[0], encoding="utf-8")
    ran = pools("import", "pools.yaml", *PROD)
    assert ran.code == 1
    assert "prod/gpu: unknown, software unknown: AKSNodeClass shared was not read" in ran.out


def test_a_directory_with_nothing_that_can_be_read_says_why(run: Run) -> None:
    Path("pools.json").write_text('WARNING: altered by an extension\n[\n {"vmSize": "Standard_NC6s_v3"}\n]', "utf-8")
    ran = run("import", ".")
    assert ran.code == 2
    assert "pools.json:1:1: warning[IMP003] text before the JSON" in ran.err


@pytest.mark.parametrize("words", [(), ("missing.yaml",), ("empty",)])
def test_without_input_it_cannot_run(pools: Run, words: tuple[str, ...]) -> None:
    Path("empty").mkdir()
    ran = pools("import", *words)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err


def test_import_reports_pools_in_markdown(pools: Run) -> None:
    ran = pools("import", "pools.yaml", *PROD, "-o", "markdown", "--dry-run")
    assert ran.out.startswith("**gitgpu import: 1 GPU pool: no node is replaced; software unknown on 1**\n")
    assert "| prod | gpu | not replaced | unknown |  |" in ran.out


AZ = """[
  {
    "id": "/subscriptions/00000000-0000-0000-0000-000000000000/resourcegroups/prod/providers/Microsoft.ContainerService\
/managedClusters/prod/agentPools/gpu",
    "type": "Microsoft.ContainerService/managedClusters/agentPools", "name": "gpu", "mode": "User", "count": 3,
    "vmSize": "Standard_NC24ads_A100_v4", "osType": "Linux", "osSku": "Ubuntu", "osDiskSizeGb": 128,
    "osDiskType": "Managed", "kubeletDiskType": "OS", "maxPods": 110, "nodeLabels": {"team": "ml"},
    "nodeTaints": ["sku=gpu:NoSchedule"], "enableAutoScaling": true, "minCount": 1, "maxCount": 5,
    "enableFips": false, "enableUltraSsd": false, "gpuProfile": null, "orchestratorVersion": "1.33.2",
    "nodeImageVersion": "AKSUbuntu-2204gen2containerd-202510.01.0", "powerState": {"code": "Running"},
    "securityProfile": {"enableSecureBoot": false, "enableVtpm": false}, "scaleDownMode": "Delete",
    "typePropertiesType": "VirtualMachineScaleSets", "workloadRuntime": "OCIContainer",
    "upgradeSettings": {"maxSurge": "33%", "drainTimeoutInMinutes": null}
  }
]
"""


def test_node_pools_of_aks_as_az_prints_them(run: Run) -> None:
    Path("np.json").write_text(AZ, encoding="utf-8")
    report = answer(run, "np.json", "--region", "swedencentral", *KNOWN)
    assert [(each["cluster"], each["name"], each["nodes"]) for each in report["pools"]] == [("prod", "gpu", "keep")]
    assert report["summary"]["notAdopted"] == 0
    text = Path("fleet/clusters/prod/pools/gpu.yaml").read_text(encoding="utf-8")
    assert "  nodes: {min: 1, max: 5}\n  agentPool: {upgradeSettings: {maxSurge: 33%}}\n" in text
    assert "  image: {osDiskGB: 128, ephemeralOSDisk: false}\n" in text
    assert "workloadRuntime" not in text


@pytest.mark.parametrize(("size", "code"), [("Standard_NC24ads_A100_v4", 1), ("Standard_D4s_v5", 0)])
def test_a_pool_that_no_entry_point_applies(run: Run, size: str, code: int) -> None:
    """With GPUs, it is not adopted, which the exit status shows. Without GPUs, it is skipped."""
    for cluster in ("dev", "prod"):
        entry, nodes = Path(f"clusters/{cluster}"), Path(f"nodes/{cluster}")
        entry.mkdir(parents=True)
        nodes.mkdir(parents=True)
        (entry / "nodes.yaml").write_text(FLUX % ("nodes", nodes), encoding="utf-8")
        (nodes / "pool.yaml").write_text(POOL, encoding="utf-8")
    stray = POOL.replace("name: gpu", "name: stray").replace("Standard_NC24ads_A100_v4", size)
    Path("stray.yaml").write_text(stray, encoding="utf-8")
    report = answer(run, ".", "--region", "swedencentral", *KNOWN, code=code)
    fates = [each["outcome"] for each in report["outcomes"] if each["object"] == "NodePool/stray"]
    assert ("notAdopted" in fates) == bool(code)
    assert ("NodePool/stray" in {each["name"] for each in report["passedOver"]}) is not bool(fates)  # listed once


def test_a_region_is_one_of_azure(pools: Run) -> None:
    """A misspelt region is not used. The display name of the Azure portal is accepted."""
    ran = pools("import", "pools.yaml", "--cluster", "prod", "--region", "swedencentrall")
    assert (ran.code, "did you mean swedencentral?" in ran.err) == (2, True)
    assert not Path("fleet").exists()
    assert pools("import", "pools.yaml", "--cluster", "prod", *KNOWN, "--region", "Sweden Central").code == 0
    assert "region: swedencentral\n" in Path("fleet/clusters/prod/cluster.yaml").read_text(encoding="utf-8")


def test_a_directory_with_terraform_beside_manifests(pools: Run) -> None:
    """Configuration that is not read is a warning. Alone, it is an error, because nothing can be imported."""
    Path("infra").mkdir()
    Path("infra/main.tf").write_text('resource "azurerm_kubernetes_cluster_node_pool" "a" {\n}\n', encoding="utf-8")
    [fault] = [each for each in answer(pools, ".", *PROD)["findings"] if each["code"].startswith("IMP")]
    assert (fault["code"], fault["severity"], fault["file"]) == ("IMP003", "warning", "infra/main.tf")
    ran = pools("import", "infra")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(
        "infra/main.tf:1:1: warning[IMP003] not read: HCL, not JSON\n  = help: run `terraform show -json`"
    )


@pytest.mark.parametrize("option", [None, "--dry-run", "--check"])
def test_input_that_cannot_be_read_is_exit_status_1(pools: Run, option: str | None) -> None:
    if option == "--check":
        assert pools("import", "pools.yaml", *PROD).code == 0
    Path("nodes.json").write_text('{"apiVersion": "v1", "items": [', encoding="utf-8")
    ran = pools("import", "pools.yaml", "nodes.json", *PROD, *([option] if option else []))
    assert ran.code == 1
    assert "nodes.json" in ran.err


def test_check_without_a_fleet_says_how_to_create_one(pools: Run) -> None:
    ran = pools("import", "pools.yaml", *PROD, "--check")
    assert ran.code == 2
    assert "pass its directory with `--out`, or run `gitgpu import` without `--check` to create it" in ran.err


@pytest.mark.parametrize(
    ("cluster", "name", "reason"),
    [
        (
            "other",
            "gpu",
            "the fleet has no cluster other: if it has a different name in the fleet, pass that with --cluster",
        ),
        ("prod", "gpu2", "the fleet has no pool gpu2 on cluster prod"),
    ],
)
def test_check_names_pools_that_the_fleet_does_not_describe(pools: Run, cluster: str, name: str, reason: str) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    running = POOL.replace("  name: gpu\n", f"  name: {name}\n")
    Path("pools.yaml").write_text(running, encoding="utf-8")
    ran = pools("import", "pools.yaml", "--cluster", cluster, "--check")
    assert ran.code == 1, ran
    assert f"Not adopted:\n  pools.yaml:1:1: NodePool/{name}: {reason}\n" in ran.out
    assert ("prod/gpu: new; not running yet" in ran.out) is (cluster == "prod")


def test_a_lifted_opt_out_says_nothing_about_windows(run: Run) -> None:
    site = {
        "name": "prod",
        "location": "swedencentral",
        "kubernetesVersion": "1.36",
        "type": "Microsoft.ContainerService/ManagedClusters",
        "agentPoolProfiles": [
            {"name": name, "vmSize": "Standard_NC4as_T4_v3", "count": 1, "mode": "User", "osType": of}
            for name, of in (("gpua", "Linux"), ("gpub", "Linux"), ("win", "Windows"))
        ],
    }
    Path("show.json").write_text(json.dumps(site), encoding="utf-8")
    run("import", "show.json")
    written = {path.stem: "operatorOptOut: false" in path.read_text("utf-8") for path in Path("fleet").rglob("*.yaml")}
    assert written == {"cluster": False, "fleet": False, "gpua": True, "gpub": True, "win": False}


def test_force_names_what_it_removes_and_replaces(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    fleet, prod, gpu = (
        Path("fleet/fleet.yaml"),
        Path("fleet/clusters/prod/cluster.yaml"),
        Path("fleet/clusters/prod/pools/gpu.yaml"),
    )
    ring = "  rings: [{name: canary, clusters: {matchLabels: {stage: dev}}}]\n"
    fleet.write_text(fleet.read_text("utf-8").replace("spec:\n", f"spec:\n{ring}"), encoding="utf-8")
    text = prod.read_text("utf-8").replace("  name: prod\n", "  name: prod\n  labels: {stage: dev}\n", 1)
    prod.write_text(text, encoding="utf-8")
    text = gpu.read_text("utf-8").replace("osDiskGB: 300", "osDiskGB: 200")
    gpu.write_text(f"{text}---\n{text.replace('name: gpu', 'name: old')}", encoding="utf-8")
    findings = answer(pools, "pools.yaml", *PROD, "--force")["findings"]
    assert {each["message"] for each in findings if each["code"] == "IMP011"} == {
        "Fleet fleet: --force removes spec.rings",
        "Cluster prod: --force removes metadata.labels",
        "GpuPool gpu: --force replaces spec.image.osDiskGB 200 with 300",
        "GpuPool old: --force removes the document",
    }
    again = answer(pools, "pools.yaml", *PROD, "--force")["findings"]
    assert [each for each in again if each["code"] == "IMP011"] == []


def test_force_counts_defaults_of_the_fleet(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    fleet, gpu = Path("fleet/fleet.yaml"), Path("fleet/clusters/prod/pools/gpu.yaml")
    gpu.write_text(gpu.read_text("utf-8").replace("  image: {osDiskGB: 300}\n", ""), encoding="utf-8")
    defaults = "  defaults: {pool: {image: {osDiskGB: 300}, tags: {team: ml}}}\n"
    fleet.write_text(f"{fleet.read_text('utf-8')}{defaults}", encoding="utf-8")
    findings = answer(pools, "pools.yaml", *PROD, "--force")["findings"]
    assert [each["message"] for each in findings if each["code"] == "IMP011"] == [
        "GpuPool gpu: --force removes spec.tags"
    ]


def test_a_fleet_that_is_passed_as_running_objects_is_reported_with_the_right_option(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    ran = pools("import", "pools.yaml", "fleet", *PROD, "--check")
    assert "GpuPool/gpu: a document of a spec, not of a running cluster; `--out` names the directory of" in ran.out


def test_the_version_of_a_cluster_is_at_least_that_of_its_node_pools(run: Run) -> None:
    of = "/subscriptions/1111aaaa-0000-0000-0000-000000000000/resourcegroups/rg/providers/Microsoft.ContainerService"
    pools = [
        {
            "name": name,
            "id": f"{of}/managedClusters/prod/agentPools/{name}",
            "vmSize": "Standard_NC4as_T4_v3",
            "count": 1,
            "mode": "User",
            "orchestratorVersion": version,
        }
        for name, version in (("gpua", "1.34.2"), ("gpub", "1.35"))
    ]
    Path("pools.json").write_text(json.dumps(pools), encoding="utf-8")
    run("import", "pools.json", "--region", "swedencentral")
    written = Path("fleet/clusters/prod/cluster.yaml").read_text("utf-8")
    reason = "its newest node pool runs 1.35, but the cluster may be newer"
    assert f'  # Inferred: {reason}.\n  kubernetesVersion: "1.35"\n' in written


def test_aks_adds_the_taint_of_spot_nodes_by_itself(run: Run) -> None:
    """A Terraform configuration may omit it."""
    of = "/subscriptions/1111aaaa-0000-0000-0000-000000000000/resourceGroups/rg/providers/Microsoft.ContainerService"
    values = {
        "name": "gpu",
        "vm_size": "Standard_NC4as_T4_v3",
        "kubernetes_cluster_id": f"{of}/managedClusters/prod",
        "node_count": 1,
        "mode": "User",
        "priority": "Spot",
        "node_taints": ["team=ml:NoSchedule"],
    }
    resource = {"mode": "managed", "type": "azurerm_kubernetes_cluster_node_pool", "name": "gpu", "values": values}
    state = {"format_version": "1.0", "values": {"root_module": {"resources": [{"address": "x.gpu", **resource}]}}}
    Path("state.json").write_text(json.dumps(state), encoding="utf-8")
    report = answer(run, "state.json", "--region", "swedencentral", *KNOWN)
    [taints] = [each for each in report["outcomes"] if each["pointer"] == "/spec/nodeTaints"]
    assert (taints["outcome"], taints["reason"]) == ("adopted", "AKS adds the taint of spot nodes itself")
    assert taints["spec"]["pointer"] == "/spec/taints"


GPU_POD = {"containers": [{"name": "main", "image": "x:1", "resources": {"limits": {"nvidia.com/gpu": 1}}}]}


@pytest.mark.parametrize(
    ("kind", "made"), [("Pod", False), ("Pod", True), ("LeaderWorkerSet", False), ("LeaderWorkerSet", True)]
)
def test_objects_that_request_gpus(pools: Run, kind: str, *, made: bool) -> None:
    """Pods of a controller are adopted with the controller, and a group of pods is a workload of its own."""
    group = {"leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": GPU_POD}}}
    version, spec = ("v1", GPU_POD) if kind == "Pod" else ("leaderworkerset.x-k8s.io/v1", group)
    meta = {"name": "a", "namespace": "ml", **({"ownerReferences": [{"kind": "Job", "name": "a"}]} if made else {})}
    body = {"apiVersion": version, "kind": kind, "metadata": meta, "spec": spec}
    Path("other.json").write_text(json.dumps(body), encoding="utf-8")
    ran = pools("import", "pools.yaml", "other.json", *PROD)
    lost = kind == "Pod" and not made
    assert ran.code == int(lost), ran
    assert ("it requests GPUs, but a GpuWorkload cannot describe it" in ran.out) is lost


def test_another_directory_is_named_in_the_next_command(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD, "--out", "other").err.endswith(
        "Wrote 3 files in other. Next: gitgpu build other\n"
    )
    assert pools("build", "other").code == 0
    assert pools("import", "pools.yaml", *PROD, "--check", "--out", "other").code == 0
    assert files() == []


def test_a_build_in_the_directory_of_the_fleet_says_what_it_reads(pools: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    monkeypatch.chdir("fleet")
    ran = pools("build")
    assert ran.code == 2
    remedy = "only fleet.yaml was read; to read clusters/ too, pass the directory: `gitgpu build .`"
    assert f"error[INP006] no cluster to build\n  = help: {remedy}\n" in ran.out
    assert pools("build", ".").code == 0


def test_a_fleet_with_errors_is_not_compared(pools: Run) -> None:
    assert pools("import", "pools.yaml", *PROD).code == 0
    path = Path("fleet/clusters/prod/cluster.yaml")
    path.write_text(path.read_text("utf-8").replace("swedencentral", "sweden"), encoding="utf-8")
    ran = pools("import", "pools.yaml", *PROD, "--check")
    assert (ran.code, ran.out) == (2, "")
    assert "fleet/clusters/prod/cluster.yaml:" in ran.err
    report = json.loads(pools("import", "pools.yaml", *PROD, "--check", "-o", "json").out)
    assert report["kind"] == "Findings"


def test_what_the_input_does_not_contain_has_to_be_filled_in(pools: Run) -> None:
    """A placeholder is not silent: exit status 1, a comment, and a warning of each build until it is replaced."""
    report = answer(pools, "pools.yaml", code=1)
    keys = {f"{each['kind']} {each['name']} {each['key']}" for each in report["fillIn"]}
    of_cluster = {f"Cluster cluster {key}" for key in ("metadata.name", "spec.region", "spec.kubernetesVersion")}
    assert keys == {*of_cluster, "Fleet fleet spec.delivery.repository"}
    assert report["inferred"] == []
    text = Path("fleet/clusters/cluster/cluster.yaml").read_text("utf-8")
    assert "  # TODO: the input does not contain the region: set it, or pass --region.\n  region: " in text
    ran = pools("build")
    assert ran.code == 0
    assert ran.out.count("warning[IMP014]") == 4
    assert "warning[IMP014] the region is a placeholder: the import did not find it" in ran.out
    ran = pools("import", "pools.yaml", "--dry-run", "--out", "other")
    assert "\nFill in:\n  Fleet fleet spec.delivery.repository: the input does not contain the repository" in ran.out
    ran = pools("import", "pools.yaml", "--dry-run", "--out", "other", "-o", "markdown")
    assert "### Fill in\n\n- Fleet fleet spec.delivery.repository: the input does not" in ran.out


def test_a_region_that_contradicts_the_zones(pools: Run) -> None:
    zone = "      - {key: topology.kubernetes.io/zone, operator: In, values: [swedencentral-1]}\n"
    Path("pools.yaml").write_text(
        POOL.replace("      requirements:\n", f"      requirements:\n{zone}"), encoding="utf-8"
    )
    ran = pools("import", "pools.yaml", "--cluster", "prod", *KNOWN, "--region", "eastus")
    assert ran.code == 1
    assert "Fill in:\n  Cluster prod spec.region: its NodePools require zones in swedencentral: correct the" in ran.out
    assert pools("import", "pools.yaml", "--cluster", "prod", *KNOWN, "--out", "other").code == 0


def test_a_cluster_without_a_name_replaces_no_other(pools: Run) -> None:
    assert pools("import", "pools.yaml", "--region", "swedencentral", *KNOWN).code == 1
    before = Path("fleet/clusters/cluster/cluster.yaml").read_text("utf-8")
    ran = pools("import", "pools.yaml", "--region", "westeurope", *KNOWN, "--force")
    assert (ran.code, ran.out) == (2, "")
    assert "error[IMP015] the fleet has a Cluster cluster, and the input does not name its cluster" in ran.err
    assert Path("fleet/clusters/cluster/cluster.yaml").read_text("utf-8") == before


def test_a_node_class_reports_the_version_of_its_cluster(pools: Run) -> None:
    Path("pools.yaml").write_text(f'{POOL}status: {{kubernetesVersion: "1.34.2"}}\n', encoding="utf-8")
    report = answer(pools, "pools.yaml", "--cluster", "prod", "--region", "swedencentral", code=1)
    assert [each["key"] for each in (*report["fillIn"], *report["inferred"])] == ["spec.delivery.repository"]
    assert '  kubernetesVersion: "1.34"\n' in Path("fleet/clusters/prod/cluster.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("option", "value"), [("--kubernetes", "latest"), ("--repository", "git@github.com:contoso/fleet.git")]
)
def test_options_that_the_fleet_would_reject(pools: Run, option: str, value: str) -> None:
    ran = pools("import", "pools.yaml", option, value)
    assert (ran.code, f"'{value}' is not " in ran.err) == (2, True), ran
