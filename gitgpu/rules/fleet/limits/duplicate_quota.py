"""A quota that a cluster records twice."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule


def _check(inputs: Inputs) -> Iterator[Finding]:
    """Quotas that a cluster records more than once, in any spelling."""
    for cluster in inputs.clusters:
        first: dict[str, int] = {}
        for index, quota in enumerate(cluster.quota):
            if first.setdefault(quota.key, index) != index:
                span = cluster.origin.span(("spec", "quota", first[quota.key]))
                message = f"duplicate quota {quota.name} (first at {span})"
                yield Finding(cluster.origin, ("spec", "quota", index, "name"), message, "keep only the current one")


RULE = Rule(
    code="QTA004",
    name="duplicate-quota",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A cluster records the same quota more than once.",
    help="Azure has one limit for each VM family in a region. Names that differ only in case and spaces are the same: "
    "Azure's own interfaces spell them differently.",
    sources=(
        "https://learn.microsoft.com/azure/virtual-machines/quotas",
        "https://learn.microsoft.com/azure/quotas/spot-quota",
        "https://learn.microsoft.com/cli/azure/quota",
    ),
    check=_check,
)
