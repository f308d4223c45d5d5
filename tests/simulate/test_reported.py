"""Inputs for which a forecast was wrong, with what Karpenter 1.14.0 does with them."""

from pathlib import Path

import pytest

from gitgpu.load.text import Text
from gitgpu.objects.manifest.manifests import Manifests, read_manifests
from gitgpu.runs.simulate import Assumptions, of_manifests
from gitgpu.simulate.forecast import Forecast
from tests.simulate.worlds import catalog

REPORTED = Path(__file__).parents[2].parent / "shared" / "reported" / "simulate"
NC4, NC64 = "Standard_NC4as_T4_v3", "Standard_NC64as_T4_v3"
# What is on the new nodes: for each node, its size and its pods.
NODES: dict[str, dict[str, list[tuple[str, ...]]]] = {
    "pools": {
        "1-mismatch": [(NC64, "p1", "p2")],
        "12-pvc": [(NC4, "p2")],
        "13-podlevel": [(NC4, "p1")],
        "2-runtimeclass": [],
        "3-gate": [],
        "4-hostname": [],
        "4b-hostname-notin": [],
        "5-nodepool-affinity": [],
        "5b-nodepool-spread": [],
        "6b-deleting-pod": [(NC64, "p1", "r1")],
        "6c-deleting-no-taint": [(NC4, "p1")],
        "7-dra": [(NC4, "p2")],
        "8-registered": [],
        "9-namespaceselector": [(NC64, "p1", "p2")],
        "r1": [],
        "r2": [],
    },
    "pools-limit": {"6-deleting-limit": [(NC4, "p1")]},
    "pools-eah": {"p1": [(NC4, "p1")]},
}
BESIDE = {"node", "node2"}  # a node without pods
CASES = [(pools, name) for pools, named in NODES.items() for name in named]
present = pytest.mark.skipif(not REPORTED.is_dir(), reason="the folder shared/ is not next to this checkout")


def decided(pools: str, name: str) -> Forecast:
    """The forecast for one of the files with the pools of another."""
    [forecast] = of_manifests(_read(pools), _read(name), catalog(), Assumptions({}, {}, "eastus", "1.36"))
    return forecast


def _read(name: str) -> Manifests:
    path = f"{name}.yaml"
    return read_manifests([Text(path, (REPORTED / path).read_text("utf-8"), path)])


@present
def test_each_reported_input_has_an_answer() -> None:
    assert {path.stem for path in REPORTED.glob("*.yaml")} == {*NODES, *BESIDE, *(name for _, name in CASES)}


@present
@pytest.mark.parametrize(("pools", "name"), CASES)
def test_a_reported_input_gets_these_nodes(pools: str, name: str) -> None:
    forecast = decided(pools, name)
    of = {verdict.number: verdict.name for verdict in forecast.verdicts}
    nodes = [(node.sku, *sorted(of[share.workload] for share in node.shares)) for node in forecast.low]
    assert nodes == NODES[pools][name]


@present
@pytest.mark.parametrize(
    ("pools", "name", "doubt"),
    [
        ("pools", "3-gate", "the pod is not scheduled until something removes its gate kueue.x-k8s.io/admission"),
        ("pools-eah", "p1", f"the catalog does not know encryptionAtHost of {NC4}"),
    ],
)
def test_what_is_not_known_is_a_doubt(pools: str, name: str, doubt: str) -> None:
    [verdict] = decided(pools, name).verdicts
    assert [doubt.message for doubt in verdict.doubts] == [doubt]
