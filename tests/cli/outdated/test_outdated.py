"""`outdated`: its list."""

from syrupy.assertion import SnapshotAssertion

from tests.cli.conftest import Run
from tests.cli.edits.ringed_fleet import FLEET, answer
from tests.cli.fleets import write


def test_outdated_lists_rings_in_order(fleet: Run, snapshot: SnapshotAssertion) -> None:
    for form in ("text", "markdown"):
        done = fleet("outdated", "-o", form)
        assert done.code == 1
        assert done.out == snapshot(name=form)
    report = answer(fleet, "outdated")
    assert [each["ring"] for each in report["software"] if each["name"] == "gpu-operator"] == [
        "canary",
        "early",
        "prod",
    ]
    assert report["outdated"] == sum(each["outdated"] for each in report["software"])


def test_an_unknown_version_of_software_that_no_cluster_installs_can_be_allowed(fleet: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\nfleet: [fleet]\nignore: [VER002]\n", ".gitgpu.yaml")
    write(FLEET.replace("gpu-operator: v26.3.3", "kaito-workspace: 99.0.0"), "fleet/fleet.yaml")
    assert fleet("build").code == fleet("images").code == 0
    assert fleet("outdated").code == 1
