"""Image garbage collection with a high threshold that is not above the low one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule

HIGH, LOW = "imageGCHighThresholdPercent", "imageGCLowThresholdPercent"


def _check(objects: Objects) -> Iterator[Finding]:
    default = objects.catalog.must("kubelets", "aks")["imageGC"]
    for item, spec in node_classes(objects):
        kubelet = spec.get("kubelet") or {}
        written = {name: kubelet[name] for name in (LOW, HIGH) if kubelet.get(name) is not None}
        high, low = written.get(HIGH, default["high"]), written.get(LOW, default["low"])
        if written and high <= low:
            message = f"image garbage collection starts at {high}% disk use and stops at {low}%, which is not lower"
            remedy = f"set both, {HIGH} above {LOW}, such as {default['high']} and {default['low']}"
            yield Finding(item, ("spec", "kubelet", next(iter(written))), message, remedy)


RULE = Rule(
    code="ANC003",
    name="image-gc-thresholds-crossed",
    twin="DIS004",
    severity=Severity.ERROR,
    rejects=True,
    summary="The high threshold of image garbage collection is not above the low threshold.",
    help="The API server rejects an AKSNodeClass with two such thresholds. It accepts a single threshold, but if that "
    "conflicts with the default of the other, the kubelet does not start and the node never joins the cluster.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/staticvalues.go",
        "https://github.com/kubernetes/kubernetes/blob/0ea83df1135d2477e564f66f5a78d82a7b8633df/pkg/kubelet/apis/config/validation/validation.go",
    ),
    facts=("kubelets/aks",),
    check=_check,
)
