"""A cluster must be in an Azure region."""

import re
from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.inputs import Inputs
from gitgpu.rules.fleet_rule import Finding, Rule

_OTHER_CLOUD = re.compile(r"-[a-z]+-?[0-9][a-z]?\Z", re.ASCII)  # us-east-1, us-central1; Azure's names have no dash


def _check(inputs: Inputs) -> Iterator[Finding]:
    for cluster in inputs.clusters:
        if inputs.catalog.facts("regions", cluster.region) is None:
            closest = _near(cluster.region, inputs.catalog)
            remedy = f"did you mean {closest}?" if closest else "use a name that `az account list-locations` shows"
            message = f"unknown Azure region {cluster.region}"
            if not closest and _OTHER_CLOUD.search(cluster.region):
                message = f"{cluster.region} is a region of AWS or Google Cloud, not of Azure"
            yield Finding(cluster.origin, ("spec", "region"), message, remedy)


def _near(region: str, catalog: Catalog) -> str | None:
    joined = region.replace("-", "")
    if joined != region:  # east-us-2 is meant to be eastus2, but nothing else resembles us-east-1
        return joined if catalog.facts("regions", joined) else None
    return catalog.similar_name("regions", region)


RULE = Rule(
    code="CLU001",
    name="unknown-region",
    twin="APL101",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="The catalog does not know the region of the cluster.",
    help="Zones are named after the region, so a misspelled region matches no offering. If the region is newer than "
    "the catalog, add it in your own catalog directory.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    facts=("regions/*",),
    check=_check,
)
