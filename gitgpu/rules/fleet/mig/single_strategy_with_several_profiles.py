"""MIG strategy single needs one profile for all GPUs of a node."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, mig_pools, profile_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with strategy: single and more than one profile, or more than one layout."""
    for pool, mig, _ in mig_pools(inputs):
        if mig.single and (len(mig.layouts) > 1 or len(mig.layouts[0]) > 1):
            what = f"profiles {profile_names(mig)}" if len(mig.layouts) == 1 else "a layout for each GPU"
            message = f"strategy single needs one profile on all GPUs of a node, not {what}"
            # PRT006 reports strategy mixed with Karpenter.
            mixed = "" if pool.by_karpenter else ", or set strategy: mixed"
            remedy = f"use one profile for all GPUs{mixed}"
            yield Finding(pool.origin, (*MIG, "profiles"), message, remedy)


RULE = Rule(
    code="PRT003",
    name="single-strategy-with-several-profiles",
    twin="SHR015",
    severity=Severity.ERROR,
    summary="A pool with the single MIG strategy has instances of several profiles.",
    help="With the single strategy, all GPUs of a node need the same instances, which are advertised as "
    "nvidia.com/gpu. The device plugin rejects anything else, and the node advertises no GPUs.",
    sources=(
        "https://github.com/NVIDIA/k8s-device-plugin/blob/1b826acc6af3079d8923bac395c3124b8861a9a6/internal/rm/device_map.go",
    ),
    check=_check,
)
