"""The page "Use chart values and patches": its fleet, its commands and its results."""

import re
from pathlib import Path

import pytest
import yaml

from tests.cli.conftest import Run

PAGE = Path(__file__).parents[2] / "docs/how-to/set-what-no-key-sets.md"
TEXT = PAGE.read_text(encoding="utf-8")
POOL, RELEASE = (
    "overlays/prod-swc/nodes/nodepool-a100.yaml",
    "overlays/prod-swc/controllers/helmrelease-gpu-operator.yaml",
)


def blocks(language: str) -> list[str]:
    """The blocks on the page in a language."""
    return re.findall(f"```{language}\n(.*?)```", TEXT, re.DOTALL)


FLEET, SUPPRESSED = blocks("yaml")
COMMANDS = [line.split()[1:] for block in blocks("sh") for line in block.splitlines()]


@pytest.fixture(autouse=True)
def _fleet(run: Run) -> None:
    Path("fleet.yaml").write_text(FLEET, encoding="utf-8")


def test_every_command_of_the_page_works(run: Run) -> None:
    codes = {" ".join(command): run(*command).code for command in COMMANDS}
    assert codes == {" ".join(command): int(command == ["plan"]) for command in COMMANDS}
    assert run("build", "--check").code == 0


def test_the_files_are_as_the_page_says(run: Run) -> None:
    assert run("validate").out == ""
    assert run("build").code == 0
    [header] = blocks("text")
    assert Path(POOL).read_text().startswith(header)
    release = yaml.load(Path(RELEASE).read_text(), yaml.CSafeLoader)["spec"]
    assert release["timeout"] == "30m"
    assert release["values"]["operator"]["resources"]["limits"] == {"memory": "2Gi", "cpu": "500m"}


def test_explain_shows_what_a_cluster_gets_and_where_it_is_written(run: Run) -> None:
    shown = run("explain", "--effective", "cluster/prod-swc").out
    by_key = dict(re.findall(r"^ *(memory|cpu|driver|keda): (.*?)$", shown, re.MULTILINE))
    lines = FLEET.splitlines()
    places = {key: text.split("# ")[1] for key, text in by_key.items()}
    assert places["keda"] == "default"
    for key, value in (("memory", "2Gi"), ("cpu", "500m"), ("driver", "operator")):
        assert f"{key}: {value}" in lines[int(places[key].rpartition(":")[2]) - 1]
    assert yaml.load(shown, yaml.CSafeLoader)["spec"]["patches"][0]["target"] == {
        "kind": "HelmRelease",
        "name": "gpu-operator",
    }


def test_plan_names_the_patch_and_the_values(run: Run) -> None:
    assert run("build").code == 0
    Path("fleet.yaml").write_text(FLEET.replace("30m", "40m").replace("research", "search").replace("2Gi", "3Gi"))
    plan = run("plan").out
    assert "also: NodePool/a100: patched by GpuPool a100 in fleet.yaml" in plan
    assert "also: HelmRelease/flux-system/gpu-operator: patched by Cluster prod-swc in fleet.yaml" in plan
    assert "values from Fleet contoso-ai in fleet.yaml, Cluster prod-swc in fleet.yaml" in plan
    assert "spec.values.operator.resources.limits.memory" in plan
    without = FLEET.rpartition("  patches:\n")[0]
    Path("fleet.yaml").write_text(without)
    plan = run("plan").out
    assert "also: NodePool/a100: no longer patched by GpuPool a100 in fleet.yaml" in plan


def test_a_patch_that_changes_nothing_is_not_a_change_of_a_plan(run: Run) -> None:
    without = FLEET.rpartition("  patches:\n")[0]
    Path("fleet.yaml").write_text(without)
    assert run("build").code == 0
    idle = "  patches:\n  - target: {kind: NodePool}\n    patch: {kind: NodePool}\n"
    Path("fleet.yaml").write_text(without + idle)
    plan = run("plan")
    assert (plan.code, plan.out.splitlines()[0]) == (0, "No changes compared with the output in overlays.")
    assert run("build", "--check").code == 1


def test_a_decision_can_be_suppressed_as_the_page_says(run: Run) -> None:
    place = "          operator:\n            resources: {limits: {memory: 1Gi"
    assert place in FLEET
    Path("fleet.yaml").write_text(FLEET.replace(place, SUPPRESSED.partition("  #")[0] + "\n" + place))
    assert "warning[VAL003]" in run("validate").out
    Path("fleet.yaml").write_text(FLEET.replace(place, SUPPRESSED + place))
    checked = run("validate")
    assert (checked.code, checked.out) == (0, "")


def test_the_values_of_the_effective_cluster_build_the_same_files(run: Run) -> None:
    assert run("build").code == 0
    before = {path: path.read_text() for path in sorted(Path("overlays/prod-swc").rglob("*.yaml"))}
    cluster = run("explain", "--effective", "cluster/prod-swc").out
    fleet, _, pool = FLEET.split("---\n")
    Path("fleet.yaml").write_text(f"{fleet}---\n{cluster}---\n{pool}")
    assert run("build").code == 0
    assert before == {path: path.read_text() for path in sorted(Path("overlays/prod-swc").rglob("*.yaml"))}


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (("cluster/prod",), 1, "no Cluster is named 'prod'; did you mean 'prod-swc'?"),
        (("cluster/prod-swc", "--cluster", "other"), 2, "--cluster is not needed with --effective cluster/NAME"),
    ],
)
def test_an_unknown_cluster_is_an_error(run: Run, words: tuple[str, ...], code: int, error: str) -> None:
    ran = run("explain", "--effective", *words)
    assert (ran.code, error in ran.err) == (code, True)


def test_the_page_lists_the_lists_that_are_merged() -> None:
    from gitgpu.objects.delivery.merge import KEYS  # noqa: PLC0415

    paragraph = TEXT.partition("strategic merge patch: the lists")[2].partition("merged by their keys")[0]
    assert set(re.findall(r"`(\w+)`", paragraph)) == set(KEYS)


def test_simulate_sees_the_patched_pool_and_points_at_the_patch(run: Run) -> None:
    limited = 'patch:\n      spec: {limits: {nvidia.com/gpu: "1"}}\n'
    before, patch, _ = FLEET.rpartition("patch:\n      spec: {template")
    assert patch
    Path("fleet.yaml").write_text(before + limited)
    pods = "a: b, sidecar: none"
    asked = "resources: {limits: {nvidia.com/gpu: 1}}"
    spec = f"{{tolerations: [{{operator: Exists}}], containers: [{{name: a, image: 'x:1', {asked}}}]}}"
    Path("chat.yaml").write_text(
        f"apiVersion: apps/v1\nkind: Deployment\nmetadata: {{name: chat}}\nspec:\n  replicas: 2\n"
        f"  selector: {{matchLabels: {{{pods}}}}}\n  template: {{metadata: {{labels: {{{pods}}}}}, spec: {spec}}}\n"
    )
    line = 1 + next(at for at, text in enumerate((before + limited).splitlines()) if "nvidia.com/gpu" in text)
    reported = run("simulate", "--workloads", "chat.yaml").out
    assert "limit reached: all 1 of nvidia.com/gpu are used" in reported
    assert f"at fleet.yaml:{line}:" in reported
