"""A label or taint can only be omitted where gitgpu adds it."""

from collections.abc import Iterator
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.labels import DEPLOY_OPERANDS_LABEL
from gitgpu.rules.fleet.labels._added_labels import can_opt_out, drivers
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.unused_values import unused_values

LABEL = "gitgpu adds the label only to Linux nodes with NVIDIA GPUs whose driver AKS installs"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools that omit a label or taint that gitgpu does not add. Defaults also apply to pools that are added later."""
    places = (
        (("spotTaint",), _has_no_spot_taint, "gitgpu adds the taint only to pools that have only spot nodes"),
        (("operatorOptOut",), partial(_has_no_opt_out, inputs), LABEL),
        (("labels", DEPLOY_OPERANDS_LABEL), partial(_has_no_label, inputs), LABEL),
    )
    for path, is_unused, why in places:
        for origin, where in unused_values(inputs, path, is_unused):
            if origin.ref.kind == "GpuPool":
                value = "null" if path[0] == "labels" else "false"
                yield Finding(origin, where, f"{path[-1]}: {value} has no effect: {why}", "remove it")


def _has_no_spot_taint(pool: Pool) -> bool:
    # AGP005 reports spotTaint on AKS node pools.
    return pool.by_karpenter and not pool.objects.spot_taint and not pool.only_spot


def _has_no_opt_out(inputs: Inputs, pool: Pool) -> bool:
    return not pool.operator_opt_out and not _is_managed(inputs, pool)


def _has_no_label(inputs: Inputs, pool: Pool) -> bool:
    # null has an effect if it removes the label that some defaults set.
    inherited = any(layer.values.get("labels", {}).get(DEPLOY_OPERANDS_LABEL) for layer in pool.origin.defaults)
    return DEPLOY_OPERANDS_LABEL in pool.objects.unwanted_labels and not inherited and not _is_managed(inputs, pool)


def _is_managed(inputs: Inputs, pool: Pool) -> bool:
    return any(can_opt_out(pool, driver) for driver in drivers(inputs, pool))


RULE = Rule(
    code="SCH031",
    name="omission-without-effect",
    severity=Severity.WARNING,
    summary="A pool omits a label or taint that gitgpu does not add to it.",
    help="spotTaint: false omits the taint of pools that have only spot nodes. operatorOptOut: false and a label with "
    "null omit the label that keeps a GPU Operator off nodes whose NVIDIA driver AKS installs.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/state_manager.go",
        "https://learn.microsoft.com/azure/aks/spot-node-pool",
    ),
    check=_check,
)
