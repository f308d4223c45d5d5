"""Images that are removed down to more than there may be."""

from collections.abc import Iterator

from gitgpu.conform.node.node_classes import node_classes
from gitgpu.conform.objects import Objects
from gitgpu.conform.rule import Finding, Rule
from gitgpu.diagnostic import Severity

HIGH, LOW = "imageGCHighThresholdPercent", "imageGCLowThresholdPercent"
BAD = """
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: t4}
spec:
  kubelet: {imageGCHighThresholdPercent: 75}
"""


def _check(objects: Objects) -> Iterator[Finding]:
    usual = objects.catalog.must("kubelets", "aks")["imageGC"]
    for item, spec in node_classes(objects):
        kubelet = spec.get("kubelet") or {}
        written = {name: kubelet[name] for name in (LOW, HIGH) if kubelet.get(name) is not None}
        high, low = written.get(HIGH, usual["high"]), written.get(LOW, usual["low"])
        if written and high <= low:
            message = f"images would be removed at {high}% disk use down to {low}%, which is not lower"
            remedy = f"write both, {HIGH} above {LOW}, such as {usual['high']} and {usual['low']}"
            yield Finding(item, ("spec", "kubelet", next(iter(written))), message, remedy)


RULE = Rule(
    code="ANC003",
    name="image-gc-thresholds-crossed",
    severity=Severity.ERROR,
    summary="The threshold at which images are removed is not above the one down to which they are.",
    help="The API server refuses an AKSNodeClass with two thresholds that are crossed. It lets one alone pass, "
    "and then the kubelet does not start with the other's default: the node never joins.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/staticvalues.go",
        "https://github.com/kubernetes/kubernetes/blob/0ea83df1135d2477e564f66f5a78d82a7b8633df/pkg/kubelet/apis/config/validation/validation.go",
    ),
    check=_check,
    bad=BAD,
    good=BAD.replace("75", "75, imageGCLowThresholdPercent: 65"),
)
