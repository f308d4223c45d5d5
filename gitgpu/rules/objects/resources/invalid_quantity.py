"""A resource quantity that is not valid, or a fraction of a device."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.model.names.prefixes import KUBERNETES_PREFIX
from gitgpu.model.syntax.quantity import is_whole, quantity
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.moved_places import with_moves
from gitgpu.objects.workload.pod_templates import pod_templates
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.rules.objects.resources._quantity import syntax_fault
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.items:
        for named, place, amounts in _amounts(item):
            for name, amount in amounts.items():
                if fault := _fault(str(name), amount):
                    yield Finding(named, (*place, name), *fault)


def _fault(name: str, amount: Any) -> Problem | None:
    fault = syntax_fault(amount)
    if fault:
        return fault
    value = quantity(amount)
    if value < 0:
        return Problem(f"{name} must not be negative; found {amount}", "use a positive number")
    # The API server checks only extended resources, which are in other domains (IsNativeResource).
    if "/" in name and KUBERNETES_PREFIX not in name and not is_whole(value):
        remedy = "request whole devices, or share one with time-slicing or MIG"
        return Problem(f"{name} must be a whole number of devices; found {amount}", remedy)
    return None


def _amounts(item: Item) -> Iterator[tuple[Item, Pointer, Mapping[str, Any]]]:
    if (item.identity.group, item.identity.kind) == NODE_POOL:
        yield item, ("spec", "limits"), reach(item.body, "spec", "limits") or {}
    for template in pod_templates(item):
        named = with_moves(item, template.moves)
        for group in ("initContainers", "containers"):
            for index, container in enumerate(reach(template.body, "spec", group) or ()):
                place = (*template.spec_at, group, index, "resources")
                for kind in ("requests", "limits"):
                    yield named, (*place, kind), reach(container, "resources", kind) or {}


RULE = Rule(
    code="CNF006",
    name="invalid-quantity",
    severity=Severity.ERROR,
    rejects=True,
    summary="A request or limit is not a valid Kubernetes quantity, or is a fraction of a device.",
    help="The API server rejects other units, and fractions of extended resources such as nvidia.com/gpu.",
    sources=(
        "https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/",
        "https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/#extended-resources",
    ),
    check=_check,
)
