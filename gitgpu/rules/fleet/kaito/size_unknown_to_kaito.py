"""A size that is not in KAITO's table of sizes, where KAITO needs it."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with sizes that the table does not have, for the add-on and for RAGEngines, whose objects name the size."""
    if not placed.on_add_on and placed.model.task != "rag":
        return
    for pool in placed.pools:
        unknown = [sku.name for sku in pool.skus if sku.name not in row["sizes"]]
        if unknown:
            newer = ", or set stack: {kaito: helm}" if placed.on_add_on else ""
            message = f"KAITO {row['name']} does not know {join_names(unknown)} of pool {pool_with_sizes_place(pool)}"
            yield POOLS, message, f"use a pool of a different size{newer}"


RULE = Rule(
    code="KTO009",
    name="size-unknown-to-kaito",
    twin="KAI002",
    severity=Severity.ERROR,
    summary="A size that a KAITO object names is not in KAITO's table of sizes.",
    help="The add-on creates the nodes itself and looks up how many GPUs a size has in a table: a preset on a size "
    "that is missing there never gets its nodes. A RAGEngine uses the same table, and gets no GPU for such a size.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/pkg/sku/azure_sku_handler.go",
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
    ),
    check=_check,
)
