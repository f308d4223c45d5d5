"""A workload with a MIG profile that one of its pools does not have."""

from collections.abc import Iterator, Sequence
from itertools import chain

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.names.resources import NVIDIA_GPU
from gitgpu.model.value_origins import with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, profile_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads with a profile that a pool does not have, or without one if a pool advertises only profiles."""
    for workload in inputs.workloads:
        pools = inputs.pools_of(workload)
        for pool in pools:
            index = workload.pools.index(pool.name)
            if workload.mig and not _offers(pool, workload.mig):
                has = f"is split into {profile_names(pool.mig)}" if pool.mig else "has no MIG"
                message = f"pool {with_place(pool.name, pool.origin, MIG)} {has} and does not offer {workload.mig}"
                yield Finding(workload.origin, ("spec", "mig"), message, _remedy(pool, pools))
            # With the single strategy, or with a GPU that stays whole, nodes advertise nvidia.com/gpu.
            elif not workload.mig and pool.mig and NVIDIA_GPU not in pool.mig.resources:
                name = with_place(pool.name, pool.origin, MIG)
                message = f"pool {name} advertises {', '.join(sorted(pool.mig.resources))} and no whole GPUs"
                yield Finding(workload.origin, ("spec", "pools", index), message, _remedy(pool, pools))


def _remedy(pool: Pool, pools: Sequence[Pool]) -> str:
    """A profile that all pools of the workload have, or what to do if there is none."""
    profiles = [profile for profile in _profiles(pools[0]) if all(_offers(other, profile) for other in pools)]
    if profiles:
        return f"set mig: {' or '.join(profiles)}"
    if len(pools) > 1:
        return f"remove {pool.name} from pools, and create a GpuWorkload for it"
    return "remove mig, or name a pool that has this profile"


def _profiles(pool: Pool) -> list[str]:
    """The profiles of a pool, each once."""
    return sorted(set(chain.from_iterable(pool.mig.layouts))) if pool.mig else []


def _offers(pool: Pool, profile: str) -> bool:
    return pool.mig is not None and any(profile in layout for layout in pool.mig.layouts)


RULE = Rule(
    code="PRT008",
    name="mig-profile-not-in-pool",
    severity=Severity.ERROR,
    summary="A workload requests a MIG profile, or whole GPUs, that one of its pools does not have.",
    help="With the mixed strategy, a pod requests the resource of a profile and is never scheduled where it is not "
    "advertised. With the single strategy, all instances are nvidia.com/gpu, and gitgpu checks the profile itself.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/gpu-multi-instance.md",
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/rm.go",
    ),
    check=_check,
)
