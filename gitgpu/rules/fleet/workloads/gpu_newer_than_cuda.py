"""A workload whose CUDA is older than the GPUs of one of its pools."""

from collections import defaultdict
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.model.syntax.version import version
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.cuda import architectures, first, major, majors
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Workloads whose CUDA is older than the first one for a GPU of their pools."""
    for workload in inputs.workloads:
        cuda, pools = workload.cuda, defaultdict[str, list[str]](list)
        if cuda is None:
            continue
        for pool in inputs.pools_of(workload):
            for name in architectures(pool):
                pools[name].append(pool.name)
        for name, where in sorted(pools.items()):
            if since := _since(cuda, name, inputs.catalog):
                gpus = f"the {name} GPUs of pool {join_names(where)}"
                message = f"CUDA {cuda} does not support {gpus}: {since} is the first that does"
                remedy = f"build the image with CUDA {since} or newer, or remove {join_names(where)} from spec.pools"
                row = inputs.catalog.facts("cuda", major(cuda))
                yield Finding(workload.origin, ("spec", "cuda"), message, remedy, row)


def _since(cuda: str, architecture: str, catalog: Catalog) -> str | None:
    """The first CUDA for an architecture, if this CUDA is older; None otherwise, or if it is unknown."""
    if since := first(cuda, architecture, catalog):
        return since if version(cuda) < version(since) else None
    building = majors(architecture, catalog)
    return (
        first(building[0], architecture, catalog) if building and version(building[0]) > version(major(cuda)) else None
    )


RULE = Rule(
    code="DRV010",
    name="gpu-newer-than-cuda",
    severity=Severity.WARNING,
    summary="The CUDA of a workload is older than the GPUs of one of its pools.",
    help="A CUDA toolkit builds machine code for the architectures that it knows. On a newer one a program runs "
    "only if it also contains PTX, which the driver compiles when it loads it. gitgpu cannot know whether "
    "your image and its libraries contain PTX, so this is a warning.",
    sources=(
        "https://docs.nvidia.com/datacenter/tesla/drivers/cuda-toolkit-driver-and-architecture-matrix.html",
        "https://docs.nvidia.com/cuda/archive/13.0.0/blackwell-compatibility-guide/index.html",
    ),
    check=_check,
)
