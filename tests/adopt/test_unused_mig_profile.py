"""`gpuInstanceProfile` without a driver of AKS has no effect: an import keeps it."""

from typing import Any

import pytest
import yaml

from gitgpu.runs.import_ import import_fleet
from tests.adopt.inventories import inventory
from tests.adopt.test_running_rows import ND, OPTIONS, running

PROFILE = "MIG1g"


def pool(**spec: Any) -> str:
    body = yaml.load(ND.split("---")[0], yaml.CSafeLoader)
    body["spec"] |= {"vmSize": "Standard_NC24ads_A100_v4", "gpuInstanceProfile": PROFILE, **spec}
    return yaml.safe_dump(body)


@pytest.mark.parametrize("operator", ["", running("gpu-operator", "v26.3.3")])
def test_the_profile_is_kept_and_no_node_is_replaced(operator: str) -> None:
    made = import_fleet(inventory({"c0": pool(gpuProfile={"driver": "None"}) + operator}), OPTIONS, (), "fleet")
    [document] = [entry.document for entry in made.adopted.documents if entry.document.kind == "GpuPool"]
    assert document.spec["agentPool"] == {"gpuInstanceProfile": PROFILE}
    assert "partition" not in document.spec
    assert [verdict.keeps_nodes for verdict in made.verdicts] == [True]


def test_with_the_driver_of_aks_it_is_a_partition() -> None:
    made = import_fleet(inventory({"c0": pool()}), OPTIONS, (), "fleet")
    [document] = [entry.document for entry in made.adopted.documents if entry.document.kind == "GpuPool"]
    assert document.spec["partition"] == {"mig": {"profiles": {"1g.10gb": 7}}}
    assert "agentPool" not in document.spec
