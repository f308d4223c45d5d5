"""Requirement drift: which nodes that a NodePool has made are outside of what it asks for now.

Karpenter holds the labels of each node against the requirements, and a label that a node does not have meets only
NotIn and DoesNotExist (areRequirementsDrifted of kubernetes-sigs/karpenter). Without the nodes at hand, all that the
pool could have made are looked at.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gitgpu.compare.nodes import Pool
from gitgpu.conform.nodepools import NodePool
from gitgpu.schedule.requirement import ABSENT, Requirement, Requirements, joined, meets, requirement
from gitgpu.schedule.size import AZURE, labels

CAPACITY = "karpenter.sh/capacity-type"
ON_EVERY_NODE = (
    "kubernetes.io/arch",
    "kubernetes.io/hostname",
    "kubernetes.io/os",
    "node.kubernetes.io/instance-type",
    "topology.kubernetes.io/region",
    "topology.kubernetes.io/zone",
    "karpenter.azure.com/placement-scope",
    f"{AZURE}name",
)
OF_SIZE = (AZURE, "node.kubernetes.io/instance-type", "kubernetes.io/arch", "kubernetes.io/os")


class Outside(NamedTuple):
    """Which nodes no longer fit: all, some or none of them, and why."""

    part: str
    reason: str


def outside(before: Pool, after: Pool) -> Outside:
    """The nodes of the pool as it was that do not meet the requirements as they are to be."""
    if not (before.karpenter and after.karpenter):
        return Outside("some", "the NodePool does not fit its schema, so its requirements cannot be compared")
    was, now = (joined(_asked(one)) for one in (before.karpenter, after.karpenter))
    altered = {key: one for key, one in now.items() if was.get(key) != one}
    found = [*_by_size(altered, before), *_by_key(altered, before)]
    worst = next((part for part in ("all", "some") if any(one.part == part for one in found)), "none")
    return Outside(worst, "; ".join(one.reason for one in found if one.part == worst and worst != "none"))


def _asked(pool: NodePool) -> list[Requirement]:
    return [one.meaning._replace(minimum=None) for one in pool.entries if one.meaning]


def _by_size(altered: Requirements, before: Pool) -> Iterator[Outside]:
    """Keys that the size of a node settles: each size that the pool could have is looked at."""
    asked = {key: one for key, one in altered.items() if before.skus and key.startswith(OF_SIZE)}
    if not asked:
        return
    verdicts = {sku.name: _meets(labels(sku), asked) for sku in before.skus}
    out = sorted(name for name, fits in verdicts.items() if fits is False)
    doubtful = sorted(name for name, fits in verdicts.items() if fits is None)
    if len(out) == len(verdicts):
        yield Outside("all", f"no size that it could have had meets {_keys(asked)}")
    elif out or doubtful:
        which = (
            f"nodes of {', '.join(out)} do not meet" if out else f"it is not known whether {', '.join(doubtful)} meets"
        )
        yield Outside("some", f"{which} {_keys(asked)}")


def _meets(has: Requirements, asked: Requirements) -> bool | None:
    """Does a size meet what is asked? None where its label is not known."""
    verdicts = []
    for key, one in asked.items():
        if key in has:
            verdicts.append(meets(has[key], one))
        else:  # only a size without a name of its accelerator is known to lack a label
            verdicts.append(one.operator in ABSENT if key.endswith("gpu-name") else None)  # type: ignore[arg-type]
    return False if False in verdicts else None if None in verdicts else True


def _by_key(altered: Requirements, before: Pool) -> Iterator[Outside]:
    """Keys that do not depend on the size: what the pool could have written on its nodes is looked at."""
    given = before.karpenter.together if before.karpenter else {}
    for key, now in sorted(altered.items()):
        if before.skus and key.startswith(OF_SIZE):
            continue
        could = _could(key, given.get(key))
        if could is None:
            if now.operator not in ABSENT:
                yield Outside("all", f"its nodes do not have the label {key}, which it asks for now")
        elif not meets(could, now):
            yield Outside("all", f"no node that it could have made meets {key}")
        elif not _within(could, now):
            yield Outside("some", f"nodes whose {key} is not {_words(now)} do not fit")


def _could(key: str, was: Requirement | None) -> Requirement | None:
    """The values that a label could have; None for nodes that do not have it."""
    if key == CAPACITY and was is None:
        return requirement(key, "In", ("on-demand", "spot"))
    if key in ON_EVERY_NODE:
        return was or requirement(key, "Exists")
    return None if was is None or was.operator in ABSENT else was


def _within(one: Requirement, other: Requirement) -> bool:
    """Does the second allow all that the first does?"""
    if not one.complement:
        return all(other.takes(value) for value in one.values)
    wide = other.low is None or (one.low is not None and one.low >= other.low)
    high = other.high is None or (one.high is not None and one.high <= other.high)
    return other.complement and other.values <= one.values and wide and high


def _words(one: Requirement) -> str:
    values = ", ".join(sorted(one.values))
    if one.low is not None or one.high is not None:
        return f"from {'any' if one.low is None else one.low} to {'any' if one.high is None else one.high}"
    return f"other than {values}" if one.complement and values else values or "there"


def _keys(asked: Requirements) -> str:
    return ", ".join(sorted(asked))
