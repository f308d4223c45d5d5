"""A FIPS image must exist for the CPU architecture of the pool."""

from collections.abc import Iterator, Sequence
from functools import partial

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.model.software.node_images import family, fips_architectures
from gitgpu.model.value_origins import pool_place, with_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.requested_sizes import wrong_sizes


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Pools with FIPS on sizes whose CPU architecture has no FIPS image."""
    for pool in inputs.pools:
        if not pool.image.get("fips"):
            continue
        name = family(pool, inputs.catalog)
        made_for = fips_architectures(name, inputs.catalog, by_karpenter=pool.by_karpenter)
        if not made_for:  # DRV008 reports a family without a FIPS image
            continue
        for where, sizes in wrong_sizes(pool, inputs.catalog, partial(_has_other_architecture, made_for), every=True):
            other = with_place(sizes, pool.origin, where)
            supported = ", ".join(made_for)
            message = f"the FIPS image of {name} is for {supported} only, but {other} has a different architecture"
            remedy = "set fips: false, or use sizes with that architecture"
            yield Finding(*pool_place(pool, "image", "fips"), message, remedy)


def _has_other_architecture(made_for: Sequence[str], sku: Sku) -> bool:
    # A size whose architecture is not known may have an image.
    return sku.arch is not None and sku.arch not in made_for


RULE = Rule(
    code="DRV013",
    name="fips-image-not-for-architecture",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool enables FIPS on a CPU architecture without a FIPS image.",
    help="Karpenter schedules pods for such a size but finds no image for it, so each launch fails. AKS rejects a node "
    "pool of such a size.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/imagefamily/ubuntu_2004.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/enable-fips-nodes.md",
    ),
    facts=("skus", "images"),
    check=_check,
)
