"""The workflows on the page about CI matrices build a fleet in parts that merge into the complete output."""

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
import yaml

from gitgpu.cli.main import main
from tests.cli.fleets import many, tree, write

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "how-to" / "build-in-a-ci-matrix.md"
PARTS = 4
CLUSTERS = [f"c{number}" for number in range(1, 8)]


@pytest.fixture(autouse=True)
def _repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gitgpu: str) -> None:
    """A clone with a fleet that was edited after its build, and `gitgpu` on the path."""
    programs = tmp_path / "bin"
    programs.mkdir()
    program = programs / "gitgpu"
    program.write_text(gitgpu, encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:{os.environ['PATH']}")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    work = tmp_path / "work"
    work.mkdir()
    monkeypatch.chdir(work)
    write(many("gone", *CLUSTERS))
    shell("git init -q")
    build()
    write(many(*CLUSTERS).replace("limits: {gpus: 2}", "limits: {gpus: 3}"))
    shell("git add --all && git -c user.name=a -c user.email=a@example.com commit -qm fleet")


def shell(script: str, folder: str = ".", **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script as a CI system does. Asserts that it succeeds."""
    done = run(script, folder, **variables)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def run(script: str, folder: str = ".", **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a script as a CI system does."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    words = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    environment = {**os.environ, **variables}
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def build(folder: str = ".", *options: str) -> None:
    """Builds in this process, which is faster than a script. Asserts that it succeeds."""
    with chdir(folder):
        assert main(["build", *options]) == 0


def workflows() -> list[Any]:
    """The workflows on the page: check, GitHub Actions, Azure Pipelines."""
    text = PAGE.read_text(encoding="utf-8")
    return [yaml.load(block, yaml.CSafeLoader) for block in re.findall(r"(?ms)^```yaml\n(.*?)^```$", text)]


def scripts(job: Mapping[str, Any]) -> Iterator[str]:
    """The scripts of a job, without the installation."""
    lines = (step.get("run") or step.get("script") or "" for step in job["steps"])
    return (script for script in lines if script and not script.startswith("pip "))


def clone(name: str) -> str:
    """A separate checkout."""
    shell(f"git clone -q . ../{name}")
    return f"../{name}"


def fresh() -> dict[str, bytes]:
    """The output of a single build of the whole fleet."""
    folder = clone("fresh")
    shutil.rmtree(Path(folder, "overlays"))
    build(folder)
    return tree(f"{folder}/overlays")


def merged(parts: list[str], job: Mapping[str, Any], **variables: str) -> dict[str, bytes]:
    """The output after the last job, which downloads the uploads of the other jobs."""
    last = clone("last")
    Path(last, "parts").mkdir()
    for path in parts:
        shutil.copy(path, Path(last, "parts"))
    for script in scripts(job):
        shell(script, last, **variables)
    build(last, "--check", "--allow-removal", "gone/*")
    return tree(f"{last}/overlays")


def test_the_parts_of_github_actions_merge() -> None:
    _, workflow, _ = workflows()
    part_job, merge = workflow["jobs"]["build"], workflow["jobs"]["merge"]
    assert part_job["strategy"]["matrix"]["part"] == list(range(1, PARTS + 1))
    for part in range(1, PARTS + 1):
        folder = clone(f"part{part}")
        for script in scripts(part_job):
            shell(script, folder, PART=str(part))
    patches = [f"../part{part}/part-{part}.patch" for part in range(1, PARTS + 1)]
    assert merged(patches, merge) == fresh()


def test_the_parts_of_azure_pipelines_merge() -> None:
    *_, workflow = workflows()
    part_job, merge = workflow["jobs"]
    assert part_job["strategy"]["parallel"] == PARTS
    for part in range(1, PARTS + 1):
        folder = clone(f"part{part}")
        names = {"SYSTEM_JOBPOSITIONINPHASE": str(part), "SYSTEM_TOTALJOBSINPHASE": str(PARTS)}
        for script in scripts(part_job):
            shell(script, folder, BUILD_ARTIFACTSTAGINGDIRECTORY="..", **names)
    patches = [f"../part-{part}.patch" for part in range(1, PARTS + 1)]
    assert merged(patches, merge, PIPELINE_WORKSPACE="parts") == fresh()


def test_the_check_of_a_part_ignores_the_others() -> None:
    check, *_ = workflows()
    [script] = scripts(check["jobs"]["check"])
    build()
    for part in range(1, PARTS + 1):
        shell(script, PART=str(part))
    Path("overlays/c3/kustomization.yaml").unlink()
    runs = [run(script, PART=str(part)) for part in range(1, PARTS + 1)]
    [failed] = [done for done in runs if done.returncode]
    assert "overlays/c3/kustomization.yaml" in failed.stdout
