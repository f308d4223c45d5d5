"""`gitgpu import --today`: an advisory about a node image that begins on a day."""

from tests.adopt.test_advised_images import A10, UBUNTU, from_azure
from tests.cli.conftest import Run
from tests.cli.diagnose.test_diagnose import NO_GPUS_LATER
from tests.cli.fleets import write


def test_advisories_are_judged_on_the_day_of_today(run: Run) -> None:
    write("apiVersion: gitgpu.dev/v1alpha1\nkind: Config\ncatalog: [mine]\n", ".gitgpu.yaml")
    write(NO_GPUS_LATER, "mine/advisories/ADV900.yaml")
    write(from_azure(A10, UBUNTU), "pools.json")
    command = ("import", "pools.json", "--cluster", "prod", "--dry-run")
    assert "ADV900" not in run(*command, "--today", "2026-12-31").err
    assert "ADV900" in run(*command, "--today", "2027-01-01").err
    assert "ADV900" in run(*command).err
    assert run(*command, "--today", "tomorrow").code == 2
