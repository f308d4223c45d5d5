"""VirtualMachines pools: sizes with a number of nodes next to sizes that the cluster autoscaler scales."""

import json
from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate
from gitgpu.emit.pages.node_pools_commands import PAGE as COMMANDS
from gitgpu.plan.cluster_plan import plan
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.test_running_rows import AKS, OPTIONS
from tests.inventory.reading import read

SMALL, LARGE = "Standard_NC24ads_A100_v4", "Standard_NC48ads_A100_v4"
FIXED = {"size": SMALL, "count": 2}
SCALED = {"size": LARGE, "minCount": 0, "maxCount": 3}


def imported(**scale: Any) -> Imported:
    """The import of a pool, as `az aks nodepool show` prints it."""
    pool = {
        "name": "vm",
        "id": f"{AKS}/agentPools/vm",
        "type": "Microsoft.ContainerService/managedClusters/agentPools",
        "typePropertiesType": "VirtualMachines",
        "mode": "User",
        "osType": "Linux",
        "virtualMachinesProfile": {"scale": scale},
    }
    return import_fleet(read(json.dumps(pool)), OPTIONS, (), "fleet")


def test_a_pool_of_both_kinds_keeps_its_nodes() -> None:
    made = imported(manual=[FIXED], autoscale=[SCALED])
    [document] = [entry.document.spec for entry in made.adopted.documents if entry.document.kind == "GpuPool"]
    assert document["nodes"] == {"sizes": {SMALL: {"min": 2, "max": 2}, LARGE: {"min": 0, "max": 3}}}
    assert [verdict.keeps_nodes for verdict in made.verdicts] == [True]


def test_the_plan_scales_the_others_only() -> None:
    made = imported(manual=[FIXED], autoscale=[SCALED])
    assert made.checked.inputs
    [own] = made.checked.inputs.clusters
    script = COMMANDS.write(plan(made.checked.inputs, own))
    assert "--node-count 2" in script
    assert f"extend vm {LARGE} auto-scale --node-vm-size {LARGE} --min-count 0 --max-count 3" in script
    assert "--enable-cluster-autoscaler" not in script


@pytest.mark.parametrize(
    "scale",
    [
        {"autoscale": [SCALED, {"size": SMALL, "minCount": 2, "maxCount": 2}]},  # would be written as a fixed number
        {"manual": [FIXED], "autoscale": [{**SCALED, "size": SMALL}]},  # has two numbers
        {"manual": [{"size": SMALL}]},
    ],
)
def test_a_pool_that_the_spec_cannot_say_stays_with_its_owner(scale: Any) -> None:
    made = imported(**scale)
    [left] = [each for each in made.adopted.outcomes if each.fate is Fate.INEXPRESSIBLE]
    assert "it is a VirtualMachines pool with the sizes" in left.reason
