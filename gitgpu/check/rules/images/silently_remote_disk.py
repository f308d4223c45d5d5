"""An OS disk that is larger than the local disk should not turn into a remote one unseen."""

from collections.abc import Iterator
from functools import partial

from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool in inputs.nodepools:
        wanted = pool.image.get("osDiskGB")
        if wanted is None or pool.image.get("ephemeralOSDisk"):
            continue
        for _, sizes in wrong_sizes(pool, inputs.catalog, partial(_short, wanted)):
            message = f"an OS disk of {wanted} GB is larger than the local disk of {sizes}, so it becomes a remote one"
            room = min(sku.ephemeral_max_gb or 0 for sku in pool.skus if _short(wanted, sku))
            remedy = f"write osDiskGB: {room:g} or less for a local disk; ephemeralOSDisk: true makes sure of it"
            yield Finding(pool.origin, ("spec", "image", "osDiskGB"), message, remedy)


def _short(wanted: int, sku: Sku) -> bool:
    """Is there a local disk that could have held a smaller OS disk?"""
    return sku.ephemeral_max_gb is not None and 0 < sku.ephemeral_max_gb < wanted


RULE = Rule(
    code="DSK002",
    name="silently-remote-disk",
    severity=Severity.WARNING,
    summary="The OS disk is larger than the local disk of a size, so it silently becomes a remote one.",
    help="A local OS disk costs nothing and pulls large GPU images faster. Karpenter falls back to a remote disk "
    "without a word when the size asked for does not fit.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/karpenter-provider-azure/issues/1247",
    ),
    check=_check,
    bad="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  image: {osDiskGB: 512}
  limits: {gpus: 8}
""",
    good="""\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: t4}
spec:
  clusters: [prod-swc]
  sku: Standard_NC16as_T4_v3
  image: {osDiskGB: 150}
  limits: {gpus: 8}
""",
)
