"""Makes the files of a release in dist/, and tries them: `python -m tools.dist`.

The wheel and the sdist are built twice, from two copies of the committed files in folders with other names and with
other settings, and must be the same bytes. Each is then installed in an environment of its own, at the versions of
requirements.txt, and used where no checkout is near: for the tutorial, and, as the hooks of pre-commit and the action
run it, in a repository that has files of many other tools. The environment that Containerfile describes is tried too.
The SBOM (CycloneDX) lists what the environment of the wheel contains. Needs a network.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
MONOREPO = ROOT / "tests" / "lint_corpus" / "files-of-other-tools" / "tree"
CLUSTER = ROOT / "docs" / "samples" / "hello-gpu"
FLEET = "infra/gpu"
# What must not change a build. The first is what CI has; the second differs in each.
SETTINGS = (
    {"LC_ALL": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0"},
    {"LC_ALL": "C", "TZ": "Asia/Kolkata", "PYTHONHASHSEED": "1"},
)
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


def run(
    command: Sequence[str | Path], folder: Path, wanted: int = 0, variables: Mapping[str, str] | None = None
) -> None:
    """Runs a program that must exit with this status."""
    environment = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "SOURCE_DATE_EPOCH")}
    environment |= variables or {}
    print("+", *command, flush=True)
    status = subprocess.run([str(part) for part in command], cwd=folder, env=environment, check=False).returncode
    if status != wanted:
        raise SystemExit(f"exit status {status}, not {wanted}: {' '.join(map(str, command))}")


def build(folder: Path, umask: int, settings: Mapping[str, str]) -> dict[str, bytes]:
    """File name -> content of the sdist, and of the wheel that is built from it, of the committed files."""
    checkout = folder / "checkout"
    folder.mkdir()
    run(["git", "clone", "--quiet", ROOT, checkout], folder)
    before = os.umask(umask)
    try:
        run([sys.executable, "-m", "build", "--outdir", folder / "dist", checkout], folder, variables=settings)
    finally:
        os.umask(before)
    return {path.name: path.read_bytes() for path in sorted((folder / "dist").iterdir())}


def install(folder: Path, package: Path) -> Path:
    """A new environment with this wheel or sdist at the locked versions. Returns the folder of its programs."""
    run([sys.executable, "-m", "venv", "--without-pip", folder], ROOT)
    pip: list[str | Path] = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet"]
    run([*pip, "--require-hashes", "-r", ROOT / "requirements.txt"], ROOT)
    run([*pip, "--no-deps", package], ROOT)
    return folder / "bin"


def install_as_image(folder: Path, wheel: Path) -> Path:
    """The environment that the first stage of Containerfile makes. Returns the folder of its programs."""
    (folder / "tmp").mkdir(parents=True)
    for file in (ROOT / "requirements.txt", wheel):
        shutil.copy(file, folder / "tmp")
    step = image_step(folder)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    run(["sh", "-c", step], folder, variables={"PATH": path})
    return folder / "opt" / "gitgpu" / "bin"


def image_step(root: Path) -> str:
    """The step of Containerfile that installs gitgpu, with this folder as the root of the image."""
    text = (ROOT / "Containerfile").read_text(encoding="utf-8")
    [step] = re.findall(r"^RUN (python -m venv (?:.*\\\n)*.*)$", text, re.MULTILINE)
    return re.sub(r"(?<=\s)/(?=opt/|tmp/)", f"{root}/", str(step))


def use(programs: Path, folder: Path) -> None:
    """What a new user does: the tutorial, with a recorded cluster for its last step."""
    folder.mkdir()
    gitgpu = programs / "gitgpu"
    run([gitgpu, "--version"], folder)
    run([gitgpu, "init"], folder)
    replace(folder, "limits:", "limit:")
    run([gitgpu, "validate"], folder, wanted=1)
    replace(folder, "limit:", "limits:")
    run([gitgpu, "validate"], folder)
    run([gitgpu, "build"], folder)
    replace(folder, "gpus: 2", "gpus: 4")
    run([gitgpu, "build", "--check"], folder, wanted=1)
    replace(folder, "my-cluster", "prod")
    run([gitgpu, "build"], folder)
    run([gitgpu, "build", "--check"], folder)
    run([gitgpu, "lint", "overlays"], folder)
    run([gitgpu, "lint", "--fail-on", "info", "hello-gpu"], folder)
    run([gitgpu, "simulate", "--workloads", "hello-gpu", "--fail-on", "uncertain"], folder)
    shutil.copytree(CLUSTER, folder / "cluster")
    run([gitgpu, "simulate", "--pools", "cluster/pending.yaml", "--region", "swedencentral"], folder)
    run([gitgpu, "diagnose", "cluster/pending.yaml"], folder)  # the pod waits for its node
    run([gitgpu, "diagnose", "cluster/running.yaml"], folder)  # it runs


def replace(folder: Path, old: str, new: str) -> None:
    """Changes each line of the spec that has this text."""
    spec = folder / "fleet.yaml"
    text = spec.read_text(encoding="utf-8")
    if old not in text:
        raise SystemExit(f"fleet.yaml of `init` has no {old!r}")
    spec.write_text(text.replace(old, new), encoding="utf-8")


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


def describe(python: Path, version: str) -> None:
    """Writes the SBOM of the environment of this interpreter, at the time of the commit."""
    time = subprocess.run(["git", "log", "-1", "--format=%ct"], cwd=ROOT, check=True, capture_output=True, text=True)
    project = python.parents[1] / "pyproject.toml"
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    project.write_text(text.replace('dynamic = ["version"]', f'version = "{version}"'), encoding="utf-8")
    path = DIST / f"gitgpu-{version}.cdx.json"
    command = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible", "--mc-type", "application"]
    environment = {"SOURCE_DATE_EPOCH": time.stdout.strip()}
    run([*command, "--pyproject", project, "--output-file", path, python], ROOT, variables=environment)
    wrong = list(sbom_faults(json.loads(path.read_text(encoding="utf-8")), version))
    if wrong:
        raise SystemExit(f"{path.name}: {', '.join(wrong)}")


def sbom_faults(sbom: Mapping[str, Any], version: str) -> Iterator[str]:
    """Why an SBOM is not one of this release: it must list the packages of requirements.txt, and no other."""
    if sbom["metadata"]["component"].get("version") != version:
        yield f"gitgpu has not the version {version}"
    if "timestamp" not in sbom["metadata"]:
        yield "it has no time"
    locked = re.findall(r"^([\w.-]+)==([\w.]+)", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE)
    listed = {f"pkg:pypi/{name.replace('_', '-').lower()}@{at}" for name, at in locked}
    yield from (
        f"{each['name']} is not in requirements.txt" for each in sbom["components"] if each["purl"] not in listed
    )


def main() -> int:
    """Runs the command. Returns its exit status."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = build(folder / "a", 0o022, SETTINGS[0])
        if build(folder / "the second", 0o077, SETTINGS[1]) != files:
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
        use(install_as_image(folder / "image", wheel), folder / "fleet of the image")
        describe(folder / f"environment of {wheel.name}" / "bin" / "python", wheel.name.split("-")[1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
