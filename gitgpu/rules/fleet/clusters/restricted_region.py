"""A subscription must request access to some regions."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Clusters in regions with restricted access."""
    for cluster in inputs.clusters:
        row = inputs.catalog.facts("regions", cluster.region)
        # CLU001 reports a region that the catalog does not have.
        if row and row["access"] == "restricted":
            message = f"{row['displayName']} needs approval: this subscription may not have access"
            remedy = "request access from Azure support if you do not have it, or use another region"
            yield Finding(cluster.origin, ("spec", "region"), message, remedy, row)


RULE = Rule(
    code="CLU005",
    name="restricted-region",
    severity=Severity.WARNING,
    summary="The cluster is in a region that needs approval from Azure.",
    help="Some regions are reserved for disaster recovery within a country. A subscription without access gets "
    "neither quota nor machines there.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    check=_check,
)
