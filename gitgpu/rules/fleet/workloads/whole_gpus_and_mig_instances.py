"""A workload whose pods get whole GPUs in one pool and MIG instances in another."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import profile_names
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads without a profile, with a pool that has MIG and a pool that has none or another layout."""
    for workload in inputs.workloads:
        parts: dict[str, list[str]] = {}
        # PRT008 checks the pools of a workload with a profile.
        for pool in () if workload.mig else inputs.pools_of(workload):
            parts.setdefault(_part(pool), []).append(pool.name)
        if len(parts) > 1:
            what = " and ".join(f"{part} on {join_names(names)}" for part, names in parts.items())
            message = f"depending on the pool, a pod gets {what}"
            remedy = "use pools with the same GPU type, or set mig to the profile the pods need"
            yield Finding(workload.origin, ("spec", "pools"), message, remedy)


_WHOLE = "a whole GPU"


def _part(pool: Pool) -> str:
    """What a pod gets when it requests one nvidia.com/gpu."""
    return f"an instance of {profile_names(pool.mig)}" if pool.mig else _WHOLE


RULE = Rule(
    code="PRT009",
    name="whole-gpus-and-mig-instances",
    severity=Severity.WARNING,
    summary="Pods of a workload get whole GPUs on one pool and MIG instances on another.",
    help="With the single strategy, an instance is advertised as nvidia.com/gpu, like a whole GPU. It is random which "
    "of them a pod gets, and an instance may have only a fraction of the memory that the model needs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/device_map.go",
    ),
    check=_check,
)
