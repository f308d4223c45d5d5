"""Import of running clusters to a fleet that keeps their nodes: round trips, and the result for single objects."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.cli.init.starter import STARTER
from gitgpu.inventory.observed import Azure, Owner, Skipped
from gitgpu.load.text import Text
from gitgpu.report.findings import Style
from gitgpu.report.import_formats import render_import
from gitgpu.runs.build import build, build_checked
from gitgpu.runs.import_ import Imported, import_fleet
from gitgpu.runs.import_check import check_running_clusters
from gitgpu.runs.validate import link_fleet, validate_texts
from gitgpu.source import Span
from tests.adopt.inventories import inventory, of_overlays

ROOT = Path(__file__).parents[2]
REGIONS = {
    "lab-dra": "westeurope",
    "lab-weu": "westeurope",
    "models-swc": "swedencentral",
    "prod-eus": "eastus",
    "prod-swc": "swedencentral",
    "studio-uks": "uksouth",
}
POOL = """apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: gpu
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: shared}
      requirements:
      - {key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC24ads_A100_v4]}
      - {key: karpenter.sh/capacity-type, operator: In, values: [on-demand]}
      taints:
      - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
  limits: {nvidia.com/gpu: "4"}
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata:
  name: shared
spec:
  imageFamily: Ubuntu
  osDiskSizeGB: 300
