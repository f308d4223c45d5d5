"""AKS restricts the names of node pools."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import azure_name
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.node_pool_name import is_valid_name
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import node_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Names that are too long for AKS, or that do not start with a letter."""
    for pool, _ in node_pools(inputs):
        system = "Windows" if pool.windows else "Linux"
        name, maximum = azure_name(pool), inputs.catalog.must("pools", "aks")["nameLength"][system]
        if not is_valid_name(name, maximum):
            message = f"'{name}' is not a valid name for a {system} node pool"
            remedy = f"set nodePoolName to 1 to {maximum} lowercase letters and digits, starting with a letter"
            where = ("spec", "nodePoolName") if pool.node_pool_name else ("metadata", "name")
            yield Finding(pool.origin, where, message, remedy)


RULE = Rule(
    code="AGP009",
    name="invalid-node-pool-name",
    twin="APL001",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="AKS rejects the name of a node pool.",
    help="Without nodePoolName, the node pool has the name of the GpuPool without dashes. AKS accepts up to 12 "
    "lowercase letters and digits on Linux and 6 on Windows, starting with a letter.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/create-node-pools.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/windows-vs-linux-containers.md",
    ),
    facts=("pools/aks",),
    check=_check,
)
