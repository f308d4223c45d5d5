"""A model's most replicas fit below the limits of its pool."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.check.limits import is_paused
from gitgpu.check.rule import Finding, Rule
from gitgpu.check.served_models import POOLS, ServedModel, served_models
from gitgpu.check.value_origins import with_place
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.nodepool import bounds
from gitgpu.source import Pointer

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: Cluster
metadata: {name: prod-swc}
spec: {region: swedencentral, kubernetesVersion: "1.36", stack: {kaito: helm}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec: {clusters: [prod-swc], sku: Standard_NC24ads_A100_v4, limits: {gpus: 4}, image: {osDiskGB: 256}}
---
apiVersion: gitgpu.dev/v1alpha1
kind: GpuWorkload
metadata: {name: chat, namespace: serving}
spec:
  pools: [a100]
  inference: {preset: phi-4-mini-instruct, replicas: 6}
"""
GOOD = BAD.replace("replicas: 6", "replicas: 4")


def check(inputs: Inputs) -> Iterator[Finding]:
    """Models with more replicas than nodes are left to them by those before them in the pool."""
    taken: dict[tuple[str, str], int] = defaultdict(int)
    for one in served_models(inputs):
        for pool in () if one.on_add_on else one.pools:
            before, (room, limit) = taken[one.cluster.name, pool.name], _room(pool)
            place, most = _most(one)
            wanted = most * max((sku.gpus or 1 for sku in pool.skus), default=1)
            if room is not None and before + wanted > room and not is_paused(pool):
                others = f" beside {before} of other models" if before else ""
                name = with_place(pool.name, pool.origin, ("spec", *limit.split(".")))
                message = f"the replicas want {wanted} GPUs{others}, and pool {name} may have {room}"
                yield Finding(one.model.origin, place, message, f"lower it, or raise {limit} of {pool.name}")
            taken[one.cluster.name, pool.name] += wanted if one.model.task != "tuning" else 0


def _room(pool: Pool) -> tuple[int | None, str]:
    """The most GPUs of the pool, and what says so."""
    each = max((sku.gpus or 1 for sku in pool.skus), default=1)
    most = None if pool.by_karpenter else bounds(pool).most
    if most is None:
        nodes = None if pool.limits.nodes is None else pool.limits.nodes * each
        limits = ((pool.limits.gpus, "limits.gpus"), (nodes, "limits.nodes"))
        return min(((room, limit) for room, limit in limits if room is not None), default=(None, ""))
    limit = "nodes.max" if pool.nodes.most is not None else "limits.gpus" if pool.limits.gpus else "limits.nodes"
    return most * each, limit


def _most(one: ServedModel) -> tuple[Pointer, int]:
    """The most replicas, and where that is said."""
    told = one.model.told
    if "scaling" in told:
        return one.place("scaling", "max"), told["scaling"]["max"]
    return (one.place("replicas"), told["replicas"]) if "replicas" in told else (POOLS, 1)


RULE = Rule(
    code="KTO015",
    name="more-models-than-the-pool-takes",
    severity=Severity.ERROR,
    summary="The most replicas of the models of a pool want more GPUs than its limits allow.",
    help="Each replica takes a node with all its GPUs. Above the limit Karpenter starts no node, and the replicas stay "
    "pending.",
    sources=(
        "https://github.com/kaito-project/kaito/blob/0894eb2b567d48cd2d66afe579acb1542b226af4/pkg/workspace/inference/preset_inferences.go",
        "https://karpenter.sh/docs/concepts/nodepools/",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
