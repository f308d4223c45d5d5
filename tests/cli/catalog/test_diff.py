"""`gitgpu catalog diff`: what a newer catalog changes in a fleet."""

import json
import shutil
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from gitgpu.cli.catalog.diff.older_catalog import older_catalog
from gitgpu.load.catalog.folders import entries, gitgpus, row_names
from gitgpu.load.read import data_root
from tests.cli.catalog.test_refresh import A100, ALL, CONFIG, DAY, FLEET, fleet
from tests.cli.conftest import Run, run
from tests.journeys.repository import repository

__all__ = ["run"]
NODE = {
    "kind": "Node",
    "metadata": {
        "name": "n1",
        "labels": {
            "node.kubernetes.io/instance-type": A100,
            "nvidia.com/cuda.driver-version.full": "590.1.2",
            "karpenter.sh/nodepool": "gpu",
        },
    },
}


@pytest.fixture
def refreshed(run: Run) -> Run:
    """A commit of a fleet, and rows that a refresh has written since."""
    Path(".git").rmdir()
    fleet(A100)
    repository(Path.cwd()).commit()
    assert run("catalog", "refresh", *ALL, *DAY).code == 0
    return run


@pytest.mark.parametrize("form", ["text", "markdown", "json"])
def test_facts_come_first_and_then_the_plan(refreshed: Run, snapshot: SnapshotAssertion, form: str) -> None:
    done = refreshed("catalog", "diff", "-o", form)
    assert (done.code, done.err) == (1, "")
    assert done.out == snapshot


def test_before_the_first_commit_there_is_gitgpus_own_catalog(run: Run) -> None:
    Path(".git").rmdir()
    fleet(A100)
    repository(Path.cwd())
    run("catalog", "refresh", *ALL, *DAY)
    done = run("catalog", "diff")
    assert done.code == 1
    assert f"onDemand.{A100}: 4.775 -> 5.25" in done.out
    assert "compared with what is built with gitgpu's own catalog" in done.out
    refused = run("catalog", "diff", "HEAD").err
    assert refused.startswith("error[INP008] 'HEAD' is neither a directory nor a Git revision")


def test_a_catalog_that_is_committed_changes_nothing(refreshed: Run) -> None:
    repository(Path.cwd()).commit()
    done = refreshed("catalog", "diff")
    assert (done.code, done.out.splitlines()[0]) == (0, "Facts: 0 rows of this fleet")
    assert refreshed("catalog", "diff", "HEAD~1").code == 1
    assert "'nope' is neither a directory nor a Git revision" in refreshed("catalog", "diff", "nope").err


def test_an_older_copy_of_the_own_catalog(refreshed: Run) -> None:
    shutil.copytree("mine", "old/mine")
    path = Path("old/mine/prices/swedencentral.yaml")
    path.write_text(path.read_text("utf-8").replace("5.25", "5.0"), encoding="utf-8")
    done = refreshed("catalog", "diff", "old/mine")
    assert done.code == 1
    assert f"onDemand.{A100}: 5 -> 5.25" in done.out
    assert "price at the limits: 80.00 -> 84.00 USD/hour" in done.out


def test_the_catalog_of_an_older_release(run: Run) -> None:
    """Facts, then objects. Rows that this release cannot read, and kinds that did not exist, stay as they are."""
    fleet(A100)
    Path(".gitgpu.yaml").unlink()
    shutil.copytree(f"{data_root()}/catalog", "old")
    shutil.rmtree("old/tags")
    shutil.rmtree("old/regions")
    Path(f"old/skus/{A100}.yaml").write_text(f"name: {A100}\n", encoding="utf-8")
    Path("old/prices/uksouth.yaml").unlink()
    plugin = Path("old/containers/nvidia-device-plugin.yaml")
    text = plugin.read_text("utf-8")
    plugin.write_text(text.replace('version: "v0.20.0"', 'version: "v0.1.0"'), encoding="utf-8")
    done = run("catalog", "diff", "old")
    assert done.code == 1
    assert done.out.startswith("Facts: 1 row of this fleet; 1 row that this fleet does not use\n")
    assert "compared with what is built with gitgpu's catalog in old\n" in done.out
    assert done.out.index("containers/nvidia-device-plugin\n  version: v0.1.0") < done.out.index("~ DaemonSet/")


