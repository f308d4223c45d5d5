"""AMD's GPU Operator should run on GPUs that AMD supports it on."""

from collections.abc import Iterator

from gitgpu.check.clusters import pools_with_clusters
from gitgpu.check.drivers import installers
from gitgpu.check.names import join_names
from gitgpu.check.requested_sizes import wrong_sizes
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: v710}
spec:
  clusters: [prod-swc]
  sku: Standard_NV24ads_V710_v5
  driver: operator
  limits: {gpus: 8}
"""
GOOD = BAD.replace("NV24ads_V710_v5", "ND96isr_MI300X_v5")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of AMD's operator with GPUs that its list leaves out."""
    chart = inputs.catalog.must("charts", "amd-gpu-operator")
    for pool, clusters in pools_with_clusters(inputs):
        names = installers(inputs, pool, clusters).get("operator")
        if not names or pool.manufacturer != "amd":
            continue
        for where, sizes in wrong_sizes(
            pool, inputs.catalog, lambda sku: sku.gpu and sku.gpu.name not in chart["gpus"]
        ):
            message = f"AMD does not list the GPUs of {sizes} for GPU Operator {chart['version']} ({join_names(names)})"
            remedy = (
                f"take a size with {join_names(chart['gpus'])}, or write driver: none and bring the software yourself"
            )
            yield Finding(pool.origin, where, message, remedy)


RULE = Rule(
    code="AMD001",
    name="gpu-unknown-to-amd-operator",
    severity=Severity.WARNING,
    summary="AMD's GPU Operator runs on GPUs that AMD does not list for it.",
    help="The operator may find such a GPU and run its device plugin there, but nobody has said that driver and "
    "exporter work. Microsoft documents AMD GPUs on AKS for MI300X alone.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/index.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
