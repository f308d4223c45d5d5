"""Half of the fleet rules in another process: the same findings, and half of the imports."""

from pathlib import Path

from gitgpu.registry import names
from gitgpu.rules import fleet
from gitgpu.rules.fleet_rulebook import halves, rule_folders
from tests.jobs.test_jobs import answer, forks

SPEC = Path(__file__).parents[3] / "fleet.yaml"


@forks
def test_another_process_runs_half_of_the_rules_and_all_findings_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    spec = SPEC.read_text("utf-8")
    path.write_text(
        spec.replace("region: eastus", "region: eastus9").replace("osDiskGB: 1024", "osDiskGB: 10"), "utf-8"
    )
    program = f"""
import sys
from gitgpu.rules import fleet_findings as tried
from gitgpu.rules.fleet_rulebook import halves, rule_folders, rules_in
from gitgpu.runs.validate import read_fleet

inputs = read_fleet([{str(path)!r}]).inputs
tried.is_useful = lambda jobs: True
together = tried.fleet_findings(inputs, jobs=None)
own, others = halves(rule_folders())
assert not [name for name in sys.modules if name.startswith("gitgpu.rules.fleet.") and name.split(".")[3] in others
            and name.count(".") == 4]
tried.is_useful = lambda jobs: False
assert together == tried.fleet_findings(inputs)
codes = {{finding.code for finding in together}}
print(*(bool(codes & {{rule.code for rule in rules_in(half)}}) for half in (own, others)))
"""
    assert answer(program) == "True True"


def test_the_halves_are_all_folders_and_about_equal() -> None:
    first, second = halves(rule_folders())
    assert first | second == rule_folders().keys()
    assert not first & second
    sizes = [len([name for name in names(fleet) if name.partition(".")[0] in half]) for half in (first, second)]
    assert abs(sizes[0] - sizes[1]) <= 2


def test_a_fleet_without_rules_has_two_empty_halves() -> None:
    assert halves(()) == (frozenset(), frozenset())
