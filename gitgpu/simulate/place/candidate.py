"""A pod and a node group, and the text for what keeps the pod off the nodes of the group."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, NamedTuple

from gitgpu.diagnostic import Problem
from gitgpu.model.labels import closed_domain
from gitgpu.model.syntax.requirement import Requirement, intersect
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import Pod
from gitgpu.plan.placement import RETIRING
from gitgpu.schedule.taint import taint_text
from gitgpu.simulate.forecast import Reason
from gitgpu.simulate.node.node_group import Maker, NodeGroup
from gitgpu.simulate.pod.shape import Shape
from gitgpu.source import Pointer, Span
from gitgpu.spelling import join_names


class Candidate(NamedTuple):
    """A pod in one of its readings, a group, and what is left of the limits of the group.

    `instead` maps labels that software sets too late to labels that Karpenter knows in advance. `owned` is the
    catalog's row on the label keys that NodePools may not set.
    """

    pod: Pod
    shape: Shape
    group: NodeGroup
    left: Mapping[str, Decimal]
    instead: Mapping[str, str] = {}
    owned: Mapping[str, Any] | None = None

    def settable(self, key: str) -> bool:
        """Whether the pool may label its nodes with the key."""
        row = self.owned if self.group.maker is Maker.KARPENTER else None
        return row is None or (key not in row["refused"] and closed_domain(key, row) is None)

    def here(self, *path: str | int) -> Span:
        """A place in the pod's spec."""
        return self.pod.item.given.places.span((*self.pod.pointer, *path))

    def label_place(self, key: str) -> Span:
        """Where the pod requires a label."""
        # Reversed, so that the first place stays of a label that is required in several.
        places: dict[str, Pointer] = {label.key: label.place for label in reversed(list(required_labels(self.pod)))}
        return self.pod.item.given.places.span(places.get(key, self.pod.pointer))


def reason(candidate: Candidate, kind: str, problem: Problem, span: Span, change: Span | None = None) -> Reason:
    """A reason. The line to change is the one that blocks, unless another one is given."""
    return Reason(candidate.group.name, kind, *problem, span, change or span)


def taint_problem(taint: Mapping[str, Any]) -> Problem:
    """The message and remedy for a taint that the pod does not tolerate.

    If the pool is being retired, the remedy is not a toleration but another pool.
    """
    text = taint_text(taint)
    if text == taint_text(RETIRING._asdict()):
        return Problem(
            "the pool is being retired, so its nodes do not take new pods", "add another pool to the workload"
        )
    return Problem(f"the pod does not tolerate the taint {text}", f"add a toleration for {text} to the pod")


def sizes(group: NodeGroup, types: int) -> str:
    """The names of some sizes."""
    return join_names([node_type.sku.name for node_type in group.instance_types.of(types)])


def count_agreeing(candidate: Candidate) -> tuple[int, int]:
    """The types of the group that meet the pod's labels, and the offerings that meet those of the group and the pod."""
    group, wants = candidate.group, candidate.shape.wants
    both = intersect([*group.node.values(), *wants.values()])
    offered = group.offered & group.instance_types.offerings.meeting(both)
    return group.types & group.instance_types.meeting(wants.values()), offered


def requirement_text(requirement: Requirement) -> str:
    """A requirement as text."""
    key, values = requirement.key, join_names(sorted(requirement.values))
    bounds = []
    if requirement.low is not None:
        bounds.append(f"at least {requirement.low}")
    if requirement.high is not None:
        bounds.append(f"at most {requirement.high}")
    if bounds:
        return f"{key} of {' and '.join(bounds)}"
    texts = {"In": f"{key}={values}", "NotIn": f"{key} other than {values}", "Exists": f"any {key}"}
    return texts.get(requirement.operator, f"no {key}")
