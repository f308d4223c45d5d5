"""A pool must not request zones that the region or the size does not have."""

from collections.abc import Iterator, Sequence
from functools import partial

from gitgpu.diagnostic import Problem, Severity
from gitgpu.model.catalog import Catalog
from gitgpu.model.fleet import Pool
from gitgpu.model.inputs import Inputs
from gitgpu.model.sku import Sku
from gitgpu.rules.fleet_rule import Finding, Rule
from gitgpu.rules.inputs.clusters import group_clusters, pools_with_clusters
from gitgpu.rules.inputs.requested_sizes import wrong_sizes
from gitgpu.spelling import join_names


def _check(inputs: Inputs) -> Iterator[Finding]:
    for pool, clusters in pools_with_clusters(inputs):
        # Such a pool accepts nodes without a zone.
        if not pool.zones and pool.placement != "zonal":
            continue
        where = ("spec", "zones" if pool.zones else "placement")
        for region, names in group_clusters(clusters, lambda cluster: cluster.region).items():
            row = inputs.catalog.facts("regions", region)
            # CLU001 reports an unknown region.
            faults = _region_problems(pool, row["zones"]) if row and row["zones"] is not None else ()
            for message, remedy in (*faults, *_size_problems(pool, region, inputs.catalog)):
                yield Finding(pool.origin, where, f"{region} ({join_names(names)}) {message}", remedy)


def _region_problems(pool: Pool, zones: Sequence[str]) -> Iterator[Problem]:
    missing_zones = [zone for zone in pool.zones if zone not in zones]
    if not zones:
        yield Problem("has no availability zones", _anywhere(pool))
    elif missing_zones:
        yield Problem(f"has no zone {join_names(missing_zones)}", f"use zones of the region: {', '.join(zones)}")


def _anywhere(pool: Pool) -> str:
    """How the pool accepts nodes without a zone. Zones and placement: regional contradict each other."""
    steps = (["remove zones"] if pool.zones else []) + (
        ["set placement: regional"] if pool.placement == "zonal" else []
    )
    return " and ".join(steps)


def _size_problems(pool: Pool, region: str, catalog: Catalog) -> Iterator[Problem]:
    for _, sizes in wrong_sizes(pool, catalog, partial(_is_outside, region, pool.zones), every=True):
        yield Problem(f"has no {sizes} in the zones that the pool requires", _anywhere(pool))


def _is_outside(region: str, zones: Sequence[str], sku: Sku) -> bool:
    """Whether the size is known to be unavailable in all of these zones."""
    available = sku.zones.get(region)
    # placement: zonal alone allows every zone.
    return available is not None and not set(available) & set(zones or available)


RULE = Rule(
    code="SKU006",
    name="zone-not-available",
    twin="APL099",
    severity=Severity.ERROR,
    of_running_nodes=True,
    summary="A pool requires zones that the region does not have, or where its sizes are not available.",
    help="A zone that does not exist matches no offering, so Karpenter does not start a node and the pods stay "
    "Pending.",
    sources=(
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/providers/instancetype/instancetypes.go",
        "https://github.com/Azure/karpenter-provider-azure/blob/352646f599290c3a6d2f9710fb535a7b288f88ed/pkg/utils/zones/zones.go",
        "https://learn.microsoft.com/azure/reliability/regions-list",
    ),
    facts=("skus", "regions"),
    check=_check,
)
