"""A model in a pool whose nodes differ."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with different GPUs, or with several sizes where a KAITO object names the size."""
    del row
    names_size = placed.on_add_on or placed.model.task == "rag"
    for pool in placed.pools:
        sizes = {sku.name for sku in pool.skus}
        # KAITO compares GPU, number and memory, not the name of the size.
        kinds = {(sku.gpu and sku.gpu.name, sku.gpus) for sku in pool.skus}
        count, what = (len(sizes), "sizes") if names_size else (len(kinds), "kinds of nodes")
        if count > 1:
            message = f"pool {pool_with_sizes_place(pool)} has {count} {what}, but a KAITO model needs one"
            yield POOLS, message, f"set sku of {pool.name} to one size"


RULE = Rule(
    code="KTO006",
    name="mixed-sizes-for-model",
    severity=Severity.ERROR,
    summary="A model runs in a pool of several sizes that KAITO does not treat as equal.",
    help="KAITO sizes a model by one node and rejects nodes whose GPU, number of GPUs or memory differ. An object that "
    "names the size itself (on the add-on, and for a RAGEngine) names one.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/ragengine/controllers/ragengine_controller.go",
    ),
    check=_check,
)
