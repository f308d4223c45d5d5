"""Every command with --jobs prints and writes the same with one process as with four."""

import os
import subprocess
import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from shutil import rmtree

import pytest

from bench import fleet
from bench.figures.lint import pool_text
from gitgpu.cli.main import main

ROOT = str(Path(__file__).parents[2])
CLUSTERS = 9
BROKEN = ("kind: AKSNodeClass", "kind: EC2NodeClass")
CLAIM = """\
apiVersion: karpenter.sh/v1
kind: NodeClaim
metadata: {name: claim-AT}
spec:
  requirements: []
  nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: ""}
"""


def one(folder: Path, *words: str) -> tuple[int, str, str]:
    """The exit code and both outputs of a command that uses one process: this one."""
    with chdir(folder), redirect_stdout(StringIO()) as out, redirect_stderr(StringIO()) as err:
        code = main((*words, "--jobs", "1"))
    return code, out.getvalue(), err.getvalue()


def four(folder: Path, *words: str) -> tuple[int, str, str]:
    """The same of a command that uses four processes."""
    return other_process(folder, "from gitgpu.cli.main import run; run()", *words, "--jobs", "4")


def on_every_core(folder: Path, *words: str) -> tuple[int, str, str]:
    """The same of a command that decides how many processes it uses, with more than the one core of the tests."""
    release = "import os; os.sched_setaffinity(0, range(os.cpu_count())); " if hasattr(os, "sched_setaffinity") else ""
    return other_process(folder, f"{release}from gitgpu.cli.main import run; run()", *words)


def other_process(folder: Path, program: str, *words: str) -> tuple[int, str, str]:
    """The exit code and both outputs of a program."""
    done = subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ROOT},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fleet with its overlays."""
    folder = fleet.start(tmp_path_factory.mktemp("jobs") / "fleet", CLUSTERS)
    assert one(folder, "build")[0] == 0
    return folder


def test_build_writes_the_same_bytes(built: Path) -> None:
    made = []
    for gitgpu in (one, four, on_every_core):  # into one directory, because its name is in the files
        made.append((gitgpu(built, "build", "--out", "out"), files(built / "out")))
        rmtree(built / "out")
    assert made[0] == made[1] == made[2]
    assert made[0][0][0] == 0
    assert len(made[0][1]) > 10 * CLUSTERS


def test_an_output_that_has_not_changed_is_recognised_by_any_number_of_processes(built: Path) -> None:
    assert four(built, "build", "--out", "out")[0] == 0
    again = [gitgpu(built, "build", "--out", "out") for gitgpu in (one, four)]
    assert again == [(0, "", "out is up to date: nothing to do\n")] * 2
    (built / "out" / "more.yaml").write_text("", encoding="utf-8")
    words = ("build", "--check", "--out", "out")
    checked = one(built, *words)
    assert checked[0] == 1
    assert checked == four(built, *words)
    rmtree(built / "out")


def test_check_and_plan_report_the_same_stale_files(built: Path, tmp_path: Path) -> None:
    spec = (built / "fleet.yaml").read_text("utf-8")
    (built / "fleet.yaml").write_text(spec.replace("limits: {gpus: 8}", "limits: {gpus: 16}"), encoding="utf-8")
    for words in (("build", "--check"), ("plan", "-o", "json")):
        reported = one(built, *words)
        assert reported[0] == 1
        assert reported == four(built, *words)
    (built / "fleet.yaml").write_text(spec, encoding="utf-8")


SIZE = "sku: Standard_NC4as_T4_v3"
CHANGES: dict[str, tuple[str, str, str, int]] = {  # what is replaced, by what, the expected words and exit code
    "a fault of shape": (SIZE, f"{SIZE}\n  wieght: 3", "SHP003", 1),
    "an error of a rule": (SIZE, "sku: Standard_NC6", "SKU001", 1),
    "a warning": ("limits: {gpus: 8}", "limits: {cpu: 800}", "warning", 0),
    "an error that is ignored": ("region: ", "provisioner: cluster-autoscaler\n  region: ", "ALW004", 1),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
def test_a_build_reports_the_same_of_the_fleet(built: Path, tmp_path: Path, change: tuple[str, str, str, int]) -> None:
    before, after, words, code = change
    spec = (built / "fleet.yaml").read_text("utf-8")
    (tmp_path / "fleet.yaml").write_text(spec.replace(before, after), encoding="utf-8")
    made = []
    for gitgpu in (one, four):
        answer = gitgpu(tmp_path, "build", "--ignore", "AGP001")
        made.append((answer, files(tmp_path / "overlays")))
        rmtree(tmp_path / "overlays", ignore_errors=True)
        rmtree(tmp_path / ".gitgpu_cache", ignore_errors=True)
    assert made[0] == made[1]
    assert made[0][0][0] == code
    assert words in made[0][0][1] + made[0][0][2]
    assert bool(made[0][1]) is (code == 0)


def test_lint_finds_the_same_in_the_same_order(tmp_path: Path) -> None:
    texts = [pool_text(at).replace(*BROKEN) if at % 7 else pool_text(at) for at in range(220)]
    texts += [CLAIM.replace("AT", str(at)) for at in range(9)]  # they violate a CEL rule, which no other rule reports
    (tmp_path / "pools.yaml").write_text("---\n".join(texts), encoding="utf-8")
    found = one(tmp_path, "lint", ".", "-o", "json")
    assert found[0] == 1
    assert "CNF012" in found[1]
    assert "CNF018" in found[1]
    assert found == four(tmp_path, "lint", ".", "-o", "json")


def test_lint_of_many_groups_finds_the_same_in_the_same_order(tmp_path: Path) -> None:
    for at in range(240):  # each pool is defined in two versions, so that each directory is a group
        text = pool_text(at % 120).replace(*BROKEN) if at % 7 else pool_text(at % 120)
        folder = tmp_path / f"d{at}"
        folder.mkdir()
        (folder / "pool.yaml").write_text(text.replace("10m", f"{at}m"), encoding="utf-8")
        (folder / "values.json").write_text('{"a": "b"}\n' + "\n" * (500 if at % 3 else 0), encoding="utf-8")
    (tmp_path / "d3" / "broken.yaml").write_text("apiVersion: v1\nkind: ConfigMap\nkind: Secret\n", encoding="utf-8")
    found = one(tmp_path, "lint", ".")
    assert found[0] == 1
    assert "CNF012" in found[1]
    assert "YML002" in found[1]
    assert found == four(tmp_path, "lint", ".")


def test_an_invalid_number_of_jobs_is_refused(tmp_path: Path) -> None:
    with chdir(tmp_path), redirect_stderr(StringIO()):
        assert main(("build", "--jobs", "0")) == 2
