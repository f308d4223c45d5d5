"""Most fleet rules in another process, which imports them while this one reads the fleet: the same findings."""

from pathlib import Path

from gitgpu.registry import names
from gitgpu.rules import fleet
from gitgpu.rules.fleet_rulebook import folders_of_helper, rule_folders
from tests.jobs.test_jobs import answer, forks

SPEC = Path(__file__).parents[3] / "fleet.yaml"
PROGRAM = """
import sys
from gitgpu.jobs import prepared
from gitgpu.rules import fleet_findings as tried
from gitgpu.rules.fleet_rulebook import folders_of_helper, rules_in
from gitgpu.runs.validate import check_fleet, read_fleet

prepared.is_useful = lambda jobs: True
"""


@forks
def test_a_helper_runs_most_rules_and_all_findings_are_the_same(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    spec = SPEC.read_text("utf-8").replace("region: eastus", "region: eastus9")
    path.write_text(spec.replace("expireAfter: Never", "expireAfter: 10m"), "utf-8")
    program = f"""{PROGRAM}
with tried.helper() as helping:
    fleet = read_fleet([{str(path)!r}])
    together = check_fleet(fleet, None, helping)
rules = [name.split(".")[3:] for name in sys.modules if name.startswith("gitgpu.rules.fleet.")]
assert not {{folder for folder, *rule in rules if rule}} & folders_of_helper()
assert together == check_fleet(fleet)
codes = {{finding.code for finding in together.diagnostics}}
found = [rule for rule in rules_in(tried.folders_for(fleet.inputs)) if rule.code in codes]
print({{rule.check.__module__.split(".")[3] in folders_of_helper() for rule in found}})
"""
    assert answer(program) == "{False, True}"


@forks
def test_a_helper_without_a_fleet_ends(tmp_path: Path) -> None:
    path = tmp_path / "fleet.yaml"
    path.write_text("kind: Fleet\n", "utf-8")
    program = f"""{PROGRAM}
with tried.helper() as helping:
    print([fault.code for fault in check_fleet(read_fleet([{str(path)!r}]), None, helping).diagnostics])
"""
    assert answer(program) == "['SHP001']"


def test_a_helper_has_most_rules() -> None:
    folders = folders_of_helper()
    assert folders < rule_folders().keys()
    everything = names(fleet)
    share = len([name for name in everything if name.partition(".")[0] in folders]) / len(everything)
    assert 0.55 < share < 0.75
