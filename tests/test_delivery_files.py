"""Files for other programs: workflows, the action, the hooks."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.helping.cases import for_each
from tests.helping.nested import values_inside
from tests.journeys.repository import ALONE, repository

ROOT = Path(__file__).parents[1]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
ACTION = ROOT / "action.yml"
HOOKS = ROOT / ".pre-commit-hooks.yaml"
PIPELINES = [*WORKFLOWS, ACTION]
LONGEST = {"e2e": 60, "release": 45}  # minutes; the first builds Kubernetes, the second runs slow systems too
USES = re.compile(r"^\s*(?:- )?uses:\s*(.+)$", re.MULTILINE)
PINNED = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*|\./")


def load(path: Path) -> Any:
    """The file as data. YAML 1.1 reads the key `on` as true, which does not matter here."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)


def named(path: Path) -> str:
    """The name of a case."""
    return path.name


def steps(workflow: Any) -> Iterator[dict[str, Any]]:
    """Every step of a workflow or of a composite action."""
    for _, value in values_inside(workflow):
        if isinstance(value, dict) and ("run" in value or "uses" in value):
            yield value


@for_each("path", [*PIPELINES, HOOKS, ROOT / ".github" / "dependabot.yml"], ids=named)
def test_it_is_yaml(path: Path) -> None:
    """A file that is not valid YAML is ignored without an error."""
    assert load(path)


@for_each("path", PIPELINES, ids=named)
def test_third_party_actions_are_pinned(path: Path) -> None:
    """A tag can be moved, a commit cannot. The comment names the release."""
    used = USES.findall(path.read_text(encoding="utf-8"))
    assert used
    assert [each for each in used if not PINNED.fullmatch(each)] == []


def test_one_action_has_one_version() -> None:
    """An action is pinned to the same commit everywhere."""
    used = {each for path in PIPELINES for each in USES.findall(path.read_text(encoding="utf-8")) if "@" in each}
    assert len(used) == len({each.split("@")[0] for each in used})


@for_each("path", PIPELINES, ids=named)
def test_no_expression_is_pasted_into_a_script(path: Path) -> None:
    """A branch name or an input must not become code, so it is passed in `env`."""
    assert [step["run"] for step in steps(load(path)) if "${{" in step.get("run", "")] == []


def test_the_action_imports_nothing_from_the_checkout_that_it_judges() -> None:
    """`python -m x` imports an x.py in the current directory, which a pull request could add; with `-I` it does not."""
    scripts = "\n".join(step.get("run", "") for step in steps(load(ACTION)))
    runs = re.findall(r"(?m)^.*?(?:python|\$PYTHON)\"?\s+(.*)$", scripts)
    assert len(runs) == 3
    assert [run for run in runs if not run.startswith("-I ")] == []


@for_each("path", WORKFLOWS, ids=named)
def test_a_workflow_has_few_permissions(path: Path) -> None:
    """No permissions by default, read access per job, a timeout for every job, and no token left in the checkout.

    Only the job that opens a pull request with newer versions may write, and the jobs that publish a release
    (tests/tools/test_release.py).
    """
    workflow = load(path)
    assert workflow["permissions"] == {}
    assert workflow["concurrency"]["group"]
    for job in workflow["jobs"].values():
        opens = {"contents": "write", "pull-requests": "write"}
        if path.stem != "release":
            assert job["permissions"] == (opens if path.stem == "fresh" else {"contents": "read"})
        assert job["timeout-minutes"] <= LONGEST.get(path.stem, 30)
    checkouts = [step for step in steps(workflow) if step.get("uses", "").startswith("actions/checkout@")]
    assert all(step["with"]["persist-credentials"] is False for step in checkouts)


