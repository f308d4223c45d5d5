"""A model on the KAITO add-on, which creates its own nodes outside the pool."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models on the add-on."""
    del row
    if placed.on_add_on:
        message = f"the KAITO add-on creates its own nodes and uses only the size of pool {placed.pools[0].name}"
        yield POOLS, message, "set stack: {kaito: helm}, or suppress this finding with a reason"


RULE = Rule(
    code="KTO013",
    name="kaito-add-on-creates-nodes",
    severity=Severity.WARNING,
    summary="A model runs on the KAITO add-on, which creates nodes without the settings of the pool.",
    help="The add-on creates AKS node pools for each model, with the size of the pool and without its limits, image, "
    "taints or driver. You must delete them yourself, and a cluster with models may not recover from az aks stop "
    "and start. The chart of its release has a device plugin for every AKS node; whether the add-on has it is not "
    "documented.",
    sources=(
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/charts/kaito/workspace/templates/nvidia-device-plugin-ds.yaml",
    ),
    check=_check,
)
