"""FIPS with an image family that has no FIPS image."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.software.node_images import fips_families
from gitgpu.objects.node.node_classes import node_classes
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    catalog = objects.catalog
    for item, spec in node_classes(objects):
        row = catalog.facts("images", spec.get("imageFamily") or "Ubuntu")  # Karpenter's default
        if spec.get("fipsMode") == "FIPS" and row and row["fips"]["supported"] is False:
            message = f"imageFamily {row['name']} has no FIPS image that node auto-provisioning supports"
            yield Finding(
                item, ("spec", "imageFamily"), message, f"set imageFamily: {' or '.join(fips_families(catalog))}"
            )


RULE = Rule(
    code="ANC001",
    name="image-family-without-fips",
    twin="DRV008",
    severity=Severity.ERROR,
    rejects=True,
    summary="An AKSNodeClass enables FIPS with an image family that has no FIPS image.",
    help="The API server rejects the AKSNodeClass, and every NodePool that refers to it stays NotReady.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/v1.14.2/pkg/apis/crds/karpenter.azure.com_aksnodeclasses.yaml",
        "https://learn.microsoft.com/azure/aks/enable-fips-nodes",
    ),
    facts=("images",),
    check=_check,
)