def test_a_fleet_that_does_not_build_with_the_newer_catalog(refreshed: Run) -> None:
    fleet(A100, "zones: [3], ")
    done = refreshed("catalog", "diff")
    assert done.code == 2
    assert f"onDemand.{A100}: 4.775 -> 5.25" in done.out
    assert done.err.startswith("The fleet cannot be built with the newer catalog:\nfleet.yaml:14:")


def test_old_facts_are_one_note(refreshed: Run) -> None:
    assert refreshed("catalog", "diff", "--today", "2026-11-01").err == ""
    reported = refreshed("catalog", "diff", "--today", "2027-02-21").err
    start = (
        "fleet.yaml:3:18: info[CAT017] on 2027-02-21, these facts are older than 90 days: Kubernetes versions of 2026-"
    )
    assert reported.startswith(start)
    assert "prices" not in reported
    assert reported.count("\n") == 2
    findings = json.loads(refreshed("catalog", "diff", "--today", "2027-06-30", "-o", "json").out)["findings"]
    assert [each["code"] for each in findings] == ["CAT017"]


@pytest.mark.parametrize(
    ("key", "value", "reported"),
    [
        ("", "", True),
        ("nvidia.com/cuda.driver-version.full", "580.1.2", False),
        ("nvidia.com/cuda.driver-version.full", "new", False),
        ("karpenter.sh/nodepool", "another", False),
        ("node.kubernetes.io/instance-type", "Standard_D8ds_v5", False),
    ],
)
def test_a_newer_driver_on_a_node_is_a_finding(refreshed: Run, key: str, value: str, *, reported: bool) -> None:
    labels = NODE["metadata"]["labels"] | ({key: value} if key else {})  # type: ignore[index]
    node = {"kind": "Node", "metadata": {"name": "n1", "labels": labels}}
    Path("nodes.json").write_text(json.dumps({"kind": "List", "items": [node, node]}), encoding="utf-8")
    err = refreshed("catalog", "diff", "--nodes", "nodes.json").err
    assert ("nodes.json:1:" in err, err.count("CAT018] node n1 reports driver 590.1.2; ")) == (reported, int(reported))


@pytest.mark.parametrize(
    ("content", "is_foreign"),
    [
        ('{"kind": "List", "items": []}', False),
        ('{"kind": "NodeList", "items": [{"kind": "Node"}]}', False),
        ('{"kind": "Node"}{"kind": "Node"}', False),
        ('[{"resourceType": "virtualMachines"}]', True),
        ('[{"kind": "Node"}]', True),
        ('{"kind": "List", "items": [{"kind": "Pod"}]}', True),
        ('{"items": []}', True),
        ("{}", True),
        ('{"kind": "Node"}\n3', True),
    ],
)
def test_what_is_not_a_list_of_nodes_is_refused(refreshed: Run, content: str, *, is_foreign: bool) -> None:
    Path("nodes.json").write_text(content, encoding="utf-8")
    done = refreshed("catalog", "diff", "--nodes", "nodes.json")
    assert ("error[CAT011] not the output of `kubectl get nodes -o json`" in done.err) == is_foreign
    assert (done.code == 2) == is_foreign


def test_the_driver_of_an_operator_is_not_the_catalogs(refreshed: Run) -> None:
    text = FLEET.replace("SIZE", A100).replace("ZONES ", "").replace("{region", "{stack: {driver: operator}, region")
    Path("fleet.yaml").write_text(text, encoding="utf-8")
    Path("nodes.json").write_text(json.dumps(NODE), encoding="utf-8")
    assert "CAT018" not in refreshed("catalog", "diff", "--nodes", "nodes.json").err


MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"


