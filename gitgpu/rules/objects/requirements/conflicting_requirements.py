"""Two requirements of a NodePool on the same label that no value meets."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.syntax.requirement import Requirement, intersection, meets
from gitgpu.objects.node.node_pools import LabelRequirement, every_node_pool
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import pointer_text


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in every_node_pool(objects):
        by_key: dict[str, list[LabelRequirement]] = {}
        for demand in pool.label_requirements:
            by_key.setdefault(demand.key, []).append(demand)
        for key, several in by_key.items():
            for demand, other in _first_conflict(several):
                message = f"no value of {key} meets both this and {pointer_text(other.pointer)}"
                remedy = "keep one of the two, or give them a common value"
                yield Finding(pool.item, demand.place, message, remedy)


def _first_conflict(several: list[LabelRequirement]) -> Iterator[tuple[LabelRequirement, LabelRequirement]]:
    """The first requirement that cannot be met together with those before it, and one of those."""
    together: Requirement | None = None
    seen: list[tuple[LabelRequirement, Requirement]] = []
    for demand in several:
        meaning = demand.meaning
        if meaning is None or (demand.operator == "In" and not demand.values):  # NPL001 reports it
            continue
        if together is not None and not meets(together, meaning):
            others = (other for other, other_meaning in seen if not meets(other_meaning, meaning))
            # Without such a requirement, only several of them together leave no value.
            yield demand, next(others, seen[-1][0])
            return
        together = meaning if together is None else intersection(together, meaning)
        seen.append((demand, meaning))


RULE = Rule(
    code="NPL008",
    name="conflicting-requirements",
    severity=Severity.ERROR,
    summary="Two requirements or template labels of a NodePool contradict each other.",
    help="Karpenter combines all requirements on a label. When no value is left, it requires the label to be absent, "
    "so no size that has the label and no pod that selects it ever matches.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go",
    ),
    check=_check,
)
