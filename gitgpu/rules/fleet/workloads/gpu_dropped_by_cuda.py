"""A workload whose CUDA no longer supports the GPUs of one of its pools."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.cuda import architectures, major, majors
from gitgpu.rules.inputs.requested_sizes import pool_with_sizes_place
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose CUDA major version no longer builds for a GPU of their pools."""
    for workload in inputs.workloads:
        cuda, pools = workload.cuda, defaultdict[str, list[Pool]](list)
        if cuda is None:
            continue
        for pool in inputs.pools_of(workload):
            for name in architectures(pool):
                pools[name].append(pool)
        for name, where in sorted(pools.items()):
            if last := _last(cuda, name, inputs.catalog):
                shown_pools = join_names([pool_with_sizes_place(pool) for pool in where])
                message = f"CUDA {cuda} no longer builds for the {name} GPUs of pool {shown_pools}"
                names = join_names([pool.name for pool in where])
                remedy = f"build the image with CUDA {last}, or remove {names} from spec.pools"
                row = inputs.catalog.facts("cuda", major(cuda))
                yield Finding(workload.origin, ("spec", "cuda"), message, remedy, row)


def _last(cuda: str, architecture: str, catalog: Catalog) -> str:
    """The last major for an architecture, if this CUDA is newer; "" otherwise, or if it is unknown."""
    if not catalog.facts("cuda", major(cuda)):
        return ""
    building = majors(architecture, catalog)
    return building[-1] if building and version(building[-1]) < version(major(cuda)) else ""


RULE = Rule(
    code="DRV011",
    name="gpu-dropped-by-cuda",
    severity=Severity.ERROR,
    summary="The CUDA of a workload no longer builds for the GPUs of one of its pools.",
    help="With a new major version NVIDIA's compiler and libraries drop old architectures. The driver may still "
    "support them, so the node looks healthy, but the container has no code for its GPU.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://docs.nvidia.com/cuda/archive/13.0.0/cuda-toolkit-release-notes/index.html",
    ),
    check=_check,
)
