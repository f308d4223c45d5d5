"""The pages about importing a running fleet, run as written. kubectl, az and terraform print recorded output."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.journeys.repository import ALONE, IDENTITY

ROOT = Path(__file__).parents[2]
PAGES = ROOT / "docs/how-to"
RECORDED = Path(__file__).parent / "recorded"
SILENT = "#!/bin/sh\nexit 0\n"
ANSWERS = f"""#!/bin/sh
case "$(basename "$0") $*" in
  "kubectl get nodepools,aksnodeclasses"*yaml) cat {RECORDED}/nodes.yaml ;;
  "kubectl get daemonsets"*yaml) cat {RECORDED}/workloads.yaml ;;
  "az aks show"*) cat {RECORDED}/$CLUSTER.json ;;
  "terraform show -json") cat {RECORDED}/state.json ;;
  "helm get values"*) echo "operator: {{cleanupCRD: true}}" ;;
esac
"""
OLD = "clusters/prod/gpu"
RELEASE = """\
apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: gpu-operator, namespace: gpu-operator}
spec: {suspend: true, interval: 1h, chart: {spec: {chart: gpu-operator}}}
"""


def steps(page: str) -> list[str]:
    """The commands of a page, block by block, without the indent of a list."""
    text = (PAGES / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^( *)```sh\n(.*?)^ *```$", text, re.MULTILINE | re.DOTALL)
    return [re.sub(f"^{indent}", "", block, flags=re.MULTILINE) for indent, block in blocks]


@pytest.fixture
def environment(tmp_path: Path, gitgpu: str) -> dict[str, str]:
    """An environment with `gitgpu` of this checkout, and with programs that answer as recorded."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gitgpu").write_text(gitgpu)
    for name in ("kubectl", "az", "helm", "terraform"):
        (programs / name).write_text(ANSWERS)
    for name in ("flux", "argocd"):
        (programs / name).write_text(SILENT)
    for program in programs.iterdir():
        program.chmod(0o755)
    outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    paths = {"PATH": f"{programs}{os.pathsep}{outside['PATH']}"}
    return {**outside, **IDENTITY, **ALONE, **paths}


@pytest.fixture
def work(tmp_path: Path, environment: dict[str, str]) -> Path:
    """A clone of a company's repository whose NodePools are files that an engine applies."""
    run(
        tmp_path,
        "git init --quiet --bare --initial-branch=main origin.git; git clone --quiet origin.git work",
        environment,
    )
    folder = tmp_path / "work"
    old = folder / OLD
    old.mkdir(parents=True)
    for item in yaml.load((RECORDED / "nodes.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)["items"]:
        name = f"{item['kind'].lower()}-{item['metadata']['name']}.yaml"
        (old / name).write_text(yaml.safe_dump(item), encoding="utf-8")
    (old / "helmrelease-gpu-operator.yaml").write_text(RELEASE, encoding="utf-8")
    run(
        folder,
        "git checkout --quiet -b main; git add --all; git commit --quiet -m old; git push --quiet -u origin main",
        environment,
    )
    return folder


def run(folder: Path, script: str, environment: dict[str, str]) -> str:
    """The output of a script, both streams. Fails if any command fails."""
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, f"{script}\n{done.stdout}"
    return done.stdout


@pytest.mark.parametrize(
    ("page", "cluster", "pool"),
    [
        ("import-a-running-fleet.md", "cluster-with-karpenter", "prod-swc/a100"),
        ("import-from-flux.md", "cluster-with-karpenter", "prod-swc/a100"),
        ("import-from-argo-cd.md", "cluster-with-karpenter", "prod-swc/a100"),
        ("import-from-terraform.md", "cluster-with-node-pools", "prod-swc/gpu"),
        ("import-az-node-pools.md", "cluster-with-node-pools", "prod-swc/gpu"),
    ],
)
def test_the_steps_of_a_page_work_as_written(
    page: str, cluster: str, pool: str, work: Path, environment: dict[str, str]
) -> None:
    """Every command succeeds, and the report says about the pool that its nodes stay.

    What runs on them was not exported.
    """
    reported = "\n".join(run(work, step, {**environment, "CLUSTER": cluster}) for step in steps(page))
    first, *again = re.findall(rf"^  {pool}: (.*)$", reported, re.MULTILINE)
    assert first == "no node is replaced, software unknown"
    assert all(verdict.startswith("no node is replaced, ") for verdict in again)
    nodes = {path.name.partition("-")[0] for path in (work / "overlays/prod-swc/nodes").glob("*.yaml")}
    has_terraform = (work / "overlays/prod-swc/runbook/cluster.tf.json").exists()  # instead of objects
    assert (nodes & {"nodepool", "managedclustersagentpool"}) or (page == "import-from-terraform.md" and has_terraform)


def test_the_way_back_leaves_manifests(work: Path, environment: dict[str, str]) -> None:
    """The overlays go on as manifests under a different path, and nothing of gitgpu is left but comments and labels."""
    for step in steps("import-from-flux.md"):
        run(work, step, environment)
    for step in steps("stop-using-gitgpu.md"):
        run(work, step, environment)
    run(work, "git commit --quiet -m 'without gitgpu'", environment)
    assert (work / "manifests/prod-swc/nodes/nodepool-a100.yaml").is_file()
    assert not (work / "overlays").exists()
    assert not (work / "fleet").exists()
    assert "overlays" not in run(work, "git grep -h 'path:' manifests/prod-swc/sync", environment)
