"""A size that the AKSNodeClass of its NodePool excludes."""

from collections.abc import Iterator, Sequence

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.names.labels import SKU_SERIES_LABEL
from gitgpu.model.size.node_labels import GPU_COUNT, GPU_MAKER, GPU_NAME
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import fips_families
from gitgpu.objects.node.candidate_sizes import by_name, is_decided, named_sizes, own_class, place
from gitgpu.objects.node.node_pools import NodePool, matching, node_pools, terms
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule
from gitgpu.schedule.excluded_sizes import Terms, why_left_out
from gitgpu.source import Pointer
from gitgpu.spelling import join_names

EASY = Terms(gpu_mode="None")  # settings that exclude no size
REMEDIES = {
    "gpu_mode": "set gpu.mode: None in the AKSNodeClass, and install a driver, such as with AMD's GPU Operator",
    "image_family": "set imageFamily: Ubuntu in the AKSNodeClass",
    "fips_for": "remove fipsMode from the AKSNodeClass",
    "artifact_streaming": "remove artifactStreaming from the AKSNodeClass",
    "encryption_at_host": "remove security.encryptionAtHost from the AKSNodeClass",
    "local_dns": "remove localDNS from the AKSNodeClass",
}


def _check(objects: Objects) -> Iterator[Finding]:
    for pool in node_pools(objects):
        owner = own_class(pool, objects)
        node_terms = terms(owner, objects.catalog)
        if not owner:  # the class is AKS's default, or in other files
            continue
        for where, sizes in _excluded(pool, objects, node_terms):
            reason, remedy = _cause(sizes[0], node_terms, objects.catalog)
            names = join_names([sku.name for sku in sizes])
            message = f"no node of {names} can start with the AKSNodeClass of this NodePool: {reason}"
            yield Finding(pool.item, where, message, f"{remedy}, or use other sizes")


def _excluded(pool: NodePool, objects: Objects, asked: Terms) -> Iterator[tuple[Pointer, Sequence[Sku]]]:
    """Each listed size that the class excludes; of sizes chosen by requirements, all if it excludes all of them."""
    if by_name(pool):
        yield from ((where, (sku,)) for where, sku in named_sizes(pool, objects) if _only_by_class(sku, asked))
    elif is_decided(pool, objects):
        remaining_skus = [sku for sku in matching(pool, objects) if not why_left_out(sku, EASY)]
        if remaining_skus and all(why_left_out(sku, asked) for sku in remaining_skus):
            yield place(pool, GPU_MAKER, GPU_NAME, SKU_SERIES_LABEL, GPU_COUNT), remaining_skus


def _only_by_class(sku: Sku, asked: Terms) -> bool:
    return bool(why_left_out(sku, asked)) and not why_left_out(sku, EASY)


def _cause(sku: Sku, asked: Terms, catalog: Catalog) -> tuple[str, str]:
    """Why the class excludes the size, and how to change that. A single setting is always enough to exclude it."""
    settings = asked._asdict()
    fields = (field for field in EASY._fields if why_left_out(sku, EASY._replace(**{field: settings[field]})))
    field = next(fields)
    families = fips_families(catalog, str(sku.arch)) if field == "fips_for" else []
    family = f"set imageFamily: {' or '.join(families)} in the AKSNodeClass, or " if families else ""
    return why_left_out(sku, asked), f"{family}{REMEDIES[field]}"


RULE = Rule(
    code="NPS006",
    name="size-excluded-by-node-class",
    severity=Severity.ERROR,
    summary="A NodePool requires sizes that its AKSNodeClass excludes.",
    help="Karpenter drops sizes that do not support a setting of the AKSNodeClass: for example AMD GPUs when AKS "
    "installs the driver, GPUs without software for Azure Linux, or arm64 sizes with artifact streaming. Both objects "
    "become Ready, but no node starts.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/supported-gpus.yaml",
        "https://learn.microsoft.com/azure/aks/use-amd-gpus",
        "https://learn.microsoft.com/azure/aks/artifact-streaming",
    ),
    check=_check,
)
