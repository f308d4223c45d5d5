"""A pool with GPUs that KAITO no longer supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with GPUs older than any in the table of sizes of the release."""
    # Releases without it still have older GPUs in their table. The add-on creates its own nodes.
    if "leastCapability" not in row or placed.on_add_on:
        return
    minimum = row["leastCapability"]
    for pool in placed.pools:
        gpus = [sku.gpu for sku in pool.skus if sku.gpu]
        old = sorted({gpu.name for gpu in gpus if _older(gpu.compute_capability, minimum)})
        if old:
            message = f"{join_names(old)} of pool {pool.name} is below compute capability {minimum}, KAITO's minimum"
            yield POOLS, message, "use a pool with A10, A100 or newer GPUs"


def _older(capability: str | None, minimum: str) -> bool:
    return capability is not None and version(capability) < version(minimum)


RULE = Rule(
    code="KTO019",
    name="gpu-dropped-by-kaito",
    severity=Severity.WARNING,
    summary="A pool has GPUs of a compute capability that KAITO removed from its table of sizes.",
    help="Earlier releases had T4 and V100 in the table; this release removed every GPU below compute capability 8.0. "
    "The presets are no longer tested on those GPUs.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/sku/azure_sku_handler.go",
    ),
    check=_check,
)
