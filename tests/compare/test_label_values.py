"""The values that a label on the nodes of a NodePool can have, by requirements, node class and region."""

from typing import Any

from gitgpu.compare.node_labels import could, is_of_size, label_in_zones
from gitgpu.compare.nodes import Pool, pools
from gitgpu.compare.snapshot import objects_in
from gitgpu.model.syntax.requirement import Requirement
from tests.compare.sides import CLASS, POOL, context, edited, overlays
from tests.helping.cases import for_each

SIZES, CAPACITY_TYPES = POOL["spec"]["template"]["spec"]["requirements"]
CAPACITY, ZONE, REGION = "karpenter.sh/capacity-type", "topology.kubernetes.io/zone", "topology.kubernetes.io/region"
PRIORITY, SHORT = "kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority"
SCOPE, SSD = "karpenter.azure.com/placement-scope", "karpenter.azure.com/sku-storage-ultra-ssd"
MODE, OS, OS_SKU = "kubernetes.azure.com/mode", "kubernetes.io/os", "kubernetes.azure.com/os-sku"
FIPS, BUILD = "kubernetes.azure.com/fips_enabled", "node.kubernetes.io/windows-build"
CPUS, INSTANCE, SIZE = "karpenter.azure.com/sku-cpu", "node.kubernetes.io/instance-type", "karpenter.azure.com/sku-name"
ALL = {"swedencentral-1", "swedencentral-2", "swedencentral-3", "0"}
Wanted = tuple[str, ...]


def pool_with(
    *wanted: Wanted, of_class: dict[str, Any] | None = None, region: str = "swedencentral", sized: bool = True
) -> Pool:
    """A pool with these requirements: key, operator and values. With `of_class` None, the node class is absent."""
    entries = [{"key": key, "operator": operator, "values": [*values]} for key, operator, *values in wanted]
    body = edited(POOL, {"spec/template/spec/requirements": [*([SIZES] if sized else []), *entries]})
    files = overlays([body] if of_class is None else [body, edited(CLASS, of_class)])
    objects_by_key, _ = objects_in(files, files, "")
    return pools(objects_by_key.values(), region, context())["NodePool", "p"]


def values(requirement: Requirement | None) -> set[str] | None:
    """The remaining values; None for an absent label."""
    if requirement is None:
        return None
    assert not requirement.complement
    return set(requirement.values)


@for_each(
    ("wanted", "key", "left"),
    [
        ([], CAPACITY, {"on-demand", "spot"}),
        ([], PRIORITY, {"regular", "spot"}),
        ([], SHORT, {"regular", "spot"}),
        ([(PRIORITY, "In", "spot")], CAPACITY, {"spot"}),
        ([(SHORT, "In", "spot")], CAPACITY, {"spot"}),
        ([(SHORT, "In", "regular")], PRIORITY, {"regular"}),
        ([(CAPACITY, "In", "on-demand")], SHORT, {"regular"}),
        ([(CAPACITY, "In", "reserved")], CAPACITY, None),
        ([(CAPACITY, "In", "on-demand"), (PRIORITY, "In", "spot")], CAPACITY, None),
        ([(PRIORITY, "In", "regular"), (SHORT, "In", "spot")], CAPACITY, None),
    ],
)
def test_one_setting_has_three_labels(wanted: list[Wanted], key: str, left: set[str] | None) -> None:
    assert values(could(key, pool_with(*wanted, of_class={}))) == left


@for_each(
    ("wanted", "key", "left"),
    [
        ([], ZONE, ALL),
        ([], SCOPE, {"zonal", "regional"}),
        ([(SCOPE, "In", "zonal")], ZONE, ALL - {"0"}),
        ([(SCOPE, "In", "regional")], ZONE, {"0"}),
        ([(ZONE, "In", "0")], SCOPE, {"regional"}),
        ([(ZONE, "NotIn", "0")], SCOPE, {"zonal"}),
        ([(ZONE, "In", "swedencentral-2")], ZONE, {"swedencentral-2"}),
    ],
)
def test_zone_and_scope_agree(wanted: list[Wanted], key: str, left: set[str]) -> None:
    pool = pool_with(*wanted)
    assert values(could(key, pool)) == left
    places = values(could(ZONE, pool)) or set()
    assert (values(label_in_zones(ZONE, pool)) or set()) == places - {"0"}
    assert values(label_in_zones(SCOPE, pool)) == ({"zonal"} if places - {"0"} else None)


