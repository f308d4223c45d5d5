"""A MIG layout has to fit each GPU that the pool may get."""

from collections.abc import Iterator

from gitgpu.check.mig import MIG, cut_pools, gpus, layout_place
from gitgpu.check.rule import Finding, Rule
from gitgpu.diagnostic import Severity
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.mig import Mig, cut, profiles
from gitgpu.model.sku import Gpu

BAD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {mig: {profiles: {1g.5gb: 7}}}
"""
GOOD = """\
apiVersion: gitgpu.dev/v1alpha1
kind: GpuPool
metadata: {name: a100}
spec:
  clusters: [prod-swc]
  sku: Standard_NC24ads_A100_v4
  driver: operator
  image: {family: Ubuntu2204}
  limits: {gpus: 8}
  partition: {timeSlicing: {replicas: 7}}
"""


def check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with layouts that some GPU of theirs cannot be cut into, or that are too many or too few for a node."""
    for pool, mig, _ in cut_pools(inputs):
        yield from _uncountable(pool, mig)
        for index, layout in enumerate(mig.layouts):
            misfits = {gpu.name: (size, gpu, why) for size, gpu in gpus(pool) if (why := cut(gpu, layout))}
            for size, gpu, why in misfits.values():
                message = f"the {gpu.model} of {size} cannot be cut like this: {why}"
                remedy = _remedy([one for _, one in gpus(pool)], gpu)
                yield Finding(pool.origin, layout_place(mig, index), message, remedy)


def _remedy(every: list[Gpu], misfit: Gpu) -> str:
    """Profiles that fit each GPU of the pool: one that fits this GPU alone would not fit another."""
    if len({one.name for one in every}) == 1:
        return f"take of its profiles: {', '.join(profiles([misfit]))}"
    common = profiles(every)
    if common:
        return f"take of the profiles that all its GPUs have: {', '.join(common)}"
    return "make a pool of each GPU, with profiles of its own: no profile is one of all GPUs here"


def _uncountable(pool: Pool, mig: Mig) -> Iterator[Finding]:
    said = len(mig.layouts)
    odd = [sku for sku in pool.skus if sku.gpus not in (None, said)] if said > 1 else []
    if odd:
        message = f"there are layouts for {said} GPUs, and a node of {odd[0].name} has {odd[0].gpus}"
        remedy = "write one layout for all of them, or a list with one for each GPU of a node"
        yield Finding(pool.origin, (*MIG, "profiles"), message, remedy)


RULE = Rule(
    code="PRT002",
    name="mig-layout-that-does-not-fit",
    severity=Severity.ERROR,
    summary="A pool asks for a MIG layout that its GPUs cannot be cut into.",
    help="The names of profiles follow the memory of the GPU: 1g.5gb exists on an A100 with 40 GB, 1g.10gb on one with "
    "80 GB. A GPU has a number of slices and eight parts of memory, and each instance takes some of both. The MIG "
    "manager reports failed for anything else, and the node advertises no GPU.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html",
        "https://github.com/NVIDIA/gpu-operator/blob/a22dbf671f2e26f9a1e342f8eea28e196235e110/assets/state-mig-manager/0400_configmap.yaml",
    ),
    check=check,
    bad=BAD,
    good=GOOD,
)
