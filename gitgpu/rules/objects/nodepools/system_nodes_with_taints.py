"""Nodes of mode system with a taint that AKS rejects."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.names.labels import MODE_LABEL
from gitgpu.objects.node.node_pools import SPEC, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_ALLOWED = "CriticalAddonsOnly"  # AKS's own pods tolerate it


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        mode = pool.together.get(MODE_LABEL)
        # With another mode, or either, nodes can be of mode user.
        if not mode or mode.complement or mode.values != {"system"}:
            continue
        for index, taint in enumerate(pool.taints):
            # PreferNoSchedule does not keep pods away.
            if taint.get("key") != _ALLOWED and taint.get("effect") in ("NoSchedule", "NoExecute"):
                message = f"system-mode nodes cannot have the taint {taint.get('key')}"
                remedy = f"set {MODE_LABEL}: user, or remove the label {MODE_LABEL}"
                yield Finding(pool.item, (*SPEC, "taints", index), message, remedy)


RULE = Rule(
    code="NPL090",
    name="system-nodes-with-taints",
    severity=Severity.WARNING,
    summary="A system-mode NodePool has a taint other than CriticalAddonsOnly.",
    help="AKS runs its own pods on system-mode nodes, and its machine API rejects nodes with a taint that keeps these "
    "pods away. No node starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instance/aksmachineinstancehelpers.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-system-pools.md",
    ),
    check=_check,
)