@pytest.mark.parametrize("own", [True, False])
@pytest.mark.parametrize("folder", ["charts", "prod"])
def test_a_directory_that_is_not_a_catalog_is_one_fault(refreshed: Run, folder: str, *, own: bool) -> None:
    for kind in (folder, "images"):
        Path("mine-too", kind).mkdir(parents=True)
        for name in ("a", "b"):
            Path(f"mine-too/{kind}/{name}.yaml").write_text(MAP, encoding="utf-8")
    Path("mine-too/README.yaml").write_text("a: 1\n", encoding="utf-8")
    if not own:
        Path(".gitgpu.yaml").unlink()
    done = refreshed("catalog", "diff", "mine-too", "-o", "json")
    [result] = json.loads(done.out)["results"]
    assert (done.code, result["code"], result["file"]) == (2, "CAT006", "mine-too")
    assert "is not a catalog" in result["message"]
    Path(".gitgpu.yaml").write_text(CONFIG.replace("[mine]", "[mine-too]"), encoding="utf-8")
    [again] = json.loads(refreshed("validate", "-o", "json").out)["results"]
    assert again == result


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("sku/big.yaml", "name: big\n", "CAT003"),
        ("skus/big.yaml", "name: bigger\n", "CAT002"),
        ("skus/big.yaml", "name: big\n", "CAT004"),
        ("skus/big.yaml", "name: [\n", "YML001"),
        ("skus/big.yaml", "", "CAT001"),
    ],
)
def test_a_row_that_is_wrong_is_still_a_row(refreshed: Run, path: str, text: str, code: str) -> None:
    Path("other", path).parent.mkdir(parents=True)
    Path("other", path).write_text(text, encoding="utf-8")
    Path(".gitgpu.yaml").write_text(CONFIG.replace("[mine]", "[other]"), encoding="utf-8")
    results = json.loads(refreshed("validate", "-o", "json").out)["results"]
    assert {each["code"] for each in results} == {code}


def test_without_anything_to_compare(run: Run) -> None:
    fleet(A100)
    Path(".gitgpu.yaml").unlink()
    assert "`catalog` in .gitgpu.yaml lists no directory" in " ".join(run("catalog", "diff").err.split())
    Path(".gitgpu.yaml").write_text(CONFIG.replace("[mine]", "[mine, ours]"), encoding="utf-8")
    Path("other/skus").mkdir(parents=True)
    Path("other/skus/x.yaml").write_text("name: x\n", encoding="utf-8")
    assert "other is not one of the directories" in run("catalog", "diff", "other").err


def test_rows_that_an_older_release_lacks_are_missing_only_where_releases_add_rows(tmp_path: Path) -> None:
    """gitgpu relies on rows of all other kinds by name."""
    shutil.copytree(f"{data_root()}/catalog", tmp_path / "old")
    kinds = {path for path in (tmp_path / "old").iterdir() if path.is_dir()}
    for kind in kinds - {tmp_path / "old/labels"}:
        max(kind.iterdir()).rename(kind / "another.yaml")
    [folder] = older_catalog(str(tmp_path / "old"), ()).folders
    missing = {kind for kind in entries(gitgpus()) if {*row_names(gitgpus(), kind)} - {*row_names(folder, kind)}}
    assert missing == {"drivers", "gpus", "images", "karpenter", "kaito", "kubernetes", "prices", "regions", "skus"}


def test_nodes_that_cannot_be_read_are_reported(refreshed: Run) -> None:
    Path("nodes.json").write_text('{"kind": ', encoding="utf-8")
    done = refreshed("catalog", "diff", "--nodes", "nodes.json")
    assert (done.code, done.out, "nodes.json:1:" in done.err) == (2, "", True)


def test_a_fleet_that_does_not_build_with_the_older_catalog(refreshed: Run) -> None:
    name = "Standard_NC25ads_A100_v4"
    row = Path(data_root(), "catalog", "skus", f"{A100}.yaml").read_text("utf-8").replace(A100, name)
    Path("mine/skus").mkdir(exist_ok=True)
    Path(f"mine/skus/{name}.yaml").write_text(row, encoding="utf-8")
    fleet(name)
    assert refreshed("validate").code == 0
    done = refreshed("catalog", "diff")
    assert done.code == 2
    assert done.err.startswith("The fleet cannot be built with the catalog of HEAD:\nfleet.yaml:14:")
