"""A retired size in a NodeClaim, a pod or a ResourceFlavor."""

from collections.abc import Iterator

from gitgpu.access import list_at, reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_CLAIM, RESOURCE_FLAVOR
from gitgpu.model.retirement import not_offered, replacement
from gitgpu.model.size.node_labels import NAMES
from gitgpu.objects.objects import Item, Objects
from gitgpu.objects.workload.node_constraints import required_labels
from gitgpu.objects.workload.pods import described_pods
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer

_REQUIREMENTS = ("spec", "requirements")


def _check(objects: Objects) -> Iterator[Finding]:
    for item, place, names in (*_claims(objects), *_pods(objects), *_flavors(objects)):
        retired = []
        for name in names:
            sku = objects.catalog.sku(name)
            if sku and (reason := not_offered(sku, objects.today)):
                retired.append((reason, f"use {replacement(sku)}"))
        if retired and len(retired) == len(names):  # one size that Azure offers is enough
            yield Finding(item, place, *retired[0])


def _claims(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for item in objects.of(*NODE_CLAIM):
        for index, entry in enumerate(reach(item.body, *_REQUIREMENTS) or ()):
            if reach(entry, "key") in NAMES and entry.get("operator") == "In":
                yield item, (*_REQUIREMENTS, index, "values", 0), [str(name) for name in list_at(entry, "values")]


def _pods(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for pod in described_pods(objects):
        all_required = list(required_labels(pod))
        single = len({required.term for required in all_required} - {None}) <= 1  # one of several terms is enough
        if not single:
            continue
        for required in all_required:
            if required.key in NAMES and required.operator == "In" and required.values:
                yield pod.item, required.values[0][0], [name for _, name in required.values]


def _flavors(objects: Objects) -> Iterator[tuple[Item, Pointer, list[str]]]:
    for item in objects.of(*RESOURCE_FLAVOR):
        for key, name in (reach(item.body, "spec", "nodeLabels") or {}).items():
            if key in NAMES:
                yield item, ("spec", "nodeLabels", key), [str(name)]


RULE = Rule(
    code="NPS020",
    name="retired-size-selected",
    severity=Severity.ERROR,
    summary="A NodeClaim, pod or ResourceFlavor selects only sizes that Azure does not offer.",
    help="Azure starts no machine of such a size. The NodeClaim fails, and the pods stay Pending.",
    sources=("https://learn.microsoft.com/azure/virtual-machines/sizes/retirement/retired-sizes-list",),
    facts=("skus",),
    check=_check,
)