def test_every_supported_python_is_tested() -> None:
    """The matrix starts where `requires-python` does."""
    matrices = [job["strategy"]["matrix"] for job in _jobs() if "strategy" in job]
    assert len(matrices) == 2  # of ci and of a release
    for matrix in matrices:
        assert matrix["python"] == ["3.11", "3.12", "3.13", "3.14"]
    assert 'requires-python = ">=3.11"' in (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def test_ci_runs_the_promised_checks() -> None:
    """The tests, the demo, and the check that the committed output is current."""
    commands = "\n".join(step.get("run", "") for job in _jobs() for step in steps(job))
    for command in ("make test", "make demo", "gitgpu build --check", "ruff check", "mypy", "lint-imports"):
        assert command in commands


def test_inputs_and_outputs_of_the_action_are_described() -> None:
    """Every input has a default, everything has a description, and outputs come from a step that exists."""
    action = load(ACTION)
    assert {"name", "description", "branding"} <= set(action)
    assert all({"description", "default"} == set(each) for each in action["inputs"].values())
    assert all({"description", "value"} == set(each) for each in action["outputs"].values())
    ids = {step["id"] for step in steps(action["runs"]) if "id" in step}
    origins = {match for each in action["outputs"].values() for match in re.findall(r"steps\.(\w+)\.", each["value"])}
    assert origins <= ids
    assert all(step["shell"] == "bash" for step in steps(action["runs"]) if "run" in step)


def test_the_action_sets_no_variable_that_means_something_else() -> None:
    """PATH belongs to the shell, and gitgpu could read GITGPU_* as options."""
    variables = {name for step in steps(load(ACTION)) for name in step.get("env", {})}
    assert not [name for name in variables if name == "PATH" or name.startswith(("GITGPU_", "GITHUB_", "RUNNER_"))]


@pytest.mark.parametrize(
    ("command", "kind", "status", "called"),
    [
        ("validate", "sarif", 0, "validate --today 2027-06-30 -o sarif -- my fleet.yaml"),
        ("lint", "sarif", 0, "lint --today 2027-06-30 -o sarif -- my fleet.yaml"),
        ("build", "github", 1, "build --check --out overlays --today 2027-06-30 -o github -- my fleet.yaml"),
        ("build", "text", 2, "build --check --out overlays --today 2027-06-30 -o text -- my fleet.yaml"),
        ("rebuild", "github", 0, "build --out overlays --today 2027-06-30 -o github -- my fleet.yaml"),
        ("plan", "text", 1, "plan --out overlays --against=-x y --fail-on never -o text -- my fleet.yaml"),
    ],
)
def test_the_action_runs_gitgpu(tmp_path: Path, command: str, kind: str, status: int, called: str) -> None:
    """The step passes its arguments unchanged, keeps the exit status, and outputs the path of the report."""
    done, outputs = _run_action(tmp_path, command, kind, status)
    assert done.returncode == status
    assert done.stdout == f"{called}\n"
    assert outputs["exit-code"] == str(status)
    assert outputs["findings"] == ("true" if status == 1 else "false")
    assert Path(outputs["report"]).read_text(encoding="utf-8") == done.stdout
    assert outputs["sarif-file"] == (outputs["report"] if kind == "sarif" else "")
    assert "-o markdown --" in (tmp_path / "summary").read_text(encoding="utf-8")


@pytest.mark.parametrize(("command", "kind"), [("init", "text"), ("validate", "../text"), ("validate", "")])
def test_the_action_refuses_an_unknown_input(tmp_path: Path, command: str, kind: str) -> None:
    """The message names the wrong input, and nothing is run."""
    done, outputs = _run_action(tmp_path, command, kind, 0)
    assert (done.returncode, outputs) == (2, {})
    assert done.stdout.startswith("::error::")


def test_the_action_lints_files_in_the_context_of_all(tmp_path: Path) -> None:
    """The changed files, one per line, are the filter of a run over everything."""
    done, _ = _run_action(tmp_path, "lint", "text", 0, TARGET="", FILES="\n a.yaml \nmy pool.yaml\n-x.yaml\n")
    assert done.stdout == "lint --today 2027-06-30 --filter -o text -- a.yaml my pool.yaml -x.yaml\n"


@pytest.mark.parametrize(("command", "target"), [("validate", ""), ("lint", "apps")])
def test_the_action_refuses_files_that_have_no_effect(tmp_path: Path, command: str, target: str) -> None:
    """Other commands have no filter, and with a path there would be two answers to what is read."""
    done, outputs = _run_action(tmp_path, command, "text", 0, TARGET=target, FILES="a.yaml")
    assert (done.returncode, outputs) == (2, {})
    assert done.stdout.startswith("::error::files is for the command 'lint'")


@pytest.mark.parametrize(
    ("status", "known", "called"),
    [
        ("1", "", ["list", "api --silent -X POST repos/o/r/issues/7/comments -F body=@plan.md"]),
        ("0", "41\n42", ["list", "api --silent -X PATCH repos/o/r/issues/comments/41 -F body=@plan.md"]),
        ("2", "", []),
        ("", "", []),
    ],
)
def test_the_action_keeps_one_comment(tmp_path: Path, status: str, known: str, called: list[str]) -> None:
    """The first plan is posted as a comment, later ones replace it, and without a plan nothing is posted."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    program = tmp_path / "gh"
    program.write_text(
        "#!/bin/sh\n"
        f'case "$2" in --paginate) echo list >> calls; printf \'{known}\' ;; *) echo "$*" >> calls ;; esac\n',
        encoding="utf-8",
    )
    program.chmod(0o755)
    [script] = [step["run"] for step in steps(load(ACTION)) if "GH_TOKEN" in step.get("env", {})]
    inputs = {"REPOSITORY": "o/r", "NUMBER": "7", "STATUS": status, "COMMENT": "plan.md"}
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin", **inputs}
    arguments = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    subprocess.run(arguments, cwd=tmp_path, env=environment, check=True)
    calls = tmp_path / "calls"
    assert (calls.read_text(encoding="utf-8").splitlines() if calls.exists() else []) == called


@pytest.mark.parametrize("changed", [True, False])
def test_the_action_pushes_what_it_built(tmp_path: Path, changed: bool) -> None:
    """One commit on the branch of the pull request with everything that the build wrote; none if it wrote nothing."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    remote, work = repository(tmp_path / "remote"), tmp_path / "work"
    (remote.root / "fleet.yaml").write_text("old", encoding="utf-8")
    remote.commit("a bot's change")
    remote.git("branch", "renovate/keda")
    remote.git("clone", "--quiet", "--branch", "renovate/keda", str(remote.root), str(work))
    if changed:
        (work / "overlays").mkdir()
        (work / "overlays" / "new.yaml").write_text("new", encoding="utf-8")
    [script] = [step["run"] for step in steps(load(ACTION)) if "git push" in step.get("run", "")]
    environment = {"PATH": "/usr/bin:/bin", "BRANCH": "renovate/keda", **ALONE}
    arguments = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    subprocess.run(arguments, cwd=work, env=environment, check=True)
    commits = remote.git("log", "--format=%s %ae", "renovate/keda").splitlines()
    built = "Build the overlays 41898282+github-actions[bot]@users.noreply.github.com"
    assert commits == [*([built] if changed else []), "a bot's change e@example.com"]
    assert remote.git("ls-tree", "-r", "--name-only", "renovate/keda").split() == [
        "fleet.yaml",
        *(["overlays/new.yaml"] if changed else []),
    ]


def test_only_the_hook_of_lint_gets_the_files_that_changed() -> None:
    """They are the filter of a run over everything. Other hooks find their files themselves. None runs in parallel."""
    hooks = {hook["id"]: hook for hook in load(HOOKS)}
    assert {key: hook["entry"] for key, hook in hooks.items()} == {
        "gitgpu-validate": "gitgpu validate",
        "gitgpu-build-check": "gitgpu build --check",
        "gitgpu-lint": "gitgpu lint --filter",
    }
    assert hooks["gitgpu-lint"]["args"] == ["--"]  # a file name can begin with a dash
    for name, hook in hooks.items():
        given = hook.get("pass_filenames", True)
        assert (hook["language"], given, hook["require_serial"]) == ("python", name == "gitgpu-lint", True)


@for_each(
    ("file", "concerned"),
    [
        ("fleet.yaml", True),
        ("fleet/prod.yml", True),
        ("catalog/skus/nc.yaml", True),
        ("overlays/prod/kustomization.yaml", True),
        (".gitgpu.yaml", True),
        ("infra/gpu/.gitgpu.yaml", True),
        ("infra/gpu/fleet.yaml", True),
        ("infra/gpu/fleet/prod/pools.yml", True),
        ("infra/gpu/overlays/prod/kustomization.yaml", True),
        ("infra/gpu/catalog-contoso/skus/nc.yaml", True),
        ("pyproject.toml", True),
        ("docs/workload.yaml", False),
        ("infra/gpu/gitgpu.yaml", False),
        ("README.md", False),
    ],
)
def test_the_build_hook_runs_for_its_files(file: str, concerned: bool) -> None:
    """It runs for changes to the input and to the output of a build."""
    [pattern] = [hook["files"] for hook in load(HOOKS) if hook["id"] == "gitgpu-build-check"]
    assert bool(re.search(pattern, file)) is concerned


def _jobs() -> list[dict[str, Any]]:
    return [job for path in WORKFLOWS for job in load(path)["jobs"].values()]


def _run_action(folder: Path, command: str, kind: str, status: int, **more: str) -> tuple[Any, dict[str, str]]:
    """Runs the action's last step with a gitgpu that only prints its arguments."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("needs bash")
    program = folder / "gitgpu" / "bin" / "gitgpu"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\necho "$*"\nexit {status}\n', encoding="utf-8")
    program.chmod(0o755)
    [script] = [step["run"] for step in steps(load(ACTION)) if step.get("id") == "run"]
    inputs = {"COMMAND": command, "TARGET": "my fleet.yaml", "OUT": "overlays", "FORMAT": kind, "TODAY": "2027-06-30"}
    inputs |= {"AGAINST": "-x y", "FAIL_ON": "never", "FILES": "", **more}
    files = {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary")}
    environment = {"PATH": "/usr/bin:/bin", "RUNNER_TEMP": str(folder), **files, **inputs}
    arguments = [bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", script]
    done = subprocess.run(arguments, capture_output=True, text=True, env=environment, check=False)
    output = folder / "output"
    lines = output.read_text(encoding="utf-8").splitlines() if output.exists() else []
    return done, dict(line.split("=", 1) for line in lines)
