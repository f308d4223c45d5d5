"""A cluster in a region that does not exist."""

from collections.abc import Iterator

from gitgpu.diagnostic import Severity
from gitgpu.objects.node.agent_pools import clusters, region_of
from gitgpu.objects.objects import Objects
from gitgpu.rules.object_rule import Finding, Rule


def _check(objects: Objects) -> Iterator[Finding]:
    for cluster in clusters(objects):
        region = region_of(cluster)
        if not region or objects.catalog.facts("regions", region):
            continue
        # A region without a similar name may be newer than the catalog.
        if near := objects.catalog.similar_name("regions", region):
            message = f"unknown Azure region '{region}'; did you mean '{near}'?"
            yield Finding(cluster, ("spec", "location"), message, f"use {near}, if that is meant")


RULE = Rule(
    code="APL101",
    name="unknown-region",
    twin="CLU001",
    severity=Severity.WARNING,
    summary="The location of a cluster is not a known Azure region, but close to one.",
    help="Azure refuses a cluster in a region that does not exist.",
    sources=("https://learn.microsoft.com/azure/reliability/regions-list",),
    facts=("regions/*",),
    check=_check,
)
