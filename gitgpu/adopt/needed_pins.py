"""Keeps version pins only for software that the fleet installs, not for other software on its clusters."""

from collections.abc import Mapping
from typing import Any

from gitgpu.adopt.adoption import Adopted, Destination, Fate, Outcome, SpecDocument
from gitgpu.adopt.stack.versions import PATH
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.installed import installed_software

_PINS = ("stack", PATH)  # of pins, in the spec of a Cluster


def with_needed_pins(fleet: Adopted, inputs: Inputs | None) -> Adopted:
    """The fleet without pins of charts and images that the cluster does not install."""
    if inputs is None:
        return fleet
    needed = {cluster.name: set(installed_software(inputs, cluster)) for cluster in inputs.clusters}
    documents = tuple(entry._replace(document=_needed(entry.document, needed)) for entry in fleet.documents)
    outcomes = [outcome for outcome in fleet.outcomes if _is_true(outcome, needed)]
    reported = {id(outcome.observed) for outcome in outcomes}
    for outcome in fleet.outcomes:
        if id(outcome.observed) not in reported:
            reported.add(id(outcome.observed))
            outcomes.append(Outcome(outcome.observed, Fate.LEFT, "the fleet does not install it: it stays as it is"))
    return fleet._replace(documents=documents, outcomes=tuple(outcomes))


def _needed(document: SpecDocument, needed: Mapping[str, set[str]]) -> SpecDocument:
    if document.kind != "Cluster":
        return document
    return document._replace(spec=_without(document.spec, _PINS, needed.get(document.name, set())))


def _without(spec: Mapping[str, Any], path: tuple[str, ...], names: set[str]) -> dict[str, Any]:
    """The mapping with only these names at a path, and without mappings that become empty."""
    key, *rest = path
    if key not in spec:
        return dict(spec)
    if rest:
        inner = _without(spec[key], tuple(rest), names)
    else:
        inner = {name: version for name, version in spec[key].items() if name in names}
    left = dict(spec)
    if inner:
        left[key] = inner
    else:
        del left[key]
    return left


def _is_true(outcome: Outcome, needed: Mapping[str, set[str]]) -> bool:
    """Whether an outcome is not about a version, or is about the version of software that the cluster installs."""
    match outcome.into:
        case Destination("Cluster", name, ("spec", "stack", "versions", software)):
            return software in needed.get(name, ())
        case _:
            return True
