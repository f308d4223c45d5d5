"""A RAGEngine on a cluster without Karpenter."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import cluster_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """RAGEngines on clusters whose nodes Karpenter does not create."""
    del row
    # KTO008 reports a RAGEngine on the add-on.
    if placed.model.task == "rag" and not placed.inputs.has_karpenter(placed.cluster) and not placed.on_add_on:
        where = cluster_with_place(placed.cluster, "provisioner")
        message = f"KAITO's RAGEngine needs Karpenter NodeClaims, but {where} does not have them"
        yield POOLS, message, "use a pool of a cluster with provisioner: nap"


RULE = Rule(
    code="KTO020",
    name="rag-engine-without-karpenter",
    severity=Severity.ERROR,
    summary="A KAITO RAGEngine from Helm runs on a cluster with AKS node pools.",
    help="Before it uses a node, the controller of RAGEngines lists Karpenter's NodeClaims, even if something else "
    "creates the nodes. A cluster without node auto-provisioning does not have that kind, and the engine waits "
    "indefinitely. Inference and tuning work there: KAITO finds their nodes by label.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/ragengine/controllers/ragengine_controller.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/controllers/workspace_controller.go",
    ),
    check=_check,
)
