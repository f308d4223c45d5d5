"""A Windows pool should run a Windows release that AKS supports."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.dates import has_begun, known_day
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family
from gitgpu.model.value_origins import pool_place
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.node_pools import windows_pools


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Windows pools with a release whose support has ended."""
    row = inputs.catalog.must("pools", "aks")
    ends = {sku["name"]: sku.get("endOfSupport") for sku in row["osSkus"]}
    for pool, _ in windows_pools(inputs):
        name = family(pool, inputs.catalog)
        if has_begun(ends.get(name), known_day(row, inputs.today)):
            message = f"AKS support for {name} ended on {ends[name]}"
            remedy = "remove image.family; AKS then picks the release for the Kubernetes version"
            yield Finding(*pool_place(pool, "image", "family"), message, remedy, row)


RULE = Rule(
    code="WIN007",
    name="windows-past-end-of-support",
    severity=Severity.WARNING,
    summary="A Windows pool sets a release whose support has ended.",
    help="After that date AKS builds no images and ships no fixes for it. A year later it removes the images, and no "
    "node can start.",
    sources=(
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/windows-server-2022-retirement.md",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/includes/windows-server-2019-retirement.md",
    ),
    check=_check,
)
