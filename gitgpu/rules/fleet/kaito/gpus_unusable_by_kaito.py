"""A model in a pool without whole NVIDIA GPUs."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.driver_owner import is_claimed
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import stack_with_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import sizes_place
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings

REMEDY = "use a pool of whole NVIDIA GPUs that pods do not share"


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools whose GPUs are not NVIDIA's, not whole, or shared by pods."""
    del row
    for pool in placed.pools:
        yield from ((POOLS, message, REMEDY) for message in _why(placed, pool))


def _why(placed: ServedModel, pool: Pool) -> Iterator[str]:
    if pool.windows:
        yield f"{_with_place(pool, 'spec', 'os')} has Windows nodes, but KAITO needs Linux"
    # The add-on creates its own nodes, outside the pool.
    if is_claimed(placed.cluster, pool) and not placed.on_add_on:
        where = stack_with_place(placed.cluster, "allocation")
        yield f"the GPUs of pool {pool.name} are claimed on {where}, but KAITO requests GPUs by number"
    if any(sku.manufacturer != "nvidia" for sku in pool.skus):
        yield f"{_with_place(pool, *sizes_place(pool))} has AMD GPUs, but KAITO's images are built for CUDA"
    elif pool.sharing.way:
        yield f"pods share the GPUs of {_with_place(pool, 'spec', 'partition')}, but KAITO uses all GPUs of a node"
    elif pool.mig:
        parts = _with_place(pool, "spec", "partition")
        yield f"the GPUs of {parts} are partitioned by MIG, but KAITO's feature gate enableMIG is off"
    elif not all(sku.whole for sku in pool.skus):
        yield f"a node of {_with_place(pool, *sizes_place(pool))} has a fraction of a GPU, but KAITO needs whole GPUs"


def _with_place(pool: Pool, *path: str | int) -> str:
    return with_place(f"pool {pool.name}", pool.origin, path)


RULE = Rule(
    code="KTO007",
    name="gpus-unusable-by-kaito",
    severity=Severity.ERROR,
    summary="A model runs on AMD GPUs, Windows nodes, or GPUs that are fractions, split, shared or claimed.",
    help="KAITO's images are built for CUDA, and its pods take all GPUs of a node. With time-slicing or MPS, a pod "
    "that requests several shares is rejected. KAITO uses a single MIG instance only with its feature gate enableMIG, "
    "which gitgpu leaves off.",
    sources=(
        "https://learn.microsoft.com/azure/aks/ai-toolchain-operator",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/helpers.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/api/v1beta1/workspace_validation.go",
    ),
    check=_check,
)
