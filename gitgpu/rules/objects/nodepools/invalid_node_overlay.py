"""A NodeOverlay that the API server rejects."""

from collections.abc import Iterator

from gitgpu.access import reach
from gitgpu.diagnostic import Severity
from gitgpu.model.names.kinds import NODE_OVERLAY
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

_NATIVE = ("cpu", "memory", "ephemeral-storage", "pods")  # Karpenter reads these only from the size


def _check(objects: Objects) -> Iterator[Finding]:
    for item in objects.of(*NODE_OVERLAY):
        spec = reach(item.body, "spec") or {}
        if spec.get("price") is not None and spec.get("priceAdjustment") is not None:
            message = "a NodeOverlay cannot have both price and priceAdjustment"
            yield Finding(item, ("spec", "priceAdjustment"), message, "keep one of the two", at_key=True)
        for name in spec.get("capacity") or ():
            if name in _NATIVE:
                message = f"a NodeOverlay cannot change {name}"
                remedy = "remove it; capacity can set only extended resources, such as nvidia.com/gpu"
                yield Finding(item, ("spec", "capacity", name), message, remedy, at_key=True)


RULE = Rule(
    code="NPL035",
    name="invalid-node-overlay",
    severity=Severity.ERROR,
    rejects=True,
    summary="A NodeOverlay has both price and priceAdjustment, or sets a resource that only the size can set.",
    help="The CRD forbids both in CEL rules, and the API server rejects the object.",
    sources=(
        "https://github.com/kubernetes-sigs/karpenter/blob/v1.8.0/pkg/apis/v1alpha1/nodeoverlay.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.sh_nodeoverlays.yaml",
    ),
    check=_check,
)
