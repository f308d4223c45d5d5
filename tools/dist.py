"""Makes the files of a release in dist/, and tries them: `python -m tools.dist`.

The wheel and the sdist are built twice, from two copies of the committed files in folders with other names, and must be
the same bytes. Each is then installed in an environment of its own, at the versions of requirements.txt, and used
where no checkout is near: for a fleet of its own, and, as the hooks of pre-commit and the action run it, in a
repository that has files of many other tools. The SBOM (CycloneDX) lists what the environment of the wheel contains.
Needs a network.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
MONOREPO = ROOT / "tests" / "lint_corpus" / "files-of-other-tools" / "tree"
FLEET = "infra/gpu"
BROKEN = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: t4}
spec:
  disruption: {consolidationPolicy: WhenEmpty, consolidateAfter: 10m, expireAfter: 720h}
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: gpu}
      requirements: [{key: karpenter.azure.com/sku-name, operator: In, values: [Standard_NC16as_T4_v3]}]
"""


def run(command: Sequence[str | Path], folder: Path, wanted: int = 0) -> None:
    """Runs a program that must exit with this status."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SOURCE_DATE_EPOCH")}
    print("+", *command, flush=True)
    status = subprocess.run([str(part) for part in command], cwd=folder, env=environment, check=False).returncode
    if status != wanted:
        raise SystemExit(f"exit status {status}, not {wanted}: {' '.join(map(str, command))}")


def build(folder: Path, umask: int) -> dict[str, bytes]:
    """File name -> content of the sdist, and of the wheel that is built from it, of the committed files."""
    checkout = folder / "checkout"
    run(["git", "clone", "--quiet", ROOT, checkout], folder)
    before = os.umask(umask)
    try:
        run([sys.executable, "-m", "build", "--outdir", folder / "dist", checkout], folder)
    finally:
        os.umask(before)
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


def install(folder: Path, package: Path) -> Path:
    """A new environment with this wheel or sdist at the locked versions. Returns the folder of its programs."""
    run([sys.executable, "-m", "venv", folder], ROOT)
    pip: list[str | Path] = [folder / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--require-hashes", "-r", ROOT / "requirements.txt"], ROOT)
    run([*pip, "--no-deps", package], ROOT)
    return folder / "bin"


def use(programs: Path, folder: Path) -> None:
    """What a new user does: a fleet, its manifests, a check of them, and where a pod would run."""
    folder.mkdir()
    gitgpu = programs / "gitgpu"
    run([gitgpu, "--version"], folder)
    run([gitgpu, "init"], folder)
    run([gitgpu, "validate"], folder)
    run([gitgpu, "build"], folder)
    run([gitgpu, "build", "--check"], folder)
    run([gitgpu, "lint", "overlays"], folder)
    run([gitgpu, "lint", "--fail-on", "info", "hello-gpu"], folder)
    run([gitgpu, "simulate", "--workloads", "hello-gpu", "--fail-on", "uncertain"], folder)


def use_in_monorepo(programs: Path, folder: Path) -> None:
    """What pre-commit and the action do in a repository whose fleet is in a folder, for all of its files."""
    shutil.copytree(MONOREPO, folder)
    run(["git", "init", "--quiet"], folder)
    run([programs / "gitgpu", "init", FLEET], folder)
    run([programs / "gitgpu", "-C", FLEET, "build"], folder)
    run(["git", "add", "--all"], folder)
    for hook in hooks():
        run([programs / hook.program, *hook.arguments, *hook.selected(folder)], folder)
    for command in ("validate", "build", "lint", "plan"):
        act(programs, folder, command)
    (folder / "clusters" / "broken.yaml").write_text(BROKEN, encoding="utf-8")
    run([programs / "gitgpu", "lint", "--filter", "--", "mkdocs.yml", "clusters/broken.yaml"], folder, wanted=1)


class Hook(NamedTuple):
    """A hook of .pre-commit-hooks.yaml."""

    program: str
    arguments: tuple[str, ...]
    files: str
    passes_names: bool

    def selected(self, folder: Path) -> list[str]:
        """The files that pre-commit passes: those of Git that the pattern matches, and only YAML."""
        listed = subprocess.run(["git", "ls-files"], cwd=folder, check=True, capture_output=True, text=True).stdout
        found = [name for name in listed.splitlines() if re.search(self.files, name)]
        if not found:
            raise SystemExit(f"{' '.join(self.arguments)}: no file is selected by {self.files}")
        return found if self.passes_names else []


def hooks() -> Iterator[Hook]:
    """The hooks, as a repository sets them up: those of a fleet in a folder get the folder."""
    for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")):
        program, *arguments = hook["entry"].split()
        passes_names = hook.get("pass_filenames", True)
        given = hook["args"] if passes_names else [FLEET]  # docs/how-to/ci-and-pre-commit.md
        yield Hook(program, (*arguments, *given), hook.get("files", r"\.ya?ml$"), passes_names)


def act(programs: Path, folder: Path, command: str) -> None:
    """Runs the action's own script with this command, in the folder of the fleet (lint: in the repository)."""
    steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
    [script] = [step["run"] for step in steps if step.get("id") == "run"]
    temporary = folder.parent / f"runner of {folder.name} for {command}"
    (temporary / "gitgpu").mkdir(parents=True)
    (temporary / "gitgpu" / "bin").symlink_to(programs)
    inputs = {"COMMAND": command, "TARGET": "", "FILES": "", "OUT": "", "FORMAT": "github", "TODAY": "2026-11-29"}
    outputs = {"GITHUB_OUTPUT": f"{temporary}/output", "GITHUB_STEP_SUMMARY": f"{temporary}/summary"}
    given = {"AGAINST": "", "FAIL_ON": "never", "RUNNER_TEMP": str(temporary), **inputs, **outputs}
    where = folder if command == "lint" else folder / FLEET
    (temporary / "run.sh").write_text(script, encoding="utf-8")
    variables = [f"{key}={value}" for key, value in given.items()]
    run(["env", *variables, "bash", "-eo", "pipefail", temporary / "run.sh"], where)


def describe(python: Path, name: str) -> None:
    """Writes the SBOM of the environment of this interpreter."""
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--mc-type", "application"]
    run([*command, "--pyproject", "pyproject.toml", "--output-file", f"dist/{name}", python], ROOT)


def main() -> int:
    """Runs the command. Returns its exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a").mkdir()
        (folder / "second").mkdir()
        files = build(folder / "a", 0o022)
        if build(folder / "second", 0o077) != files:
            print("two builds of one commit differ", file=sys.stderr)
            return 1
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for file, content in files.items():
            (DIST / file).write_bytes(content)
            programs = install(folder / f"environment of {file}", DIST / file)
            use(programs, folder / f"fleet of {file}")
            use_in_monorepo(programs, folder / f"repository of {file}")
        [wheel] = DIST.glob("*.whl")
        describe(folder / f"environment of {wheel.name}" / "bin" / "python", f"{wheel.name.split('-py3')[0]}.cdx.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
