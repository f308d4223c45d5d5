"""`simulate`: its JSON for scripts, its exit status, and its text output."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator

from tests.cli.conftest import Run
from tests.cli.fleets import BROKEN, CLUSTER, HEAD, SOUND, write
from tests.cli.lint.test_skipped_files import WIDGET
from tests.inventory.test_safeguards import cluster, operator, resource
from tests.simulate.worlds import A100, CLASS, GPU, Body, deployment, pool, wants

REPORT = json.loads((Path(__file__).parents[3] / "schemas/report.schema.json").read_text("utf-8"))
WORKLOAD = (
    f"{HEAD}GpuWorkload\nmetadata: {{name: chat, namespace: serving}}\n"
    "spec: {pools: [t4], target: {kind: Deployment, name: chat, container: main}}\n"
)
PLACEHOLDER = 'apiVersion: v1\nkind: Pod\nmetadata: {name: "${NAME}"}\n'
FLEET = f"{SOUND}---\n{WORKLOAD}"
ZONES = (wants("topology.kubernetes.io/zone", "In", "eastus-1", "eastus-2", "eastus-3"),)


def manifests(path: str, *bodies: Body) -> None:
    """A file with these objects."""
    write(yaml.safe_dump_all(bodies, sort_keys=False), path)


def reported(run: Run, *arguments: str) -> dict[str, Any]:
    """The report in JSON. Asserts that it fits its schema."""
    report: dict[str, Any] = json.loads(run("simulate", "-o", "json", *arguments).out)
    Draft7Validator(REPORT).validate(report)
    return report


def test_a_fleet_is_simulated_without_a_build(run: Run) -> None:
    write(FLEET)
    report = reported(run)
    (workload,) = report["workloads"]
    assert (workload["namespace"], workload["name"], workload["cluster"]) == ("serving", "chat", "c1")
    assert (workload["verdict"], workload["pool"], workload["sku"]) == ("schedulable", "t4", "Standard_NC16as_T4_v3")
    assert (workload["nodes"], workload["pricePerHour"]) == (1, 1.276)
    assert (workload["file"], workload["line"]) == ("fleet.yaml", 16)
    assert workload["reasons"] == []
    assert report["hoursPerMonth"] == 730
    assert workload["atMax"]["pricePerMonth"] == pytest.approx(1.276 * 730)
    (cluster,) = report["clusters"]
    assert (cluster["name"], cluster["region"], cluster["atMax"]["nodes"]) == ("c1", "swedencentral", 1)


def test_a_manifest_of_the_workload_itself_is_patched_as_kustomize_would(run: Run) -> None:
    write(FLEET)
    own = deployment("chat", 2, gpus=0, requests={"memory": "60Gi"}, tolerations=[])
    manifests("apps/chat.yaml", {**own, "metadata": {"name": "chat"}})
    (workload,) = reported(run, "--workloads", "apps")["workloads"]
    assert (workload["namespace"], workload["verdict"], workload["nodes"], workload["certain"]) == (
        "serving",
        "schedulable",
        2,
        True,
    )
    assert (workload["file"], workload["line"], workload["doubts"]) == ("apps/chat.yaml", 1, [])


CLUSTER_ID = (
    "/subscriptions/00000000-0000-0000-0000-000000000000"
    "/resourceGroups/r/providers/Microsoft.ContainerService/managedClusters/c"
)
STUDIO = f"""\
{HEAD}Cluster
metadata: {{name: c1}}
spec:
  region: uksouth
  kubernetesVersion: "1.36"
  provisioner: cluster-autoscaler
  resourceId: {CLUSTER_ID}
---
{HEAD}GpuPool
metadata: {{name: shots}}
spec:
  clusters: [c1]
  sku: Standard_NC24ads_A100_v4
  nodes: {{min: 1, max: 1}}
  driver: managed
  partition: {{mig: {{strategy: mixed, profiles: {{1g.10gb: 7}}}}}}
