"""Models whose maximum replicas need more GPUs than the limits of their pool allow."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.aks_node_pool import bounds
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.limits import is_paused, nodes_limit
from gitgpu.rules.inputs.served_models import POOLS, ServedModel, served_models
from gitgpu.source import Pointer
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Models that need more GPUs than earlier models leave in the pool; paused pools are not reported."""
    taken: dict[tuple[str, str], int] = defaultdict(int)
    for placed in served_models(inputs):
        # The add-on creates its own nodes, outside the limits of the pool.
        for pool in () if placed.on_add_on else placed.pools:
            each = max((sku.gpus or 1 for sku in pool.skus), default=1)
            before, (room, limit) = taken[placed.cluster.name, pool.name], _room(pool, each)
            place, maximum = _maximum(placed)
            needed = maximum * each
            if room is not None and before + needed > room and not is_paused(pool):
                others = f" in addition to {before} for other models" if before else ""
                name = with_place(pool.name, pool.origin, ("spec", *limit.split(".")))
                message = f"the replicas need {count_text(needed, 'GPU')}{others}, but pool {name} allows {room}"
                remedy = f"lower the replicas, or raise {limit} of {pool.name}"
                yield Finding(placed.model.origin, place, message, remedy)
            # A tuning is a Job: its GPUs are free again when it ends.
            taken[placed.cluster.name, pool.name] += needed if placed.model.task != "tuning" else 0


def _room(pool: Pool, each: int) -> tuple[int | None, str]:
    """The most GPUs in a pool of nodes with `each` GPUs (None if there is no limit), and the field that limits them."""
    maximum = bounds(pool).maximum if pool.has_machines else pool.nodes.maximum
    if maximum is not None and pool.objects.replicas is None and not pool.by_karpenter:
        return maximum * each, "nodes.max"
    nodes = None if pool.limits.nodes is None else pool.limits.nodes * each
    limits = ((pool.limits.gpus, "limits.gpus"), (nodes, nodes_limit(pool)))
    return min(((room, limit) for room, limit in limits if room is not None), default=(None, ""))


def _maximum(placed: ServedModel) -> tuple[Pointer, int]:
    """The place of the maximum replicas, and their number."""
    settings = placed.model.settings
    if "scaling" in settings:
        return placed.place("scaling", "max"), settings["scaling"]["max"]
    return (placed.place("replicas"), settings["replicas"]) if "replicas" in settings else (POOLS, 1)


RULE = Rule(
    code="KTO015",
    name="model-replicas-above-pool-limits",
    severity=Severity.ERROR,
    summary="The maximum replicas of the models in a pool need more GPUs than its limits allow.",
    help="Each replica uses a node with all its GPUs. Above the limit Karpenter does not start a node, and the "
    "replicas stay Pending.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://karpenter.sh/docs/concepts/nodepools/",
    ),
    check=_check,
)
