"""The faults of pod templates in objects of kinds without a schema: a pod has the same fields in each of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.load.explain.fault import Fault
from gitgpu.objects.schema.contract import Contracts, api_group
from gitgpu.objects.workload.moved_places import moved
from gitgpu.objects.workload.pod_templates import templates_in
from gitgpu.objects.workload.template import Template
from gitgpu.source import Pointer

_HEAD = {"apiVersion": "v1", "kind": "PodTemplate", "metadata": {"name": "template"}}  # Kubernetes' own kind with one


def template_faults(body: Mapping[str, Any], minor: str, contracts: Contracts, *, patch: bool = False) -> list[Fault]:
    """The faults of the pod templates of an object in a Kubernetes version; none if its kind has no templates.

    Kubernetes' own kinds have schemas: an object without one is in a version that does not exist.
    """
    if "." not in api_group(str(body.get("apiVersion", ""))):
        return []
    return [fault for template in templates_in(body) for fault in _faults(template, minor, contracts, patch=patch)]


def _faults(template: Template, minor: str, contracts: Contracts, *, patch: bool) -> Iterator[Fault]:
    contract = contracts.find(minor, "v1", "PodTemplate")
    for fault in contract.faults({**_HEAD, "template": template.body}, patch=patch):
        yield fault._replace(pointer=_place(template, fault.pointer[1:]))


def _place(template: Template, pointer: Pointer) -> Pointer:
    """The place in the object of a place in the template."""
    in_spec = pointer[:1] == ("spec",)
    return moved((*template.spec_at, *pointer[1:]) if in_spec else (*template.pointer, *pointer), template.moves)
