"""The faults of objects of kinds without a schema: of their pod templates, and of what is on the way to these.

A pod has the same fields in each kind.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.load.explain.fault import Fault
from gitgpu.load.explain.messages import value_text
from gitgpu.model.names.kinds import group_kind
from gitgpu.objects.schema.contract import api_group
from gitgpu.objects.schema.contracts import Contracts
from gitgpu.objects.workload.known_kinds import WORKLOAD_KINDS
from gitgpu.objects.workload.moved_places import move
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.objects.workload.structure import misfits
from gitgpu.objects.workload.template import Template
from gitgpu.source import Pointer, dotted_text

_HEAD = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "template"}}  # Kubernetes' own kind with one


def template_faults(body: Mapping[str, Any], minor: str, contracts: Contracts, *, patch: bool = False) -> list[Fault]:
    """The faults of the pod templates of an object in a Kubernetes version; none if its kind has no templates.

    Kubernetes' own kinds have schemas: an object without one is in a version that does not exist.
    """
    if "." not in api_group(str(body.get("apiVersion", ""))):
        return []
    found = [fault for template in templates_in(body) for fault in _faults(template, minor, contracts, patch=patch)]
    places = {fault.pointer for fault in found}
    return [*found, *(fault for fault in _structure_faults(body) if fault.pointer not in places)]


def _structure_faults(body: Mapping[str, Any]) -> Iterator[Fault]:
    """The values of another type than the controller of the kind reads there; none of a kind that is not known."""
    known = WORKLOAD_KINDS.get(group_kind(body))
    for misfit in misfits(known.structure, body.get("spec"), ("spec",)) if known else ():
        quoted = f"{'the text ' if isinstance(misfit.value, str) else ''}{value_text(misfit.value)}"
        yield Fault(misfit.pointer, f"must be {misfit.wanted}; found {quoted}", "correct the value")


def _faults(template: Template, minor: str, contracts: Contracts, *, patch: bool) -> Iterator[Fault]:
    contract = contracts.find(minor, "v1", "PodTemplate")
    for fault in contract.faults({**_HEAD, "template": template.body}, patch=patch):
        yield _in_object(fault, template)


def _in_object(fault: Fault, template: Template) -> Fault:
    """The fault with its places in the object, not in the template: also those of its repair."""
    pointer = _place(template, fault.pointer[1:])
    repair, remedy = fault.repair, fault.help
    if repair:
        target = repair.target and _place(template, repair.target[1:])
        repair = repair._replace(pointer=_place(template, repair.pointer[1:]), target=target)
        remedy = f"move it to {dotted_text(target)}" if target else remedy
    return fault._replace(pointer=pointer, help=remedy, repair=repair)


def _place(template: Template, pointer: Pointer) -> Pointer:
    """The place in the object of a place in the template."""
    is_in_spec = pointer[:1] == ("spec",)
    return move((*template.spec_at, *pointer[1:]) if is_in_spec else (*template.pointer, *pointer), template.moves)
