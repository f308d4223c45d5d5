"""A GPU pod whose node requirements no NodePool meets."""

from collections.abc import Iterator

from gitgpu.diagnostic import Change, Repair, Severity
from gitgpu.model.names.labels import NODEPOOL_LABEL
from gitgpu.objects.node.node_pools import node_pools
from gitgpu.objects.objects import Objects
from gitgpu.objects.workload.devices import gpu_devices
from gitgpu.objects.workload.node_constraints import RequiredLabel, required_labels
from gitgpu.objects.workload.placement import Case, cases, refusal
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import nearest, one_of


def _check(objects: Objects) -> Iterator[Finding]:
    aks_pool_names = set(objects.catalog.must("placement", "aks")["nodePools"])
    for case in cases(objects):
        if case.agreeing or refusal(case, objects).missing:  # POD002 reports a missing label
            continue
        named_labels = [
            label for label in required_labels(case.pod) if (label.key, label.operator) == (NODEPOOL_LABEL, "In")
        ]
        wanted: set[str] = set()
        for label in named_labels:
            wanted.update(name for _, name in label.values)
        pool_names_here = objects.once(
            "names of node pools", lambda: frozenset(pool.name for pool in node_pools(objects))
        )
        if wanted & (aks_pool_names - pool_names_here):
            continue  # AKS creates this NodePool, so its requirements are unknown
        if wanted and not wanted & pool_names_here:
            yield from _unknown_pool(case, named_labels, sorted(pool_names_here), sure=objects.closed)
        else:
            yield _mismatch(case, objects)


def _unknown_pool(
    case: Case, named: list[RequiredLabel], pool_names_here: list[str], *, sure: bool
) -> Iterator[Finding]:
    for label in named:
        for place, name in label.values:
            closest = nearest(name, pool_names_here, 0.75)  # one slip in four letters
            # Any other name can be a NodePool in other files.
            if closest or sure:
                remedy = f"use {closest}" if closest else f"use {one_of(pool_names_here)}"
                repair = Repair(Change.VALUE, place, closest) if closest else None
                yield Finding(case.pod.item, place, f"unknown NodePool '{name}'", remedy, repair=repair)


def _mismatch(case: Case, objects: Objects) -> Finding:
    refused = refusal(case, objects)
    key = refused.against
    unmet = next((requirement for requirement in required_labels(case.pod) if requirement.key == key), None)
    names = ", ".join(refused.names)
    if unmet is None:
        devices = ", ".join(gpu_devices(case.pod, objects))
        message = f"the pod requests {devices}, but no NodePool has GPU nodes; known NodePools: {names}"
        return Finding(case.pod.item, case.pod.pointer, message, "add a NodePool with a GPU size")
    wanted = " ".join([key, unmet.operator, *(value or '""' for _, value in unmet.values)])
    message = f"no NodePool meets {wanted} together with the other requirements of the pod; known NodePools: {names}"
    remedy = "change the requirement to a value that a NodePool has, or extend the requirements of a NodePool"
    return Finding(case.pod.item, unmet.place, message, remedy)


RULE = Rule(
    code="POD003",
    name="gpu-pod-matches-no-nodepool",
    severity=Severity.ERROR,
    summary="A pod selects GPU nodes that no NodePool can have.",
    help="The requirements of the NodePool and of the pod must have at least one size in common; values are compared "
    "exactly. Otherwise Karpenter skips the NodePool, and the pod stays Pending.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/1b4b3e8c829dea93c8a0429e0e27aa68edc98ed7/pkg/scheduling/requirements.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
    ),
    check=_check,
    fixable=True,
)