---
{HEAD}GpuWorkload
metadata: {{name: story, namespace: studio}}
spec: {{pools: [shots], target: {{kind: Deployment, name: story}}, mig: 1g.10gb}}
"""


def test_pools_that_only_commands_can_make_are_simulated(run: Run) -> None:
    write("---\n".join((SOUND.split("---")[0], STUDIO)))
    (workload,) = reported(run)["workloads"]
    assert (workload["verdict"], workload["certain"], workload["pool"], workload["atMax"]["gpus"]) == (
        "schedulable",
        True,
        "shots",
        1,
    )


def test_jobs_that_prove_a_fleet_and_end_cost_nothing(run: Run) -> None:
    write(SOUND.replace('"1.36"', '"1.36", stack: {verify: true}'))
    assert reported(run)["workloads"] == []


def test_other_workloads_are_tried_on_every_cluster(run: Run) -> None:
    write(FLEET)
    manifests("large.yaml", deployment("large", requests={"memory": "100Gi"}, tolerations=[{"operator": "Exists"}]))
    by_name = {workload["name"]: workload for workload in reported(run, "--workloads", "large.yaml")["workloads"]}
    assert (by_name["chat"]["verdict"], by_name["large"]["verdict"]) == ("schedulable", "unschedulable")
    (reason,) = by_name["large"]["reasons"]
    assert (reason["kind"], reason["file"], reason["change"]["file"]) == ("resource", "fleet.yaml", "large.yaml")
    assert "100Gi" in Path("large.yaml").read_text("utf-8").splitlines()[reason["change"]["line"] - 1]


def test_pools_of_any_repository_can_be_simulated(run: Run) -> None:
    manifests("clusters/prod/nodes.yaml", CLASS, pool("a", A100, more=ZONES))
    manifests("app.yaml", deployment("w"))
    report = reported(run, "--pools", "clusters/prod", "--workloads", "app.yaml")
    assert [(workload["cluster"], workload["pool"], workload["nodes"]) for workload in report["workloads"]] == [
        ("prod", "a", 1)
    ]
    assert report["clusters"][0]["region"] == "eastus"  # from its zones


@pytest.mark.parametrize(
    ("beside", "namespace", "fits"),
    [
        ({}, "default", True),
        ({"show.json": cluster()}, "default", False),
        ({"show.json": cluster(sku={"name": "Base"}), "safeguards.json": resource(["default"])}, "default", True),
        ({"show.json": cluster(), "safeguards.json": resource(["tools"])}, "default", False),
        ({"show.json": cluster(), "safeguards.json": resource(["tools"])}, "tools", True),
        ({"aks.yaml": operator(sku={"name": "Automatic"})}, "tools", False),
        (
            {"aks.yaml": operator(sku={"name": "Automatic"}, safeguardsProfile={"excludedNamespaces": ["tools"]})},
            "tools",
            True,
        ),
    ],
)
def test_requests_that_aks_automatic_sets(run: Run, beside: dict[str, Body], namespace: str, *, fits: bool) -> None:
    """Fifty containers without requests get half a core each, unless their namespace is excluded."""
    body = deployment("w")
    body["metadata"]["namespace"] = namespace
    containers = body["spec"]["template"]["spec"]["containers"]
    containers += [{"name": f"c{number}", "image": "x"} for number in range(50)]
    manifests("prod/nodes.yaml", CLASS, pool("a", A100, more=ZONES))
    manifests("app.yaml", body)
    for name, given in beside.items():
        manifests(f"prod/{name}", given) if name.endswith("yaml") else write(json.dumps(given), f"prod/{name}")
    [workload] = reported(run, "--pools", "prod", "--workloads", "app.yaml")["workloads"]
    assert (workload["verdict"] == "schedulable") == fits


def test_without_a_region_nothing_has_a_price(run: Run) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100), deployment("w"))
    (workload,) = reported(run, "--pools", "nodes.yaml")["workloads"]
    assert (workload["verdict"], workload["pricePerHour"], workload["certain"]) == ("schedulable", None, False)
    (workload,) = reported(run, "--pools", "nodes.yaml", "--region", "eastus")["workloads"]
    assert (workload["pricePerHour"], workload["certain"]) == (3.673, True)


def test_kustomizations_are_clusters(run: Run) -> None:
    for name in ("one", "two"):
        write("resources: [nodes.yaml]\n", f"clusters/{name}/kustomization.yaml")
        manifests(f"clusters/{name}/nodes.yaml", CLASS, pool("a", A100))
    manifests("app.yaml", deployment("w"))
    report = reported(run, "--pools", "clusters", "--workloads", "app.yaml")
    assert [workload["cluster"] for workload in report["workloads"]] == ["one", "two"]
    report = reported(run, "--pools", "clusters", "--workloads", "app.yaml", "--cluster", "tw*")
    assert [cluster["name"] for cluster in report["clusters"]] == ["two"]


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        ((), 0),
        (("--fail-on", "unschedulable"), 1),
        (("--fail-on", "uncertain"), 1),
        (("--fail-on", "never"), 0),
        (("--budget-per-hour", "1.27"), 1),
        (("--budget-per-hour", "1.28"), 0),
    ],
)
def test_gates_decide_the_exit_code(run: Run, gate: tuple[str, ...], code: int) -> None:
    write(FLEET)
    manifests("large.yaml", deployment("large", requests={"memory": "100Gi"}))
    ran = run("simulate", "--workloads", "large.yaml", *gate)
    assert ran.code == code
    assert "Summary: 2 workloads - 1 schedulable, 0 uncertain, 1 unschedulable" in ran.err
    assert "\n\n" not in ran.err, "a gate that was not asked for prints no line"
    assert run("simulate", "--fail-on", "unschedulable").code == 0


def test_an_unknown_price_breaks_every_budget(run: Run) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100), deployment("w"))
    ran = run("simulate", "--pools", "nodes.yaml", "--budget-per-hour", "1000000")
    assert (ran.code, "is unknown" in ran.err) == (1, True)


def test_the_spot_price_is_at_most_the_on_demand_price(run: Run) -> None:
    both = (wants("karpenter.sh/capacity-type", "In", "spot", "on-demand"),)
    manifests("nodes.yaml", CLASS, pool("a", A100, more=both), deployment("w"))
    where = ("simulate", "--pools", "nodes.yaml", "--region", "eastus")
    assert run(*where, "--budget-per-hour", "3.7").code == 0
    assert run(*where, "--budget-per-hour", "3.6").code == 1
    assert run(*where, "--budget-per-hour", "1", "--spot-price", "nc24ads_a100_v4=0.9").code == 0
    assert run(*where, "--budget-per-hour", "0.1", "--spot-price", "nc24ads_a100_v4=0").code == 0


def test_requests_of_other_daemonsets_can_be_passed(run: Run) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100), deployment("w", requests={"memory": "185Gi"}))
    where = ("--pools", "nodes.yaml", "--region", "eastus")
    assert reported(run, *where)["workloads"][0]["verdict"] == "schedulable"
    taken = (*where, "--node-overhead", "cpu=500m,memory=10Gi")
    assert reported(run, *taken)["workloads"][0]["verdict"] == "unschedulable"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("--pools", "x.yaml", "fleet.yaml"), "not both"),
        (("--region", "eastus"), "needs --pools"),
        (("--spot-price", "NC24"), "is not SIZE=USD"),
        (("--spot-price", "NC24=cheap"), "is not a price"),
        (("--spot-price", "Standard_D4s_v5=1"), "has no GPU: Azure's D family has none"),
        (("--spot-price", "Standard_X4s_v5=1"), "is not a known Azure GPU size"),
        (("--node-overhead", "cpu=much"), "is not a quantity"),
        (("--budget-per-hour", "-1"), "is not in the range"),
    ],
)
def test_a_wrong_command_line_is_reported(run: Run, words: tuple[str, ...], expected: str) -> None:
    write(FLEET)
    write("", "x.yaml")
    ran = run("simulate", *words)
    assert (ran.code, ran.out) == (2, "")
    assert expected in ran.err


def test_a_broken_fleet_is_reported_and_not_simulated(run: Run) -> None:
    write(BROKEN)
    ran = run("simulate")
    assert (ran.code, "LNK004" in ran.out) == (1, True)
    assert json.loads(run("simulate", "-o", "json").out)["kind"] == "Findings"
    assert run("simulate", "missing.yaml").code == 2
    write(SOUND.replace("region: swedencentral", "region: 7"))
    ran = run("simulate")
    assert (ran.code, "INP006" in ran.out) == (1, False)


@pytest.mark.parametrize("content", ["a: [", PLACEHOLDER, "{{ x }}\n"])
def test_manifests_that_cannot_be_read_are_reported(run: Run, content: str) -> None:
    write(FLEET)
    write(content, "app.yaml")
    ran = run("simulate", "--workloads", "app.yaml")
    assert (ran.code, "app.yaml:" in ran.out) == (1, True)


TORN = "apiVersion: v1\nkind: Pod\nmetadata: ["
TEMPLATE = "{{- if .Values.gpu }}\napiVersion: v1\nkind: Pod\n{{- end }}\n"


def test_unreadable_files_are_reported_and_the_rest_is_simulated(run: Run) -> None:
    manifests("all/nodes.yaml", CLASS, pool("a", A100))
    manifests("all/app.yaml", deployment("w"))
    write(TORN, "all/app/pod.yaml")
    write(FLEET)
    for words, name in ((("--pools", "all"), "w"), (("--workloads", "all"), "chat")):
        assert run("simulate", *words).code == 1  # so that CI does not treat it as a complete result
        report = reported(run, *words)
        assert (name in [workload["name"] for workload in report["workloads"]], len(report["unread"])) == (True, 1)
        (lost,) = report["unread"]
        assert (lost["code"], lost["severity"], lost["file"]) == ("YML001", "error", "all/app/pod.yaml")
        assert "all/app/pod.yaml" in run("simulate", *words).err
        assert "1 file or object could not be read and was skipped" in run("simulate", *words, "-o", "html").out


def test_templates_and_other_files_of_a_directory_do_not_change_the_exit_code(run: Run) -> None:
    manifests("all/nodes.yaml", CLASS, pool("a", A100))
    manifests("all/app.yaml", deployment("w"))
    write(TEMPLATE, "all/chart/templates/pod.yaml")
    write(PLACEHOLDER, "all/app/pod.yaml")
    write("Resources: {Bucket: !Ref Name}\n", "all/stack.yaml")
    write('{"name": "app", "scripts": {}}\n', "all/package.json")
    write(FLEET)
    for words, name in ((("--pools", "all"), "w"), (("--workloads", "all"), "chat")):
        assert run("simulate", *words).code == 0
        report = reported(run, *words)
        assert name in [workload["name"] for workload in report["workloads"]]
        unread = [(finding["code"], finding["severity"]) for finding in report["unread"]]
        assert unread == [("LNT002", "info"), ("LNT001", "info")]
        assert "all/chart/templates/pod.yaml" in run("simulate", *words).err


@pytest.mark.parametrize("content", ["NAME   STATUS\na100   True\n", "", "replicas: 2\n"])
def test_a_file_without_objects_that_is_named_is_reported(run: Run, content: str) -> None:
    """It is an error if there is no other input: the output of the wrong command is not a cluster without workloads."""
    write(FLEET)
    write(content, "output.yaml")
    manifests("app.yaml", deployment("w"))
    manifests("nothing.yaml", {"apiVersion": "v1", "kind": "List", "items": []})
    alone = run("simulate", "--workloads", "output.yaml")
    assert (alone.code, "output.yaml:1:1: error[LNT003] contains no Kubernetes object" in alone.out) == (1, True)
    beside = run("simulate", "--workloads", "output.yaml", "--workloads", "app.yaml")
    assert (beside.code, "output.yaml:1:1: info[LNT003]" in beside.err) == (0, True)
    empty = run("simulate", "--workloads", "nothing.yaml")
    assert (empty.code, "LNT003" in empty.out + empty.err) == (0, False)


def test_a_template_that_is_named_is_an_error(run: Run) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100))
    write(TEMPLATE, "chart/templates/pod.yaml")
    ran = run("simulate", "--pools", "nodes.yaml", "--pools", "chart/templates/pod.yaml")
    assert (ran.code, "error[LNT001]" in ran.err) == (1, True)


def test_a_directory_of_templates_alone_is_not_an_answer(run: Run) -> None:
    write(FLEET)
    write(TEMPLATE, "chart/templates/pod.yaml")
    manifests("nodes.yaml", CLASS, pool("a", A100))
    for words in ((), ("--pools", "nodes.yaml")):
        ran = run("simulate", "--workloads", "chart", *words)
        assert (ran.code, "error[LNT001]" in ran.out) == (1, True)
    manifests("app.yaml", deployment("w"))
    ran = run("simulate", "--pools", "chart", "--workloads", "app.yaml")
    assert (ran.code, "error[LNT001]" in ran.out) == (1, True)


def test_there_is_nothing_to_simulate_without_pools(run: Run) -> None:
    manifests("app.yaml", deployment("w"))
    ran = run("simulate", "--pools", "app.yaml")
    assert (ran.code, "no NodePool" in ran.out) == (2, True)
    write(FLEET)
    assert "no cluster matches" in run("simulate", "--cluster", "x*").out
    write(SOUND)
    assert "use the name of a cluster: " in run("simulate", "--cluster", "x*").out


def test_a_cluster_without_pools_is_reported_beside_the_others(run: Run) -> None:
    """Its workloads do not get a node, because the pools of the other cluster are not its own."""
    write(f"{FLEET}---\n{CLUSTER.replace('name: c1', 'name: empty')}")
    manifests("app.yaml", deployment("w", tolerations=[{"operator": "Exists"}]))
    report = reported(run, "--workloads", "app.yaml")
    assert [(cluster["name"], cluster["atMax"]["nodes"]) for cluster in report["clusters"]] == [("c1", 2), ("empty", 0)]
    verdicts = {(workload["cluster"], workload["name"]): workload["verdict"] for workload in report["workloads"]}
    assert verdicts == {
        ("c1", "chat"): "schedulable",
        ("c1", "w"): "schedulable",
        ("empty", "w"): "unschedulable",
    }
    alone = reported(run, "--workloads", "app.yaml", "--cluster", "empty")
    assert [(workload["name"], workload["verdict"], workload["nodes"]) for workload in alone["workloads"]] == [
        ("w", "unschedulable", 0)
    ]


def test_the_text_report_has_a_table_and_the_line_to_change(run: Run) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100, limits={GPU: "8"}))
    manifests("app.yaml", deployment("w", 3, tolerations=[]))
    lines = run("simulate", "--pools", "nodes.yaml", "--region", "eastus", "--workloads", "app.yaml").out.splitlines()
    head = ["WORKLOAD", "VERDICT", "REPLICAS", "POOL", "SIZE", "NODES", "GPUS", "IDLE", "$/HOUR", "$/MONTH"]
    assert lines[1].split() == head
    assert lines[2].split()[:3] == ["a/w", "unschedulable", "3"]
    assert "  pool a: the pod does not tolerate the taint sku=gpu:NoSchedule" in lines
    (remedy,) = [line for line in lines if "= help" in line]
    assert "(app.yaml:" in remedy


def test_two_runs_give_the_same_result(run: Run) -> None:
    write(FLEET)
    for form in ("text", "json", "html"):
        assert run("simulate", "-o", form).out == run("simulate", "-o", form).out != ""


def test_reasons_name_the_line_of_the_spec(run: Run) -> None:
    write(FLEET)
    manifests("more.yaml", deployment("w", 3, tolerations=[{"operator": "Exists"}]))
    by_name = {workload["name"]: workload for workload in reported(run, "--workloads", "more.yaml")["workloads"]}
    (reason,) = by_name["w"]["reasons"]
    line = Path("fleet.yaml").read_text("utf-8").splitlines()[reason["line"] - 1]
    assert (reason["kind"], GPU in reason["message"], "limits" in line) == ("limit", True, True)


@pytest.mark.parametrize("region", ["East US", "EastUS"])
def test_a_region_can_be_given_by_its_display_name(run: Run, region: str) -> None:
    manifests("all.yaml", CLASS, pool("a", A100), deployment("w"))
    report = reported(run, "--pools", "all.yaml", "--region", region)
    assert (report["clusters"][0]["region"], report["workloads"][0]["pricePerHour"]) == ("eastus", 3.673)


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--region", "eatsus", "did you mean eastus?"),
        ("--region", "mars", "is not a known Azure region"),
        ("--spot-price", f"{A100}=nan", "not a price"),
        ("--spot-price", f"{A100}=-1", "not a price"),
        ("--spot-price", f"{A100}=Infinity", "not a price"),
        ("--budget-per-hour", "nan", "not a price"),
        ("--node-overhead", "cpu=-1", "negative"),
        ("--node-overhead", "cup=1", "not a resource"),
    ],
)
def test_an_invalid_option_value_is_refused(run: Run, option: str, value: str, words: str) -> None:
    manifests("all.yaml", CLASS, pool("a", A100), deployment("w"))
    done = run("simulate", "--pools", "all.yaml", option, value)
    assert (done.code, done.out) == (2, "")
    assert words in done.err


def test_two_workloads_of_one_name_are_both_reported(run: Run) -> None:
    manifests("pools.yaml", CLASS, pool("a", A100))
    manifests("twice.yaml", deployment("w"), deployment("w", gpus=9))
    report = reported(run, "--pools", "pools.yaml", "--workloads", "twice.yaml")
    assert {workload["verdict"] for workload in report["workloads"]} == {"schedulable", "unschedulable"}


@pytest.mark.parametrize("spec", ["text", 5, [1], {"template": "text"}, {"location": 5}, {"limits": [{}]}])
@pytest.mark.parametrize("api_version", ["example.org/v1", "karpenter.sh/v1", "containerservice.azure.com/v1"])
def test_no_object_that_is_called_a_pool_stops_the_answer(run: Run, api_version: str, spec: Any) -> None:
    odd = [
        {"apiVersion": api_version, "kind": kind, "metadata": {"name": "odd"}, "spec": spec}
        for kind in ("NodePool", "ManagedCluster", "ManagedClustersAgentPool", "AKSNodeClass", "DaemonSet", "Node")
    ]
    manifests("pools.yaml", *odd, CLASS, pool("a100", A100))
    manifests("apps.yaml", deployment("chat"), *odd)
    for region in ((), ("--region", "eastus")):
        report = reported(run, "--pools", "pools.yaml", "--workloads", "apps.yaml", *region)
        assert [workload["name"] for workload in report["workloads"]] == ["chat"]


def test_no_pod_is_advised_to_tolerate_the_taint_of_a_retiring_pool(run: Run) -> None:
    azure = (
        "provisioner: cluster-autoscaler, resourceId: /subscriptions/00000000-0000-0000-0000-000000000000"
        "/resourceGroups/g/providers/Microsoft.ContainerService/managedClusters/c1,"
    )
    text = FLEET.replace("swedencentral,", f"swedencentral, {azure}")
    write(text.replace("limits: {gpus: 2}", "nodes: {max: 2}, retire: true"))
    (workload,) = reported(run)["workloads"]
    assert workload["verdict"] == "unschedulable"
    (reason,) = workload["reasons"]
    assert (reason["pool"], reason["help"]) == ("t4", "add another pool to the workload")
    assert "being retired" in reason["message"]


def test_limits_of_a_fleet_of_which_only_both_exclude_every_size(run: Run) -> None:
    large, small = "Standard_ND40rs_v2", "Standard_NC144ds_xl_RTXPRO6000BSE_v6"  # 40 vCPUs and 8 GPUs; 144 and 1
    text = FLEET.replace("sku: Standard_NC16as_T4_v3", f"sku: [{large}, {small}]").replace("swedencentral", "eastus")
    write(text.replace("limits: {gpus: 2}", "limits: {gpus: 1, cpu: 40}"))
    ran = run("simulate")
    assert ran.code == 1
    assert "error[SKU007]" in ran.out


def test_the_size_that_is_unknown_is_named(run: Run) -> None:
    write(FLEET)
    ran = run("simulate", "--spot-price", f"{A100}=1", "--spot-price", "Standard_NC24as_T5_v3=1")
    assert (ran.code, "'Standard_NC24as_T5_v3' is not a known Azure GPU size" in ran.err) == (2, True)


def test_a_page_of_a_fleet_with_errors_shows_them(run: Run) -> None:
    write(BROKEN)
    ran = run("simulate", "-o", "html")
    assert (ran.code, "no Cluster is named" in ran.out, ran.out.startswith("<!")) == (1, True, True)
    assert ran.err == "Summary: 3 objects in 1 file - 1 error, 0 warnings\n"


def test_workloads_can_be_piped(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    manifests("nodes.yaml", CLASS, pool("a", A100))
    text = yaml.safe_dump(deployment("w"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    (workload,) = reported(run, "--pools", "nodes.yaml", "--workloads", "-")["workloads"]
    assert (workload["name"], workload["file"]) == ("w", "stdin")


def test_crds_belong_to_pools_without_a_fleet(run: Run) -> None:
    write(FLEET)
    manifests("nodes.yaml", CLASS, pool("a", A100), deployment("w"))
    write(WIDGET, "crds/widget.yaml")
    assert run("simulate", "--pools", "nodes.yaml", "--crds", "crds").code == 0
    alone = run("simulate", "--crds", "crds")
    assert (alone.code, alone.out, "--crds needs --pools" in alone.err) == (2, "", True)


def newer_crd() -> Body:
    """A CRD of NodePools of a later release than those that are known: with one more field, and one more version."""
    spec = {"type": "object", "x-kubernetes-preserve-unknown-fields": True, "properties": {"zebra": {"type": "string"}}}
    schema = {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}}
    versions = [{"name": name, "served": True, "storage": name == "v1", "schema": schema} for name in ("v1", "v2")]
    names = {"kind": "NodePool", "plural": "nodepools"}
    return {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "nodepools.karpenter.sh"},
        "spec": {"group": "karpenter.sh", "scope": "Cluster", "names": names, "versions": versions},
    }


@pytest.mark.parametrize("named", [True, False], ids=["--crds", "among the pools"])
def test_pools_of_a_newer_release_are_read_as_far_as_they_are_known(run: Run, *, named: bool) -> None:
    first, second = pool("a", A100), pool("b", A100) | {"apiVersion": "karpenter.sh/v2"}
    first["spec"] |= {"zebra": "black"}
    manifests("clusters/nodes.yaml", CLASS, first, second, deployment("w"))
    manifests("crds/crd.yaml" if named else "clusters/crd.yaml", newer_crd())
    done = run("simulate", "--pools", "clusters", *(("--crds", "crds") if named else ()))
    assert "GPU" in done.out
    assert "NodePool b is ignored: its CRD accepts this NodePool of karpenter.sh/v2" in done.out + done.err
    assert "NodePool a is ignored" not in done.out + done.err
    assert "b could run it, but its CRD is newer" in done.out
    assert "1 uncertain" in done.err
