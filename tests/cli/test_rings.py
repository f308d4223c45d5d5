"""Rings on the command line: `plan` groups changes by ring, and all other commands apply the stack of rings."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.fleets import CLUSTER, FLEET, POOL, tree, write
from tests.cli.plan.test_plan import answer

RINGS = """\
  delivery: {repository: https://example.com/x}
  rings:
  - {name: one, clusters: [c3]}
  - {name: two, clusters: {matchLabels: {env: prod}}, stack: {health: none}}
"""


def cluster(name: str, label: str) -> str:
    """A Cluster with a label."""
    return CLUSTER.replace("{name: c1}", f"{{name: {name}, labels: {{env: {label}}}}}")


PAGE = "---\n".join(
    (
        FLEET.replace(" {delivery: {repository: https://example.com/x}}\n", f"\n{RINGS}"),
        cluster("c1", "prod"),
        cluster("c2", "prod"),
        cluster("c3", "dev"),
        POOL.replace("[c1]", "[c1, c2, c3]"),
    )
)


def edit(old: str, new: str) -> None:
    """Edits fleet.yaml."""
    text = Path("fleet.yaml").read_text(encoding="utf-8")
    assert old in text
    write(text.replace(old, new))


@pytest.fixture
def built(run: Run) -> Run:
    """A fleet with two rings whose overlays are current."""
    write(PAGE)
    done = run("build")
    assert (done.code, done.out) == (0, "")
    return run


def test_a_plan_lists_rings_in_order(built: Run) -> None:
    edit("limits: {gpus: 2}", "limits: {gpus: 4}")
    lines = built("plan").out.splitlines()
    titles = [line for line in lines if line.startswith(("ring", "c1", "c3"))]
    assert titles == ["ring one: 1 of 1 cluster", "c3", "ring two: 2 of 2 clusters", "c1, c2"]
    page = built("plan", "-o", "markdown").out.splitlines()
    assert [line for line in page if line.startswith("#")] == [
        "## ring one: 1 of 1 cluster", "### c3", "## ring two: 2 of 2 clusters", "### c1, c2",
    ]  # fmt: skip
    rings = [(ring["name"], ring["clusters"], ring["total"]) for ring in answer(built)["rings"]]
    assert rings == [("one", ["c3"], 1), ("two", ["c1", "c2"], 2)]


def test_a_change_of_one_ring_is_a_change_of_its_clusters(built: Run) -> None:
    edit("health: none", "health: npd")
    assert [entry["name"] for entry in answer(built)["clusters"]] == ["c1", "c2"]
    assert [ring["name"] for ring in answer(built)["rings"]] == ["two"]
    assert [entry["name"] for entry in answer(built, "--cluster", "c2")["clusters"]] == ["c2"]
    assert answer(built, "--cluster", "c2")["rings"] == [{"name": "two", "clusters": ["c2"], "total": 2}]


def test_a_removed_cluster_is_in_no_ring(built: Run) -> None:
    text = "---\n".join(part for part in PAGE.split("---\n") if "name: c1," not in part).replace("[c1, ", "[")
    write(text)
    assert answer(built)["rings"] == [{"name": None, "clusters": ["c1"], "total": 1}]
    assert "no ring: 1 of 1 cluster" in built("plan").out


def test_rings_without_a_stack_change_no_file(built: Run) -> None:
    before = tree()
    edit(f"spec:\n{RINGS}", "spec: {delivery: {repository: https://example.com/x}}\n")
    assert "rings" not in answer(built)
    assert built("build").code == 0
    assert tree() == before


def test_a_cluster_without_a_ring_is_reported_at_its_name(built: Run) -> None:
    edit("{name: c2, labels: {env: prod}}", "{name: c2}")
    results = json.loads(built("validate", "-o", "json").out)["results"]
    assert [(each["code"], each["pointer"]) for each in results] == [("CLU012", "/metadata/name")]


@pytest.mark.parametrize(
    ("selector", "fault"),
    [
        ("{matchLabels: {env: test}}", ("LNK006", "/spec/rings/0/clusters/matchLabels")),
        ("[c4]", ("LNK004", "/spec/rings/0/clusters/0")),
    ],
)
def test_a_ring_that_matches_nothing_is_the_only_fault(built: Run, selector: str, fault: tuple[str, str]) -> None:
    """So the cluster without a ring is not reported: it may be meant to be in this ring."""
    edit("clusters: [c3]", f"clusters: {selector}")
    results = json.loads(built("validate", "-o", "json").out)["results"]
    assert [(each["code"], each["pointer"]) for each in results] == [fault]


def test_other_commands_see_the_stack_of_the_ring(built: Run) -> None:
    """Selection, simulation and `explain` apply the rings."""
    edit("stack: {health: none}", "stack: {driver: none}")
    assert built("build", "--cluster", "c3").code == 0
    before = tree("overlays/c1")
    assert built("build", "--shard", "1/2", "--allow-removal", "c1/t4").code == 0
    assert tree("overlays/c1") != before
    assert "driver: none" in built("explain", "--effective", "cluster/c2").out
    assert built("simulate").code == 0
