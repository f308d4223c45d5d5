"""A reference to a node class without a group, kind or name."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_POOL
from gitgpu.objects.node.node_pools import SPEC
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_POOL):
        for field, value in (reach(item.body, *SPEC, "nodeClassRef") or {}).items():
            if not value:
                message, remedy = f"nodeClassRef.{field} is empty", f"set the {field} of a node class"
                yield Finding(item, (*SPEC, "nodeClassRef", field), message, remedy)


RULE = Rule(
    code="NPL027",
    name="empty-node-class-ref",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodePool refers to a node class without a group, kind or name.",
    help="The API server rejects the NodePool: its CRD requires all three.",
    sources=("https://github.com/kubernetes-sigs/karpenter/blob/v1.14.0/pkg/apis/crds/karpenter.sh_nodepools.yaml",),
    check=_check,
)
