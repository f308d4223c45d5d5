"""AKS reserves some label domains on node pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Labels of node pools in reserved domains."""
    reserved = inputs.catalog.must("pools", "aks")["reservedLabels"]
    for pool, _ in node_pools(inputs):
        for key in sorted(pool.labels):
            domain = key.rpartition("/")[0]
            if domain in reserved:
                message = f"label {key} is in the domain {domain}, which AKS reserves"
                yield Finding(*pool_place(pool, "labels", key), message, "use your own domain")


RULE = Rule(
    code="AGP012",
    name="invalid-node-pool-label",
    twin="APL008",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A node pool sets a label in a domain that AKS reserves.",
    help="AKS sets these labels and rejects a node pool that sets them.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/use-labels.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
