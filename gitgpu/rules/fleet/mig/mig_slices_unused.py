"""A MIG layout should use the whole GPU."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import profile_that_fits
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import gpus, layout_place, mig_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a layout that has room for another instance: with the single strategy, one of the same profile."""
    for pool, mig, _ in mig_pools(inputs):
        for index, layout in enumerate(mig.layouts):
            # {} leaves this GPU whole.
            if not layout:
                continue
            spare = [profile_that_fits(gpu, layout, single=mig.single) for _, gpu in gpus(pool)]
            # On the other sizes of the pool, the layout may use the whole GPU.
            if spare and all(spare):
                message = f"a GPU has room for one more instance of {spare[0]}"
                yield Finding(pool.origin, layout_place(mig, index), message, "add it, or use a larger profile")


RULE = Rule(
    code="PRT004",
    name="mig-slices-unused",
    twin="SHR093",
    severity=Severity.WARNING,
    summary="A MIG layout leaves room for another instance on each GPU.",
    help="No pod can use the rest of the GPU, and you pay for it.",
    sources=("https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",),
    check=_check,
)
