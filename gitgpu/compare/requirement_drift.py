"""Requirement drift: which nodes of a NodePool no longer match its requirements.

Karpenter compares the labels of each node with the requirements, and a label that a node does not have meets only
NotIn and DoesNotExist (areRequirementsDrifted of kubernetes-sigs/karpenter). The nodes are not known here, so all nodes
that the pool could have created are compared.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.compare.node_labels import could, is_of_size, label_in_zones
from gitgpu.compare.nodes import Pool
from gitgpu.model.names.labels import AKS_CPU_LABEL, AKS_MEMORY_LABEL, SKU_CPU_LABEL, SKU_MEMORY_LABEL
from gitgpu.model.size.node_labels import labels
from gitgpu.model.syntax.requirement import ABSENT, Requirement, Requirements, intersect, meets
from gitgpu.objects.node.node_pools import NodePool
from gitgpu.spelling import comma_separated

# Labels with the values of others (pkg/apis/v1beta1/labels.go of Azure/karpenter-provider-azure).
SAME = {AKS_CPU_LABEL: SKU_CPU_LABEL, AKS_MEMORY_LABEL: SKU_MEMORY_LABEL}
MAX_SIZES = 4  # sizes that a reason names


class RequirementDrift(NamedTuple):
    """Which nodes no longer match: all, some or none of them, and why."""

    part: str
    reason: str


def requirement_drift(before: Pool, after: Pool) -> RequirementDrift:
    """Which nodes that the pool could have created before do not meet its new requirements."""
    if not (before.karpenter and after.karpenter):
        return RequirementDrift(
            "some", "the NodePool does not match its schema, so its requirements cannot be compared"
        )
    was, now = (intersect(_requirements(pool)) for pool in (before.karpenter, after.karpenter))
    altered = {key: requirement for key, requirement in now.items() if was.get(key) != requirement}
    drifts = [*_by_size(altered, before), *_by_key(altered, before)]
    parts = {drift.part for drift in drifts}
    worst = next((part for part in ("all", "some") if part in parts), "none")
    return RequirementDrift(worst, "; ".join(drift.reason for drift in drifts if drift.part == worst))


def _requirements(pool: NodePool) -> list[Requirement]:
    meanings = (entry.meaning._replace(minimum=None) for entry in pool.entries if entry.meaning)
    return [requirement._replace(key=SAME.get(requirement.key, requirement.key)) for requirement in meanings]


def _by_size(altered: Requirements, before: Pool) -> Iterator[RequirementDrift]:
    """Drift by keys that depend on the size of a node: each possible size of the pool is checked."""
    required = {key: requirement for key, requirement in altered.items() if is_of_size(key, before)}
    if not required:
        return
    verdicts = {sku.name: _meets(labels(sku), required) for sku in before.skus}
    out = sorted(name for name, fits in verdicts.items() if fits is False)
    doubtful = sorted(name for name, fits in verdicts.items() if fits is None)
    if len(out) == len(verdicts):
        yield RequirementDrift("all", f"none of the previously possible sizes meets {_keys(required)}")
    elif out or doubtful:
        reason = f"it is unknown whether {comma_separated(doubtful, MAX_SIZES)} meets"
        if out:
            reason = f"nodes of {comma_separated(out, MAX_SIZES)} do not meet"
        yield RequirementDrift("some", f"{reason} {_keys(required)}")


def _meets(has: Requirements, required: Requirements) -> bool | None:
    """Whether a size meets the requirements. None if one of its labels is unknown."""
    verdicts = []
    for key, requirement in required.items():
        verdicts.append(meets(has[key], requirement) if key in has else None)
    if False in verdicts:
        return False
    return None if None in verdicts else True


def _by_key(altered: Requirements, before: Pool) -> Iterator[RequirementDrift]:
    """Drift by keys that do not depend on the size: the possible values on nodes of the pool are checked."""
    for key, now in sorted(altered.items()):
        if is_of_size(key, before):
            continue
        label = could(key, before)
        if label is None:
            if now.operator not in ABSENT:
                yield RequirementDrift("all", f"its nodes do not have the label {key}, which is now required")
        elif not meets(label, now):
            yield RequirementDrift("all", f"no node that it could have created meets {key}")
        elif not meets(label_in_zones(key, before) or label, now):
            yield RequirementDrift("all", f"its zonal nodes do not meet {key}; regional nodes stay")
        elif not _within(label, now):
            yield RequirementDrift("some", f"nodes whose {key} is not {_values_text(now)} no longer match")


def _within(first: Requirement, other: Requirement) -> bool:
    """Whether the second requirement allows everything that the first allows."""
    if not first.complement:
        return all(other.takes(value) for value in first.values)
    wide = other.low is None or (first.low is not None and first.low >= other.low)
    high = other.high is None or (first.high is not None and first.high <= other.high)
    return other.complement and wide and high and not any(first.takes(value) for value in other.values)


def _values_text(requirement: Requirement) -> str:
    values = ", ".join(sorted(requirement.values))
    if requirement.low is not None or requirement.high is not None:
        low = "any" if requirement.low is None else requirement.low
        high = "any" if requirement.high is None else requirement.high
        return f"from {low} to {high}"
    return f"other than {values}" if requirement.complement else values


def _keys(required: Requirements) -> str:
    return ", ".join(sorted(required))
