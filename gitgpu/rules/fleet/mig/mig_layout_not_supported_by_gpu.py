"""A MIG layout must fit every GPU that the pool may get."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import Mig, misfit, profiles
from gitgpu.model.sku import Gpu
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.mig import MIG, gpus, layout_place, mig_pools
from gitgpu.spelling import count_text


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with a layout that does not fit one of their GPUs, or with more or fewer layouts than GPUs."""
    for pool, mig, _ in mig_pools(inputs):
        yield from _uncountable(pool, mig)
        for index, layout in enumerate(mig.layouts):
            sizes = {gpu.name: (size, gpu) for size, gpu in gpus(pool)}  # of one GPU, the last size is named
            for size, gpu in sizes.values():
                if why := misfit(gpu, layout):
                    message = f"the {gpu.model} of {size} does not support this layout: {why}"
                    remedy = _remedy([other for _, other in gpus(pool)], gpu)
                    yield Finding(pool.origin, layout_place(mig, index), message, remedy)


def _remedy(gpus: list[Gpu], misfit: Gpu) -> str:
    """The profiles that fit each GPU of the pool: a profile that fits only this GPU would not fit the others."""
    if len({gpu.name for gpu in gpus}) == 1:
        return f"use its profiles: {', '.join(profiles([misfit]))}"
    common = profiles(gpus)
    if common:
        return f"use profiles that all GPUs of the pool have: {', '.join(common)}"
    return "use a separate pool for each GPU model: no profile exists on all GPUs of this pool"


def _uncountable(pool: Pool, mig: Mig) -> Iterator[Finding]:
    count = len(mig.layouts)
    # A size whose number of GPUs is unknown may have that many.
    odd = [sku for sku in pool.skus if sku.gpus not in (None, count)]
    if odd and count > 1:
        message = f"{count} layouts are listed, but a node of {odd[0].name} has {count_text(odd[0].gpus or 0, 'GPU')}"
        remedy = "set one layout for all GPUs, or a list with one layout for each GPU of a node"
        yield Finding(pool.origin, (*MIG, "profiles"), message, remedy)


RULE = Rule(
    code="PRT002",
    name="mig-layout-not-supported-by-gpu",
    twin="SHR010",
    severity=Severity.ERROR,
    summary="A pool uses a MIG layout that its GPUs do not support.",
    help="Profile names depend on the memory of the GPU: 1g.5gb exists on an A100 with 40 GB, 1g.10gb on one with 80 "
    "GB. A GPU has a number of compute slices and eight memory slices, and each instance uses some of both. For any "
    "other layout the MIG manager reports failed, and the node advertises no GPUs.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=_check,
)
