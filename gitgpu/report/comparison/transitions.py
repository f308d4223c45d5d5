"""What a change of version takes: as lines for people, and as JSON."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gitgpu.model.software.transitions import Transition
from gitgpu.spelling import counted


class Step(NamedTuple):
    """A chart or image that gets another version on these clusters."""

    transition: Transition
    clusters: tuple[str, ...]


def step_title(step: Step) -> str:
    """`keda 2.19.0 -> 2.20.2 on 3 clusters: manual`."""
    found = step.transition
    return f"{found.software} {found.old} -> {found.new} on {counted(len(step.clusters), 'cluster')}: {found.verdict}"


def step_lines(step: Step) -> Iterator[str]:
    """Why, what to do, and what happens to pods and definitions."""
    found = step.transition
    yield f"why: {found.why}"
    yield from (f"do: {action}" for action in found.actions)
    yield from (f"pods that restart: {', '.join(found.restarts)}",) if found.restarts else ()
    yield from (f"pods that leave nodes: {found.evicts}",) if found.evicts else ()
    yield from (f"CRDs that Helm does not upgrade: {', '.join(found.crds)}",) if found.crds else ()
    yield from (f"breaking: {breaking.change} ({breaking.source})" for breaking in found.breaking)


def step_content(step: Step) -> dict[str, Any]:
    """The same for programs, with the sources."""
    found = step.transition
    return {
        "software": found.software,
        "from": found.old,
        "to": found.new,
        "clusters": list(step.clusters),
        "verdict": found.verdict.value,
        "why": found.why,
        "actions": list(found.actions),
        "restarts": list(found.restarts),
        "evicts": found.evicts or None,
        "crds": list(found.crds),
        "breaking": [breaking._asdict() for breaking in found.breaking],
        "source": list(found.source),
    }
