"""The high threshold of image garbage collection must be above the low one."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule

HIGH, LOW = "imageGCHighThresholdPercent", "imageGCLowThresholdPercent"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools whose high threshold is not above the low one."""
    defaults = inputs.catalog.must("kubelets", "aks")["imageGC"]  # the defaults that Karpenter sets
    for pool in inputs.pools:
        high, low = pool.kubelet.get(HIGH, defaults["high"]), pool.kubelet.get(LOW, defaults["low"])
        if high > low:
            continue
        key = LOW if LOW in pool.kubelet else HIGH
        message = f"the high threshold, {high}%, is not above the low threshold, {low}%"
        remedy = "set both, with imageGCHighThresholdPercent above imageGCLowThresholdPercent, such as 85 and 80"
        yield Finding(*pool_place(pool, "kubelet", key), message, remedy)


RULE = Rule(
    code="DIS004",
    name="image-gc-thresholds-crossed",
    twin="ANC003",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The high threshold of image garbage collection is not above the low one.",
    help="The API server rejects an AKSNodeClass whose high threshold is not above the low one. It accepts a single "
    "threshold, but if that conflicts with the default of the other, the kubelet does not start and the node never "
    "joins the cluster.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/bootstrap/staticvalues.go",
        "https://github.com/kubernetes/kubernetes/blob/0ea83df1135d2477e564f66f5a78d82a7b8633df/pkg/kubelet/apis/config/validation/validation.go",
    ),
    facts=("kubelets/aks",),
    check=_check,
)