"""


def imported(text: str) -> Imported:
    """Imports one cluster with the objects in a text."""
    return import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")


def pool(made: Imported, name: str = "gpu") -> dict[str, Any]:
    """The spec of a GpuPool that was written."""
    documents = [each for text in made.files.values() for each in yaml.load_all(text, yaml.CSafeLoader)]
    body: dict[str, Any] = next(
        each["spec"] for each in documents if (each["kind"], each["metadata"]["name"]) == ("GpuPool", name)
    )
    return body


@pytest.fixture(scope="module")
def example() -> Imported:
    """Imports the overlays of the example fleet."""
    azure = {name: Azure(region=region, kubernetes="1.36") for name, region in REGIONS.items()}
    return import_fleet(of_overlays(ROOT / "overlays", azure), ClusterOptions(), (), "fleet")


def test_the_example_fleet_keeps_every_node(example: Imported) -> None:
    assert len(example.verdicts) == 23
    assert [each for each in example.verdicts if not each.keeps_nodes or each.change.kind] == []


def test_the_example_fleet_builds_the_same_nodes(example: Imported) -> None:
    """All files in nodes/ are the same, including those of operators, but for headers, which name other spec files."""
    made = build_checked(example.checked)
    assert made.errors == ()
    nodes = {path: below_header(text) for path, text in made.files.items() if path.split("/")[1] == "nodes"}
    files = (path for path in (ROOT / "overlays").glob("*/nodes/*.yaml"))
    there = {path.relative_to(ROOT / "overlays").as_posix(): below_header(path.read_text("utf-8")) for path in files}
    assert nodes == there


def below_header(text: str) -> str:
    """The text without comment lines."""
    return "\n".join(line for line in text.splitlines() if not line.startswith("#"))


def test_no_field_of_the_example_fleet_is_lost(example: Imported) -> None:
    assert [each for each in example.adopted.outcomes if each.fate is Fate.INEXPRESSIBLE] == []


def test_each_cluster_has_its_own_pools(example: Imported) -> None:
    names = ("prod-eus", "prod-swc")
    pools = [yaml.load(example.files[f"clusters/{name}/pools/a100.yaml"], yaml.CSafeLoader) for name in names]
    assert [pool["spec"]["clusters"] for pool in pools] == [["prod-eus"], ["prod-swc"]]


def test_a_plain_node_pool_keeps_its_names_and_its_nodes() -> None:
    made = imported(POOL)
    assert pool(made) == {
        "clusters": ["prod"],
        "sku": "Standard_NC24ads_A100_v4",
        "limits": {"gpus": 4},
        "operatorOptOut": False,
        "nodeClass": {"name": "shared"},
        "image": {"osDiskGB": 300},
        "disruption": {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"},
        "taints": [{"key": "nvidia.com/gpu", "value": "present", "effect": "NoSchedule"}],
    }
    assert [(each.change.name, each.keeps_nodes) for each in made.verdicts] == [("gpu", True)]


def test_a_pool_without_gpus_is_not_adopted() -> None:
    text = POOL.replace("Standard_NC24ads_A100_v4", "Standard_D8s_v5")
    made = imported(text)
    whole = [each for each in made.adopted.outcomes if each.fate is not Fate.INFERRED]
    assert {(each.fate, each.observed.name) for each in whole} == {
        (Fate.LEFT, "NodePool/gpu"),
        (Fate.LEFT, "AKSNodeClass/shared"),
    }


def test_a_pool_that_is_refused_is_reported_with_the_finding() -> None:
    made = imported(POOL.replace('nvidia.com/gpu: "4"', 'nvidia.com/gpu: "four"'))
    by_name = {each.observed.name: each for each in made.adopted.outcomes if not each.pointer}
    assert by_name["NodePool/gpu"].fate is Fate.WRONG
    assert by_name["NodePool/gpu"].reason.startswith("CNF001: ")


def test_the_starter_fleet_is_imported_unchanged() -> None:
    made = build(link_fleet([Text("fleet.yaml", STARTER, "fleet.yaml")]))
    files = {path: text for path, text in made.files.items() if "/nodes/" in path and "kustomization" not in path}
    back = imported("---\n".join(files.values()))
    assert [(each.change.name, each.keeps_nodes, each.change.kind) for each in back.verdicts] == [("t4", True, None)]
    assert pool(back, "t4") == {
        "clusters": ["prod"],
        "sku": "Standard_NC16as_T4_v3",
        "limits": {"gpus": 2},
    }


@pytest.mark.parametrize(
    ("name", "written"),
    [("Prod_WEU", "prod-weu"), ("https://prod-1.example.com:443", "prod-1-example-com"), ("prod-swc", "prod-swc")],
)
def test_a_cluster_has_a_name_that_a_fleet_can_have(name: str, written: str) -> None:
    made = import_fleet(inventory({name: POOL}), ClusterOptions(), (), "fleet")
    assert f"clusters/{written}/cluster.yaml" in made.files
    assert [(each.cluster, each.word) for each in made.verdicts] == [(written, "keep")]
    assert (written != name) == any(name in each.reason for each in made.report().inferred)


AGENT_POOL = """apiVersion: containerservice.azure.com/v1api20250801
kind: ManagedClustersAgentPool
metadata: {name: gpu}
spec: {owner: {name: prod}, count: 1, mode: User, osType: Linux, vmSize: Standard_NC24ads_A100_v4}
"""


@pytest.mark.parametrize(
    ("text", "azure", "written", "own"),
    [(POOL, "cluster-autoscaler", None, None), (AGENT_POOL, "nap", None, "fixed")],
    ids=["NodePools of a Karpenter that Azure does not run", "node pools next to node auto-provisioning"],
)
def test_the_provisioner_of_a_cluster_and_of_its_pools(
    text: str, azure: str, written: str | None, own: str | None
) -> None:
    seen = inventory({"prod": text}, Azure(region="swedencentral", kubernetes="1.36", provisioner=azure))
    made = import_fleet(seen, ClusterOptions(), (), "fleet")
    cluster, pool = (each.document for each in made.adopted.documents if each.document.kind != "Fleet")
    assert (cluster.spec.get("provisioner"), pool.spec.get("provisioner")) == (written, own)
    assert [each.word for each in made.verdicts] == ["keep"]


def test_a_subnet_of_all_node_classes_becomes_the_subnet_of_the_cluster() -> None:
    network = "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/net/providers/Microsoft.Network"
    subnet = f"{network}/virtualNetworks/v/subnets/gpu"
    made = imported(f"{POOL}  vnetSubnetID: {subnet}\n")
    assert yaml.load(made.files["clusters/prod/cluster.yaml"], yaml.CSafeLoader)["spec"]["network"] == {
        "subnet": subnet
    }
    assert "subnet" not in pool(made)
    assert [each.word for each in made.verdicts] == ["keep"]


def test_labels_are_written_as_keys_unless_that_changes_more() -> None:
    """A taint without a value changes the pool in either form."""
    labels = "nodeLabels: {nvidia.com/device-plugin.config: time-slicing-4}"
    given = pool(imported(AGENT_POOL.replace("vmSize", f"{labels}, nodeTaints: ['dedicated:NoExecute'], vmSize")))
    assert given["partition"] == {"timeSlicing": {"replicas": 4}}
    assert "labels" not in given


@pytest.mark.parametrize(("system", "opted"), [("Linux", False), ("Windows", None)])
def test_only_linux_pools_can_opt_out_of_the_operator(system: str, *, opted: bool | None) -> None:
    size = "vmSize: Standard_NC16as_T4_v3"
    text = AGENT_POOL.replace("vmSize: Standard_NC24ads_A100_v4", size).replace("osType: Linux", f"osType: {system}")
    assert pool(imported(text)).get("operatorOptOut") is opted


def test_a_pool_is_refused_with_its_node_class() -> None:
    made = imported(POOL.replace("osDiskSizeGB: 300", "osDiskSizeGB: 5"))
    reasons = {each.observed.name: each.reason for each in made.adopted.outcomes if each.fate is Fate.WRONG}
    assert reasons["NodePool/gpu"] == f"its AKSNodeClass shared: {reasons['AKSNodeClass/shared']}"


def test_a_cluster_that_the_fleet_leaves_out_of_a_pool_is_reported() -> None:
    fleet = import_fleet(
        inventory({"a": POOL, "b": POOL.replace("  name: gpu\n", "  name: other\n")}), ClusterOptions(), (), ""
    )
    report = check_running_clusters(inventory({"a": POOL, "b": POOL}), ClusterOptions(), fleet.checked)
    assert [(each.outcome.observed.name, each.outcome.reason) for each in report.outcomes] == [
        ("NodePool/gpu", "the fleet has no pool gpu on cluster b")
    ]
    assert report.checked


def test_no_node_is_compared_with_a_fleet_that_cannot_be_read() -> None:
    broken = validate_texts([Text("fleet.yaml", "kind: [", "fleet.yaml")])
    assert broken.inputs is None
    skipped = (Skipped("NodePool/stray", Span("stray.yaml", 1, 1), "nothing applies it"),)
    report = check_running_clusters(inventory({"prod": POOL})._replace(skipped=skipped), ClusterOptions(), broken)
    assert (report.outcomes, report.verdicts, report.skipped, report.checked) == ((), (), skipped, True)


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_a_line_about_a_file_of_several_clusters_is_reported_once(form: str) -> None:
    made = import_fleet(inventory({"a": POOL, "b": POOL}), ClusterOptions(), (), "fleet")
    assert render_import(made.report(), form, Style()).count("leaves gpu.mode at Driver") == 1


def test_a_file_of_several_clusters_has_a_line_for_each() -> None:
    made = import_fleet(inventory({"a": POOL, "b": POOL}), ClusterOptions(), (), "fleet")
    shown = render_import(made.report(), "text", Style())
    for name in ("a", "b"):
        assert f": fleet/clusters/{name}/pools/gpu.yaml:" in shown


def test_clusters_with_argo_cd_say_so_themselves() -> None:
    seen = inventory({"a": POOL, "b": POOL})
    clusters = tuple(
        cluster._replace(objects=tuple(each._replace(owner=Owner("argocd", "gpu")) for each in cluster.objects))
        for cluster in seen.clusters
    )
    made = import_fleet(seen._replace(clusters=clusters), ClusterOptions(), (), "fleet")
    engines = {
        path: yaml.load(text, yaml.CSafeLoader)["spec"].get("delivery", {}).get("engine")
        for path, text in made.files.items()
    }
    assert engines["fleet.yaml"] == "flux"
    assert {engines[f"clusters/{name}/cluster.yaml"] for name in ("a", "b")} == {"argocd"}


def test_requirements_on_sizes_are_kept_if_a_list_of_names_cannot_replace_them() -> None:
    wanted = [
        {"key": "karpenter.azure.com/sku-gpu-name", "operator": "In", "values": ["A100", "H100"], "minValues": 2},
        {"key": "karpenter.azure.com/sku-cpu", "operator": "Gt", "values": ["20"]},
        {"key": "karpenter.sh/capacity-type", "operator": "In", "values": ["on-demand"]},
    ]
    documents = list(yaml.load_all(POOL, yaml.CSafeLoader))
    documents[0]["spec"]["template"]["spec"]["requirements"] = wanted
    written = pool(imported(yaml.safe_dump_all(documents)))
    assert written["nodeRequirements"] == wanted
    assert "requirements" not in written


def test_sizes_that_only_a_list_of_series_distinguishes_stay_requirements() -> None:
    wanted = [
        {"key": "karpenter.azure.com/sku-gpu-name", "operator": "In", "values": ["A100", "H100"]},
        {"key": "karpenter.azure.com/sku-cpu", "operator": "Gt", "values": ["20"]},
    ]
    documents = list(yaml.load_all(POOL, yaml.CSafeLoader))
    documents[0]["spec"]["template"]["spec"]["requirements"] = wanted
    assert pool(imported(yaml.safe_dump_all(documents)))["nodeRequirements"] == wanted


def test_another_process_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def found() -> tuple[str, object]:
        made = import_fleet(inventory({"prod": POOL}), ClusterOptions(), (), "fleet")
        return render_import(made.report(), "json", Style()), made.checked.diagnostics

    alone = found()
    assert alone[1]
    monkeypatch.setattr("gitgpu.runs.import_.MIN_PARALLEL", 1)
    assert found() == alone
