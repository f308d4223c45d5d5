"""A disruption budget with a start and no end, or the reverse."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        place = ("spec", "disruption", "budgets")
        for index, budget in enumerate(reach(item.body, *place) or ()):
            if ("schedule" in budget) != ("duration" in budget):
                written, missing = ("schedule", "duration") if "schedule" in budget else ("duration", "schedule")
                message = f"the budget has a {written} and no {missing}"
                yield Finding(item, (*place, index, written), message, f"add a {missing}, or remove the {written}")


RULE = Rule(
    code="CNF013",
    name="half-scheduled-budget",
    twin="DIS001",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool's disruption budget has only one of schedule and duration.",
    help="Together they define when the budget starts to apply and for how long. The API server rejects one without "
    "the other.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.sh_nodepools.yaml",
    ),
    check=_check,
)
