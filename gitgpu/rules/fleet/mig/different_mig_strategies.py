"""A GPU Operator has one MIG strategy."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.driver_owner import driver_on
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools of a GPU Operator whose strategy differs from its first pool's."""
    odd: dict[tuple[str, tuple[str, ...]], tuple[Pool, Pool, list[str]]] = {}
    for cluster in inputs.clusters:
        pools = [pool for pool in inputs.pools_on(cluster) if pool.mig and driver_on(cluster, pool) == "operator"]
        first = next(iter(pools), None)
        for pool in pools:
            if first and first.mig and pool.mig and pool.mig.strategy != first.mig.strategy:
                _, _, names = odd.setdefault((pool.name, pool.clusters), (pool, first, []))
                names.append(cluster.name)
    for pool, first, names in odd.values():
        other = f"pool {first.name} ({first.origin.span((*MIG, 'strategy'))})"
        message = (
            f"the GPU Operator of {join_names(names)} has one MIG strategy for "
            f"all pools, and {other} has a different one"
        )
        yield Finding(pool.origin, (*MIG, "strategy"), message, "set the same strategy on all of its pools")


RULE = Rule(
    code="PRT012",
    name="different-mig-strategies",
    severity=Severity.ERROR,
    summary="Pools of one GPU Operator have different MIG strategies.",
    help="The strategy is a setting of the operator, not of a node: it applies to all of its device plugins.",
    sources=(
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/controllers/object_controls.go",
    ),
    check=_check,
)
