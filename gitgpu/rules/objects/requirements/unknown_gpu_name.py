"""A GPU name that no size of the catalog has."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.size.node_labels import GPU_NAME
from gitgpu.model.sku import Sku
from gitgpu.objects.node.candidate_sizes import accelerators, gpu_name_parts, named_sizes, place, values
from gitgpu.objects.node.node_pools import NodePool, node_pools
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.spelling import join_names


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        yield from _name_findings(pool, objects)
        nameless = [sku.name for _, sku in named_sizes(pool, objects) if _is_nameless(sku)]
        if nameless and any(True for _ in values(pool, (GPU_NAME,))):
            message = f"{join_names(nameless)} cannot match: Karpenter does not set {GPU_NAME} on {_these(nameless)}"
            yield Finding(pool.item, place(pool, GPU_NAME), message, f"remove the requirement on {GPU_NAME}")


def _these(names: Sequence[str]) -> str:
    return "that size" if len(names) == 1 else "those sizes"


def _is_nameless(sku: Sku) -> bool:
    return sku.obtainable and sku.accelerator is None


def _name_findings(pool: NodePool, objects: Objects) -> Iterator[Finding]:
    for where, name in values(pool, (GPU_NAME,)):
        # NPS008 reports another spelling of a known name.
        if {gpu_name.upper() for gpu_name in accelerators(objects)} & {*gpu_name_parts(name)}:
            continue
        nameless = filter(_is_nameless, objects.catalog.skus)
        gpus = [(sku.name, gpu_name_parts(sku.gpu.name)[0]) for sku in nameless if sku.gpu]
        sizes = [size for size, gpu in gpus if gpu in gpu_name_parts(name)]
        remedy = "list the sizes under karpenter.azure.com/sku-name"
        if sizes:
            message = f"no size has the GPU name {name}: Karpenter does not set {GPU_NAME} on {join_names(sizes)}"
            yield Finding(pool.item, where, message, remedy)
        else:
            names = f"use one of these names: {', '.join(accelerators(objects))}"
            yield Finding(pool.item, where, f"no size of the catalog has the GPU name {name}", f"{names}; or {remedy}")


RULE = Rule(
    code="NPS009",
    name="unknown-gpu-name",
    severity=Severity.WARNING,
    summary="A NodePool requires a GPU name that no size has, or that some of its sizes do not have.",
    help="Karpenter derives sku-gpu-name from the name of the size. Some names do not contain the GPU, such as "
    "Standard_ND96asr_v4 or Standard_ND40rs_v2, or contain it in a form that Karpenter does not parse, such as "
    "MI300X. Such sizes have no sku-gpu-name. This applies to Karpenter for Azure 1.14; later releases may parse more "
    "names.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetype.go",
        "https://github.com/Azure/skewer/blob/1b511013c03b2dba717188759d734e6e38001fb8/vmsize.go",
    ),
    check=_check,
)
