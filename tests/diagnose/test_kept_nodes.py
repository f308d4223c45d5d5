"""Why Karpenter keeps a node, compared with what Karpenter itself said and did."""

import json

import pytest

from gitgpu.diagnose.selected import about_node
from gitgpu.report.diagnosis.text import text
from gitgpu.report.findings import Style
from tests.diagnose.recording.moving import MOVING
from tests.diagnose.states import diagnosed, items, of_texts, verdicts
from tests.helping.cases import for_each

NODE = "aks-gpu-00001"


def shown(name: str) -> str:
    """What is said about the node of a state."""
    return text(about_node(diagnosed(name), NODE)[0], Style())


@for_each(
    ("name", "said"),
    [
        ("consolidation-kept-by-pdb", "does not consolidate the node: PodDisruptionBudget ml/chat allows no eviction"),
        ("consolidation-kept-by-pod", "does not consolidate the node: a pod has the annotation"),
        ("consolidation-kept-by-node", "does not consolidate the node: it has the annotation"),
        ("consolidation-not-cheaper", "does not consolidate the node: can't replace with a cheaper node"),
        ("consolidation-when-empty-only", "NodePool gpu only consolidates empty nodes"),
        ("consolidation-off", "NodePool gpu has consolidation turned off"),
        ("consolidation-budget-always", "allow no disruption for the reason Empty\n"),
        ("idle-node-kept-by-budget", "allow no disruption for the reason Empty until 2026-01-01T08:00:00Z"),
        ("drifted-kept-by-pdb", "which has drifted (NodePoolDrifted): PodDisruptionBudget ml/chat allows no eviction"),
        ("drifted-kept-by-budget", "which has drifted (NodePoolDrifted): the budgets of NodePool gpu allow no"),
        ("running", "consolidateAfter is 1m, and a pod last started or ended there at 2026-01-01T00:02:02Z"),
        ("running", "the node expires: Karpenter deletes it at 2026-01-31T00:00:00Z"),
        ("never-expires", "the node does not expire"),
    ],
)
def test_why_a_node_stays(name: str, said: str) -> None:
    assert said in shown(name)


@pytest.mark.parametrize("name", MOVING)
def test_diagnose_says_what_karpenter_did(name: str) -> None:
    objects = items(name)
    [claim] = [item for item in objects if item["kind"] == "NodeClaim" and item["metadata"]["name"] == "gpu-00001"]
    conditions = {entry["type"]: entry["status"] for entry in claim["status"]["conditions"]}
    blocked = {
        event["reason"] for event in objects if event["kind"] == "Event" and event["involvedObject"]["kind"] != "Pod"
    } & {"DisruptionBlocked", "Unconsolidatable"}
    is_removed = conditions.get("DisruptionReason") == "True" or "deletionTimestamp" in claim["metadata"]
    found = {group.cause.verdict for group in about_node(diagnosed(name), NODE)[0].groups}
    if is_removed:
        assert not found & {"not-consolidated", "not-replaced", "expires"}
    else:
        assert bool(found & {"not-consolidated", "not-replaced"}) == bool(blocked) or name == "never-expires"
        assert "expires" in found


def test_nothing_is_said_about_nodes_whose_pods_are_not_in_the_dump() -> None:
    kept = [item for item in items("consolidation-budget-always") if item["kind"] != "Pod"]
    assert "Node aks-gpu-00001" not in verdicts(of_texts(str_of(kept)))


def str_of(objects: list[dict[str, object]]) -> str:
    """A dump of these objects."""
    return json.dumps({"apiVersion": "v1", "kind": "List", "items": objects})
