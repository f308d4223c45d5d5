"""What a change of version requires, as text and as JSON."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.model.software.transitions import Transition
from gitgpu.spelling import count_text


class Step(NamedTuple):
    """A chart or image that gets a different version on these clusters."""

    transition: Transition
    clusters: tuple[str, ...]


def step_title(step: Step) -> str:
    """`keda 2.19.0 -> 2.20.2 on 3 clusters: manual`."""
    transition = step.transition
    versions = f"{transition.old} -> {transition.new}"
    clusters = count_text(len(step.clusters), "cluster")
    return f"{transition.software} {versions} on {clusters}: {transition.verdict}"


def step_lines(step: Step) -> Iterator[str]:
    """The reason, what to do, and what happens to pods and CRDs."""
    transition = step.transition
    yield f"why: {transition.why}"
    yield from (f"do: {action}" for action in transition.actions)
    yield from (f"pods that restart: {', '.join(transition.restarts)}",) if transition.restarts else ()
    yield from (f"pods that leave nodes: {transition.evicts}",) if transition.evicts else ()
    if transition.crds:
        by = f"{transition.crds_by} upgrades" if transition.crds_by else "you must apply (Helm does not upgrade them)"
        yield f"CRDs that {by}: {', '.join(transition.crds)}"
    yield from (f"breaking: {breaking.change} ({breaking.source})" for breaking in transition.breaking)


def step_content(step: Step) -> dict[str, Any]:
    """The step for programs, with the sources."""
    transition = step.transition
    return {
        "software": transition.software,
        "from": transition.old,
        "to": transition.new,
        "clusters": list(step.clusters),
        "verdict": transition.verdict.value,
        "why": transition.why,
        "actions": list(transition.actions),
        "restarts": list(transition.restarts),
        "evicts": transition.evicts or None,
        "crds": list(transition.crds),
        "crdsUpgradedBy": transition.crds_by or None,
        "breaking": [breaking._asdict() for breaking in transition.breaking],
        "source": list(transition.source),
    }
