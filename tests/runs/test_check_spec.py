"""Rules about a fleet that two processes run: the findings and their order are those of one process."""

from pathlib import Path

import pytest

from tests.jobs.test_jobs import answer, forks

SPEC = Path(__file__).parents[2] / "fleet.yaml"

# Checks a fleet with and without another process. `STEP` can change what happens in the other process.
PROGRAM = """
import os, sys
from gitgpu.jobs import prepared
from gitgpu.runs import check_spec
from gitgpu.runs.validate import check_fleet, read_fleet

prepared.is_useful = lambda jobs: True
{step}
fleet = read_fleet([{path!r}])
with check_spec.fleet_check() as check:
    together = check_fleet(fleet, check=check).diagnostics
modules = [name.split(".") for name in sys.modules if name.startswith("gitgpu.rules.fleet.")]
folders = {{names[3] for names in modules if len(names) > 4}}
alone = check_fleet(fleet).diagnostics
print(together == alone, sorted(finding.code for finding in alone), 0 < len(folders) < 12)
"""


@forks
@pytest.mark.parametrize(
    ("written", "instead", "codes"),
    [
        ("name: contoso-ai", "name: contoso-ai", []),
        ("sku: Standard_NC4as_T4_v3", "sku: Standard_NC6", ["SKU001"]),
        ("pools: [t4-claims]", "pools: [t4-claim]", ["LNK005"]),
    ],
)
def test_two_processes_find_the_same_in_the_same_order(
    tmp_path: Path, written: str, instead: str, codes: list[str]
) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text(SPEC.read_text("utf-8").replace(written, instead), "utf-8")
    same, found = answer(PROGRAM.format(step="", path=str(path))).split(" ", 1)
    assert same == "True"
    assert all(code in found for code in codes), found
    assert found.endswith("True")


@forks
def test_if_the_other_process_is_killed_this_one_runs_its_rules() -> None:
    step = "check_spec._prepare = lambda: os._exit(1)"
    assert answer(PROGRAM.format(step=step, path=str(SPEC))).startswith("True")


@forks
def test_the_other_process_ends_if_the_fleet_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text("kind: [", "utf-8")
    program = PROGRAM.format(step="", path=str(path)) + (
        "try: os.waitpid(-1, 0)\nexcept ChildProcessError: print('none is left')\n"
    )
    assert answer(program).endswith("none is left")


@forks
def test_a_fleet_with_many_clusters_is_checked_by_one_process() -> None:
    step = "check_spec.MAX_CLUSTERS = 1\nprepared.PreparedWorker.give = None"
    assert answer(PROGRAM.format(step=step, path=str(SPEC))).startswith("True")
