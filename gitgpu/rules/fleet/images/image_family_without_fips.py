"""A pool with FIPS needs an image family with a FIPS image."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.model.software.node_images import family, fips_families
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    catalog = inputs.catalog
    rows = catalog.rows("images")
    offering = " or ".join(fips_families(catalog))
    for pool in inputs.nodepools:
        name = family(pool, catalog)
        if pool.image.get("fips") and name in rows and rows[name]["fips"]["supported"] is False:
            message = f"image family {name} has no FIPS image for node auto-provisioning"
            yield Finding(
                pool.origin, ("spec", "image", "family"), message, f"set image.family: {offering}", rows[name]
            )


RULE = Rule(
    code="DRV008",
    name="image-family-without-fips",
    twin="ANC001",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool enables FIPS with an image family that has no FIPS image.",
    help="The API server rejects the AKSNodeClass.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/apis/v1beta1/aksnodeclass.go",
        "https://github.com/MicrosoftDocs/azure-aks-docs/blob/fb060abe6a8fef960d4c487b543bf7b1e97808fe/articles/aks/enable-fips-nodes.md",
    ),
    check=_check,
)
