"""gitgpu writes requirements for sizes, capacity, zones and placement."""

from collections.abc import Iterator, Mapping

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import CAPACITY_TYPE_LABEL, PLACEMENT_SCOPE_LABEL, SKU_NAME_LABEL, ZONE_LABEL
from gitgpu.rules.fleet_rule import Finding, Rule

INSTEAD: Mapping[str, str] = {
    SKU_NAME_LABEL: "set sku or requirements, and keep only minValues with operator: Exists",
    CAPACITY_TYPE_LABEL: "set capacity",
    ZONE_LABEL: "set zones",
    PLACEMENT_SCOPE_LABEL: "set placement",
}


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Requirements of pools that gitgpu derives from another key in the spec."""
    for pool in inputs.nodepools:
        # gitgpu derives none if the pool has only nodeRequirements.
        if pool.exact:
            continue
        for index, requirement in enumerate(pool.node_requirements):
            # Only to set minValues.
            counts = requirement["key"] == SKU_NAME_LABEL and requirement["operator"] == "Exists"
            if requirement["key"] in INSTEAD and not counts:
                message = f"gitgpu derives the requirement {requirement['key']} from the spec of the pool"
                place = ("spec", "nodeRequirements", index, "key")
                yield Finding(pool.origin, place, message, INSTEAD[requirement["key"]])


RULE = Rule(
    code="SCH027",
    name="requirement-derived-from-spec",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool sets a requirement that gitgpu derives from the spec.",
    help="Karpenter combines all requirements for one label, so a second one can exclude every node, and rules and "
    "the simulation of the fleet would judge other sizes, zones or prices than the nodes have.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
    ),
    check=_check,
)
