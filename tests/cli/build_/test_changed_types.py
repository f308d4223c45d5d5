"""A pool that becomes one of virtual machines, or back: AKS refuses it, so a build says so."""

import json

import pytest

from tests.cli.build_.test_lost_software import AUTOSCALED
from tests.cli.conftest import Run
from tests.cli.fleets import write

SCALE_SET = AUTOSCALED.replace("nodes: {min: 1, max: 2}", "nodes: {min: 2, max: 2}")
MACHINES = SCALE_SET.replace("nodes:", "agentPool: {type: VirtualMachines}, nodes:")
SCALED = MACHINES.replace("min: 2, max: 2", "min: 1, max: 2")  # no object of Azure Service Operator has these


def said(run: Run, *options: str) -> list[str]:
    """What a build says about the types of pools."""
    report = json.loads(run("build", "-o", "json", *options).out)
    assert all(found["severity"] == "warning" for found in report["results"] if found["code"] == "OUT013")
    return [found["message"] for found in report["results"] if found["code"] == "OUT013"]


@pytest.mark.parametrize("form", ["", "az", "bicep", "terraform"])
@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (SCALE_SET, MACHINES, "from a scale set to virtual machines"),
        (SCALE_SET, SCALED, "from a scale set to virtual machines"),
        (MACHINES, SCALE_SET, "from virtual machines to a scale set"),
    ],
)
def test_another_type_of_an_existing_pool(run: Run, form: str, before: str, after: str, change: str) -> None:
    def in_form(spec: str) -> str:
        return spec.replace("delivery: {", f"delivery: {{azure: {form}, ") if form else spec

    write(in_form(before))
    assert said(run) == []
    write(in_form(after))
    [message] = said(run, "--check")
    assert message.startswith(f"node pool t4 of c1 changes {change}: AKS does not change the type")
    assert said(run) == [message]
    assert said(run) == []  # the overlays have it now


def test_other_changes_and_new_pools_have_no_such_finding(run: Run) -> None:
    write(SCALE_SET)
    run("build")
    for spec in (SCALE_SET.replace("max: 2", "max: 3"), MACHINES.replace("name: t4", "name: other")):
        write(spec)
        assert said(run, "--allow-removal", "c1/*") == []


def test_files_that_somebody_changed_are_no_crash(run: Run) -> None:
    write(SCALE_SET.replace("delivery: {", "delivery: {azure: terraform, "))
    run("build")
    write('{"resource": [', "overlays/c1/runbook/cluster.tf.json")
    write(MACHINES.replace("delivery: {", "delivery: {azure: terraform, "))
    assert said(run, "--force") == []
