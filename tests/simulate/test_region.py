"""The region of a cluster, if only its nodes say it: in a dump, for `simulate` as for `diagnose`."""

import json
from typing import Any

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from tests.diagnose.states import facts, items
from tests.helping.cases import for_each


def region(*zones: str, given: str = "") -> str:
    """The region of a simulation of a dump with a node in each of these zones."""
    objects: list[dict[str, Any]] = [
        item for item in items("cordoned-node") if item["kind"] not in ("Node", "NodeClaim")
    ]
    [node] = [item for item in items("cordoned-node") if item["kind"] == "Node"]
    for number, zone in enumerate(zones):
        labels = {**node["metadata"]["labels"], "topology.kubernetes.io/zone": zone}
        objects.append({**node, "metadata": {**node["metadata"], "name": f"n{number}", "labels": labels}})
    text = Text("dump.json", json.dumps({"apiVersion": "v1", "kind": "List", "items": objects}), "dump.json")
    [forecast] = of_manifests(read_manifests([text]), read_manifests([]), facts(), Assumptions({}, {}, given, "1.34"))
    return forecast.region


@for_each(
    ("zones", "expected"),
    [(["westeurope-1", "westeurope-3"], "westeurope"), (["westeurope-1", "eastus-1"], ""), (["0"], ""), ([], "")],
)
def test_the_zones_of_nodes_name_the_region(zones: list[str], expected: str) -> None:
    assert region(*zones) == expected


def test_the_command_line_comes_first() -> None:
    assert region("westeurope-1", given="eastus") == "eastus"
