"""Edits of NodePools with nodes: added, removed and changed requirements, and fields inside and outside the hash."""

from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

from gitgpu.model.catalog import Catalog
from tests.simulate.recording.facts import REGIONS
from tests.simulate.recording.parts import (
    AKS,
    AZURE,
    CAPACITY,
    NAME,
    SCOPE,
    SKU,
    ZONE,
    Body,
    Draw,
    node_class,
    pool,
    sizes,
    wants,
)

SEED, COUNT = 20261123, 320
CUSTOM, PRIORITY = "example.com/tier", f"{AKS}/scalesetpriority"


def edits(known: Catalog) -> Iterator[Body]:
    """The edits. They depend only on the seed and the catalog."""
    for at in range(COUNT):
        random = Random(f"{SEED}-{at}")
        region = random.choice(REGIONS)
        zones = tuple(f"{region}-{number}" for number in known.must("regions", region)["zones"])
        yield {"name": f"edit-{at:03}", "region": region, **_edit(Draw(random, region, zones, ()))}


def _edit(draw: Draw) -> Body:
    extra = [_wish(draw) for _ in range(draw.pick(0, 0, 1, 2))]
    before = pool(draw, "alpha", *{requirement["key"]: requirement for requirement in extra}.values(), taints=[SKU])
    before["spec"]["template"]["spec"]["expireAfter"] = "720h"  # the default that the API server sets
    after = deepcopy(before)
    inside = after["spec"]["template"]["spec"]
    if draw.odds(12):
        _field(draw, after)
    else:
        _requirement(draw, inside["requirements"])
    return {"nodeclasses": [node_class(draw)], "before": before, "after": after}


def _requirement(draw: Draw, listed: list[Body]) -> None:
    """Removes, changes or adds a requirement."""
    way = draw.pick("goes", "changes", "comes", "comes")
    if way == "goes" and len(listed) > 2:
        listed.remove(draw.pick(*listed[2:]))
    elif way == "changes":
        old = draw.pick(*listed)
        listed[listed.index(old)] = _again(draw, old)
    else:
        new = _wish(draw)
        listed[:] = [requirement for requirement in listed if requirement["key"] != new["key"]] + [new]


def _again(draw: Draw, old: Body) -> Body:
    """Another requirement on the same key."""
    if old["key"] == NAME:
        return wants(NAME, "In", *sizes(draw))
    if old["key"] == CAPACITY:
        return wants(CAPACITY, "In", *draw.some(("spot", "on-demand")))
    new = _wish(draw)
    while new["key"] != old["key"]:
        new = _wish(draw)
    return new


def _wish(draw: Draw) -> Body:
    """A requirement on a label of the offering, of the size or of the node class, or on a custom label."""
    zones = draw.zones or (f"{draw.region}-1",)
    tier = draw.pick("In", "NotIn", "Exists", "DoesNotExist")
    wishes: list[Any] = [
        wants(ZONE, draw.pick("In", "NotIn"), *draw.some((*zones, "0"))),
        wants(SCOPE, draw.pick("In", "In", "NotIn"), draw.pick("zonal", "regional")),
        wants(PRIORITY, draw.pick("In", "NotIn"), draw.pick("spot", "regular")),
        wants(f"{AZURE}/sku-storage-ultra-ssd", "In", *draw.some(("true", "false"))),
        wants(CUSTOM, tier, *(draw.some(("a", "b", "c")) if tier in ("In", "NotIn") else ())),
        wants(f"{AKS}/mode", draw.pick("In", "NotIn"), *draw.some(("user", "system"))),
        wants(f"{AKS}/os-sku", draw.pick("In", "NotIn"), draw.pick("Ubuntu", "AzureLinux")),
        wants(f"{AKS}/fips_enabled", draw.pick("DoesNotExist", "DoesNotExist", "Exists")),
        wants(f"{AKS}/sku-cpu", draw.pick("In", "NotIn"), *draw.some(("4", "16", "24", "96"))),
        wants(f"{AZURE}/sku-cpu", draw.pick("Gt", "Lt", "Gte", "Lte"), draw.pick("8", "16", "48")),
        wants(f"{AZURE}/sku-gpu-count", draw.pick("In", "NotIn"), *draw.some(("1", "2", "4", "8"))),
        wants(f"{AZURE}/sku-gpu-name", draw.pick("In", "NotIn"), *draw.some(("T4", "A100", "H100", "A10"))),
        wants(f"{AZURE}/sku-gpu-name", draw.pick("Exists", "DoesNotExist")),
        wants(f"{AZURE}/sku-series", draw.pick("In", "NotIn"), *draw.some(("NCads_v4", "NCas_v3", "NVads_v5"))),
        wants("kubernetes.io/arch", draw.pick("In", "NotIn"), draw.pick("amd64", "arm64")),
        wants("kubernetes.io/os", "In", "linux"),
        wants("topology.kubernetes.io/region", draw.pick("In", "NotIn"), draw.pick(draw.region, "mars")),
    ]
    return dict(draw.pick(*wishes))


def _field(draw: Draw, body: Body) -> None:
    """Changes a field that is not a requirement."""
    template = body["spec"]["template"]
    way = draw.random.randrange(7)
    if way == 0:
        template["metadata"] = {"labels": {"team": "b"}}
    elif way == 1:
        template["spec"]["taints"] = [SKU, {"key": "team", "value": "a", "effect": "NoExecute"}]
    elif way == 2:
        template["spec"]["startupTaints"] = [SKU]
    elif way == 3:
        template["spec"]["expireAfter"] = draw.pick("24h", "Never")
    elif way == 4:
        body["spec"]["limits"] = {"cpu": "10"}
    elif way == 5:
        body["spec"]["weight"] = 5
    else:
        template["spec"]["terminationGracePeriod"] = "1h"
