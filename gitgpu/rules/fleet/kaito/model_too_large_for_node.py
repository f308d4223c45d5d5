"""A model that needs more GPU memory than a node of its pool has."""

from collections.abc import Iterator
from itertools import islice

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Gpu, Sku
from gitgpu.model.software.kaito import gpus_needed, needs, tuning_gpus
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.rules.inputs.served_models import Fault, ServedModel, findings
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Models with a pool that has a size too small for them."""
    model, task = placed.model.settings.get("preset", ""), placed.model.task
    needed = needs(model, row)
    if needed is None or (task == "tuning" and "tuningGiB" not in needed):  # KTO002 reports it
        return
    for pool in placed.pools:
        # One size of a pool is enough, as KAITO needs the model to fit on every node.
        for sku, gpu, count in islice(_too_small(task, needed, row, pool), 1):
            verb = "tuning" if task == "tuning" else "serving"
            want = f"{verb} {model} needs {count}{_overstated(needed)}"
            shown_pool = f"pool {pool_with_sizes_place(pool)}"
            message = f"{want}, but a node of {shown_pool} has {sku.gpus} ({gpu.name}, {gpu.memory_gib:g} GiB each)"
            yield placed.place("preset"), message, "use a pool of a larger size, or a smaller model"


def _too_small(task: str, needed: Facts, row: Facts, pool: Pool) -> Iterator[tuple[Sku, Gpu, str]]:
    """Sizes that are too small, with the GPUs that KAITO calculates for the model.

    Sizes with unknown facts are omitted.
    """
    for sku in pool.skus:
        # KTO007 reports fractions of GPUs.
        if sku.gpu and sku.gpus and sku.whole:
            memory = sku.gpu.memory_gib
            count = tuning_gpus(needed, memory) if task == "tuning" else gpus_needed(needed, row, sku.gpus, memory)
            if count is None:
                yield sku, sku.gpu, "larger GPUs"
            elif count > sku.gpus:
                yield sku, sku.gpu, f"{count_text(count, 'GPU')} of this type"


def _overstated(needed: Facts) -> str:
    """A note if this KAITO release assumes more weights than the model has."""
    if "actualGiB" not in needed:
        return ""
    return f" (KAITO assumes {needed['weightsGiB']:g} GiB of weights; the actual size is {needed['actualGiB']:g} GiB)"


RULE = Rule(
    code="KTO003",
    name="model-too-large-for-node",
    severity=Severity.ERROR,
    summary="A node of the pool has less GPU memory than KAITO calculates for a model.",
    help="KAITO calculates from the weights of a model how many GPUs it needs. A model that spans nodes waits until "
    "all of them are ready, but a pool that starts nodes for pending pods starts only one. The model must fit on "
    "one node.",
    sources=(
        "https://github.com/kaito-project/kaito/issues/2308",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/estimator/nodesestimator/estimator.go",
        "https://github.com/kaito-project/kaito/blob/461f75cd536b9ede07667b44bcc3e31ff7d6f13a/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
)
