"""GPUs are limited once: by gpus, or by the name of their resource."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

PLACE = ("spec", "limits")


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that limit the resource of their GPUs twice."""
    for pool in inputs.nodepools:
        for name in sorted({pool.resource(sku) for sku in pool.skus} & pool.limits.resources.keys()):
            # gpus from defaults is a limit for other pools.
            if pool.origin.holds((*PLACE, "gpus")):
                message = f"limits.gpus is ignored, because limits.resources limits {name}"
                yield Finding(pool.origin, (*PLACE, "resources", name), message, "keep one of them")


RULE = Rule(
    code="SKU018",
    name="duplicate-gpu-limit",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool limits its GPUs by limits.gpus and by limits.resources.",
    help="limits.gpus becomes the limit on the resource of the GPUs, such as nvidia.com/gpu. A NodePool has one limit "
    "for each resource.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/crds/karpenter.sh_nodepools.yaml",
    ),
    check=_check,
)
