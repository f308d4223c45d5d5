"""gitgpu writes requirements for sizes, capacity, zones and placement."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

SIZE = "karpenter.azure.com/sku-name"
INSTEAD: Mapping[str, str] = {
    SIZE: "set sku or requirements, and keep only minValues with operator: Exists",
    "karpenter.sh/capacity-type": "set capacity",
    "topology.kubernetes.io/zone": "set zones",
    "karpenter.azure.com/placement-scope": "set placement",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Requirements of pools that gitgpu derives from another key of the spec."""
    for pool in inputs.nodepools:
        # gitgpu derives none if the pool has only nodeRequirements.
        if pool.exact:
            continue
        for index, requirement in enumerate(pool.node_requirements):
            counts = requirement["key"] == SIZE and requirement["operator"] == "Exists"  # only to set minValues
            if requirement["key"] in INSTEAD and not counts:
                message = f"gitgpu derives the requirement {requirement['key']} from the spec of the pool"
                place = ("spec", "nodeRequirements", index, "key")
                yield Finding(pool.origin, place, message, INSTEAD[requirement["key"]])


RULE = Rule(
    code="SCH027",
    name="requirement-derived-from-spec",
    severity=Severity.ERROR,
    summary="A pool sets a requirement that gitgpu derives from the spec.",
    help="Karpenter combines all requirements for one label, so a second one can exclude every node, and rules and "
    "the simulation of the fleet would judge other sizes, zones or prices than the nodes have.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    check=_check,
)
