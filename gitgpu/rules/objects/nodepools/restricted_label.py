"""A label or requirement key that a NodePool cannot use."""

from collections.abc import Iterator, Mapping
from typing import Any

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.labels import closed_domain
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.node.node_pools import LABELS, REQUIREMENTS, is_for_aks
from gitgpu.objects.objects import Item, Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.source import Pointer


def _check(objects: Objects) -> Iterator[Finding]:
    row = objects.catalog.must("labels", "karpenter")
    remedies: dict[str, str] = objects.once_per_run("restricted", dict)  # many NodePools have the same keys
    for item in objects.of(*NODE_POOL):
        if not is_for_aks(item.body):  # other clouds have other label domains
            continue
        for place, key in _keys(item):
            if key not in remedies:
                remedies[key] = _remedy(key, row)
            if remedies[key]:
                yield Finding(item, place, f"a NodePool cannot use the label key '{key}'", remedies[key])


def _keys(item: Item) -> Iterator[tuple[Pointer, str]]:
    for key in reach(item.body, *LABELS) or ():
        yield (*LABELS, key), key
    for index, requirement in enumerate(reach(item.body, *REQUIREMENTS) or ()):
        if requirement.get("key"):
            yield (*REQUIREMENTS, index, "key"), requirement["key"]


def _remedy(key: str, labels: Mapping[str, Any]) -> str:
    if key in labels["refused"]:
        return "use a key in your own domain"
    if key in labels["neverReady"]:
        return "remove it: the API server accepts it, but the NodePool never becomes Ready"
    # Keys in all other domains are free.
    closed = closed_domain(key, labels)
    if closed is None:
        return ""
    return f"use a key in your own domain; allowed in {closed['domain']}: {', '.join(closed['allowed'])}"


RULE = Rule(
    code="CNF011",
    name="restricted-label",
    twin="SCH003",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool sets or requires a label key that is reserved for Karpenter or AKS.",
    help="The API server rejects unknown keys in the domains of Karpenter and AKS, and some older keys of AKS: the "
    "CRD of NodePool lists what is allowed.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.sh_nodepools.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/labels.go",
    ),
    facts=("labels/karpenter",),
    check=_check,
)
