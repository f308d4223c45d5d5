"""A workload whose pools have processors of different architectures."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose pools differ. SKU010 reports a pool with several architectures."""
    for workload in inputs.workloads:
        names: dict[str, list[str]] = {}
        for pool in inputs.pools_of(workload):
            architectures = {sku.arch for sku in pool.skus}
            if len(architectures) != 1:
                continue
            for name in architectures:
                names.setdefault(name or "", []).append(pool.name)
        # Sizes whose architecture is not known may have the same one.
        names.pop("", None)
        if len(names) > 1:
            shown = " and ".join(f"{name} in pool {join_names(pools)}" for name, pools in sorted(names.items()))
            remedy = "build the image for both architectures, or keep the pools of one architecture"
            message = f"its pods may run on different architectures: {shown}"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


RULE = Rule(
    code="SCH019",
    name="mixed-architectures-for-workload",
    severity=Severity.WARNING,
    summary="A workload may run on processors of different architectures.",
    help="An image built for one architecture fails on the other with an exec format error. The pool of a pod depends "
    "on weights, names and available capacity.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://learn.microsoft.com/azure/aks/use-arm64-vms",
    ),
    check=_check,
)
