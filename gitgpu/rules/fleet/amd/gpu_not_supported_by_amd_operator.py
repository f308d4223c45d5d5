"""The AMD GPU Operator should run on GPUs that AMD supports."""

from collections.abc import Collection, Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import pools_with_clusters
from gitgpu.rules.inputs.drivers import has_known_operator, installers
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of the AMD GPU Operator with GPUs that are not on its list."""
    for pool, clusters in pools_with_clusters(inputs):
        known_clusters = [cluster for cluster in clusters if has_known_operator(inputs, pool, cluster)]
        names = installers(inputs, pool, known_clusters).get("operator")
        if not names or pool.manufacturer != "amd":
            continue
        chart = inputs.catalog_for(names[0].cluster).must("charts", "amd-gpu-operator")
        for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_is_other, chart["gpus"])):
            message = (
                f"AMD GPU Operator {chart['version']} does not list the GPUs of "
                f"{sizes} as supported ({join_names(names)})"
            )
            remedy = (
                f"use a size with {join_names(chart['gpus'])}, or set driver: none and install the software yourself"
            )
            yield Finding(pool.origin, where, message, remedy)


def _is_other(supported: Collection[str], sku: Sku) -> bool:
    # A size whose GPU is not known may have one that AMD supports.
    return sku.gpu is not None and sku.gpu.name not in supported


RULE = Rule(
    code="AMD001",
    name="gpu-not-supported-by-amd-operator",
    severity=Severity.WARNING,
    summary="The AMD GPU Operator runs on GPUs that AMD does not list as supported.",
    help="The operator may detect such a GPU and run its device plugin there, but no source says that the driver and "
    "the exporter work. Microsoft documents AMD GPUs on AKS for MI300X only.",
    sources=(
        "https://github.com/ROCm/gpu-operator/blob/858cf255c7dd27cebf1cc5db400eee3aa06ecbbc/docs/index.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-amd-gpus.md",
    ),
    facts=("skus", "charts"),
    check=_check,
)
