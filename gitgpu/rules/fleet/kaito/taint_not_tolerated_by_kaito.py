"""A pool with a taint that KAITO's pods do not tolerate."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Facts
from gitgpu.model.inputs import Inputs
from gitgpu.model.spec.taint import SPOT
from gitgpu.model.value_origins import pool_with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.served_models import POOLS, Fault, ServedModel, findings


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Each finding once, regardless of the number of clusters."""
    return findings(inputs, _faults)


def _faults(placed: ServedModel, row: Facts) -> Iterator[Fault]:
    """Pools with other taints; the add-on creates its own nodes."""
    if placed.on_add_on:
        return
    tolerated = row["tolerations"].get(placed.model.task, {})
    for pool in placed.pools:
        taints = {*pool.taints, SPOT} if pool.has_spot_taint else {*pool.taints}
        for taint in sorted(taints):
            if taint.effect == "PreferNoSchedule":
                continue  # the scheduler may ignore it
            # In the catalog, "" is a toleration with operator: Exists, which covers every value.
            if taint.effect != "NoSchedule" or tolerated.get(taint.key) not in ("", taint.value):
                text = f"{taint.key}={taint.value}:{taint.effect}".replace("=:", ":")
                shown_pool = pool_with_place(pool, "taints")
                message = f"KAITO's pods do not tolerate the taint {text} of pool {shown_pool}"
                remedy = f"remove it from {pool.name}; sku=gpu:NoSchedule keeps other pods away, and KAITO tolerates it"
                yield POOLS, message, remedy


RULE = Rule(
    code="KTO010",
    name="taint-not-tolerated-by-kaito",
    severity=Severity.ERROR,
    summary="A model runs in a pool with a taint that KAITO's pods do not tolerate.",
    help="The tolerations of KAITO's pods are fixed: nvidia.com/gpu, sku=gpu and, for models, the taint of spot "
    "nodes. They cannot be extended, so any other taint leaves the pods Pending.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/ragengine/controllers/preset_rag.go",
    ),
    check=_check,
)