def test_zones_of_a_region_that_the_catalog_lacks_are_those_that_are_listed() -> None:
    listed = pool_with((ZONE, "In", "x-1", "x-2", "0"), region="x")
    assert values(could(ZONE, listed)) == {"x-1", "x-2", "0"}
    assert values(label_in_zones(ZONE, listed)) == {"x-1", "x-2"}
    assert values(could(SCOPE, listed)) == {"zonal", "regional"}
    anywhere = pool_with(region="x")
    assert (label_in_zones(ZONE, anywhere), label_in_zones(SCOPE, anywhere)) == (None, None)
    requirement = could(ZONE, anywhere)
    assert requirement is not None
    assert requirement.operator == "Exists"
    other = could(ZONE, pool_with((ZONE, "NotIn", "x-1"), region="x"))
    assert other is not None
    assert (other.takes("x-1"), other.takes("x-2")) == (False, True)


def test_listed_zones_that_the_region_does_not_have() -> None:
    assert values(could(ZONE, pool_with((ZONE, "In", "swedencentral-1", "swedencentral-9")))) == {"swedencentral-1"}
    elsewhere = pool_with((ZONE, "In", "eastus-1"))
    assert values(could(ZONE, elsewhere)) == {"eastus-1"}
    assert label_in_zones(ZONE, elsewhere) is None


def test_zones_in_which_no_size_is_sold_are_left_out() -> None:
    size, region = "Standard_NC24ads_A100_v4", "southcentralus"
    sku = context().catalog.sku(size)
    assert sku is not None
    assert sku.zones[region] == ["1", "3"]
    pool = pool_with((SIZE, "In", size), region=region, sized=False)
    assert values(could(ZONE, pool)) == {"0", "southcentralus-1", "southcentralus-3"}
    unknown = pool_with((SIZE, "In", size, "Standard_NC4as_T4_v3"), region=region, sized=False)
    assert values(could(ZONE, unknown)) == {"0", *(f"{region}-{number}" for number in (1, 2, 3))}


@for_each(
    ("wanted", "left"),
    [
        ([], "false"),
        ([(SSD, "In", "true")], "true"),
        ([(SSD, "In", "false")], "false"),
        ([(SSD, "In", "true", "false")], "false"),
        ([(SSD, "NotIn", "false")], "true"),
        ([(SSD, "In", "other")], "false"),
    ],
)
def test_ultra_disks_are_on_where_nothing_else_is_left(wanted: list[Wanted], left: str) -> None:
    assert values(could(SSD, pool_with(*wanted))) == {left}


@for_each(
    ("of_class", "os_sku", "fips"),
    [
        ({}, {"Ubuntu"}, None),
        ({"spec/imageFamily": "AzureLinux"}, {"AzureLinux"}, None),
        ({"spec/imageFamily": "Ubuntu2404", "spec/fipsMode": "FIPS"}, {"Ubuntu"}, {"true"}),
        ({"spec/fipsMode": "Disabled"}, {"Ubuntu"}, None),
        (None, None, None),
    ],
)
def test_labels_that_the_node_class_decides(of_class: Any, os_sku: set[str] | None, fips: set[str] | None) -> None:
    pool = pool_with(of_class=of_class)
    assert values(could(OS_SKU, pool)) == os_sku
    assert values(could(FIPS, pool)) == fips
    assert values(could(OS, pool)) == {"linux"}
    assert values(could(REGION, pool)) == {"swedencentral"}


@for_each("key", [MODE, BUILD, OS_SKU, FIPS, REGION])
def test_a_label_that_karpenter_writes_on_request_needs_one_value(key: str) -> None:
    def left(*wanted: Wanted) -> set[str] | None:
        return values(could(key, pool_with(*wanted, region="")))

    assert left() is None
    assert left((key, "In", "a")) == {"a"}
    assert left((key, "In", "a", "b")) is None
    assert left((key, "NotIn", "a")) is None
    assert left((key, "Exists")) is None


@for_each("key", ["kubernetes.io/arch", "kubernetes.io/hostname", "kubernetes.azure.com/cluster", CPUS])
def test_a_label_of_every_node_has_some_value(key: str) -> None:
    requirement = could(key, pool_with())
    assert requirement is not None
    assert requirement.operator == "Exists"
    assert values(could(key, pool_with((key, "In", "a", "b")))) == {"a", "b"}


def test_both_names_of_a_size_are_one_label() -> None:
    for key in (SIZE, INSTANCE):
        assert values(could(key, pool_with())) == {"Standard_NC4as_T4_v3", "Standard_NC16as_T4_v3"}
    assert could("example.com/rack", pool_with()) is None
    assert could("example.com/rack", pool_with(("example.com/rack", "DoesNotExist"))) is None


def test_which_labels_the_size_decides() -> None:
    sized, unknown = pool_with(), pool_with((SIZE, "In", "Standard_NC9"), sized=False)
    assert [is_of_size(key, sized) for key in (CPUS, SIZE, CAPACITY, OS, "team")] == [True, True, False, False, False]
    assert not is_of_size(CPUS, unknown)
