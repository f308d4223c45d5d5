"""The page "Work in a team", run as written, and random team work: real command line, real Git."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.journeys.repository import ALONE, IDENTITY

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/how-to/work-in-a-team.md"
STEPS = re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
LIMIT = "limits: {gpus: 2}"
POOL = """apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: %s}
spec: {clusters: [my-cluster], sku: Standard_NC16as_T4_v3, limits: {gpus: 2}}
"""


@pytest.fixture
def environment(tmp_path: Path, gitgpu: str) -> dict[str, str]:
    """An environment with the `gitgpu` of this checkout, and an author for Git."""
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "gitgpu").write_text(gitgpu)
    (programs / "gitgpu").chmod(0o755)
    outside = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    paths = {"PATH": f"{programs}{os.pathsep}{outside['PATH']}"}
    return {**outside, **IDENTITY, **ALONE, **paths}


def sh(folder: Path, script: str, environment: dict[str, str], expected: int = 0) -> str:
    """The output of a script, both streams."""
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=folder, env=environment, check=False, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == expected, f"{script}\n{done.stdout}"
    return done.stdout


def pools(overlays: Path) -> dict[str, int]:
    """The limit of GPUs of each NodePool, by cluster and name."""
    files = sorted(overlays.glob("*/nodes/nodepool-*.yaml"))
    limits = {}
    for path in files:
        body = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        limits[f"{path.parts[-3]}/{body['metadata']['name']}"] = int(body["spec"]["limits"]["nvidia.com/gpu"])
    return limits


def test_the_steps_of_the_page_work_as_written(tmp_path: Path, environment: dict[str, str]) -> None:
    sh(tmp_path, "\n".join(STEPS), environment)
    fleet = tmp_path / "gpu-fleet"
    expected = {"my-cluster/t4": 3, "my-cluster/t4-batch": 4, "staging/t4-batch": 1}
    assert pools(fleet / "overlays") == expected
    schemas = re.findall(r"\$schema=(\S+)", (fleet / "fleet/fleet.yaml").read_text(encoding="utf-8"))
    assert len(schemas) == 4
    assert all((fleet / "fleet" / schema).is_file() for schema in schemas)
    assert sh(fleet, "git status --porcelain", environment) == ""
    assert "add-t4-batch" in sh(fleet, "git log --merges --format=%s", environment)
    sh(fleet, "gitgpu build --check", environment)


def test_two_people_in_a_monorepo(tmp_path: Path, environment: dict[str, str]) -> None:
    """Both add pools to one cluster and change the same one; each merges the other's work and builds, from the root."""
    sh(tmp_path, "git init --quiet --bare --initial-branch=main origin.git", environment)
    sh(tmp_path, "git clone --quiet origin.git anna", environment)
    anna, ben = tmp_path / "anna", tmp_path / "ben"
    sh(anna, "git checkout --quiet -b main; gitgpu init infra/gpu; cd infra/gpu; mkdir fleet; mv fleet.yaml fleet/; "
       "sed -i 's/fleet.yaml/fleet/' .gitgpu.yaml; echo code > ../../main.c; gitgpu build; git add --all ../..; "
       "git commit --quiet -m fleet; git push --quiet origin main", environment)  # fmt: skip
    assert pools(anna / "infra/gpu/overlays") == {"my-cluster/t4": 2}
    sh(tmp_path, "git clone --quiet origin.git ben", environment)
    for who, name, gpus in ((anna, "t4-anna", 4), (ben, "t4-ben", 6)):
        spec = who / "infra/gpu/fleet/fleet.yaml"
        spec.write_text(f"# By {name}.\n{spec.read_text()}".replace(LIMIT, f"limits: {{gpus: {gpus}}}"))
        (who / f"infra/gpu/fleet/{name}.yaml").write_text(POOL % name)
        sh(who, f"gitgpu -C infra/gpu build && git add --all && git commit --quiet -m {name}", environment)
    sh(anna, "git push --quiet origin main", environment)
    sh(ben, "git pull --quiet --no-rebase", environment, expected=1)
    assert "<<<<<<<" in (ben / "infra/gpu/overlays/my-cluster/nodes/nodepool-t4.yaml").read_text()
    sh(ben, "git checkout --quiet --theirs infra/gpu/fleet/fleet.yaml && gitgpu -C infra/gpu build", environment)
    sh(ben, "git add --all && git commit --quiet -m merge && git push --quiet origin main", environment)
    sh(anna, "git pull --quiet --ff-only && gitgpu -C infra/gpu build --check", environment)
    assert pools(anna / "infra/gpu/overlays") == {"my-cluster/t4": 4, "my-cluster/t4-anna": 2, "my-cluster/t4-ben": 2}
    edited = anna / "infra/gpu/overlays/my-cluster/nodes/nodepool-t4.yaml"
    edited.write_text(edited.read_text().replace('"4"', '"9"'))
    assert "edited manually" in sh(anna, "gitgpu -C infra/gpu build", environment)
    assert sh(anna, "git status --porcelain", environment) == ""
