"""Image tags that nodes complete: which pools of a cluster complete a tag, and with what."""

from gitgpu.mirror.node_systems import complete_tags, node_tags
from gitgpu.model.syntax.reference import Reference
from gitgpu.plan.cluster_plan import plan
from tests.emit.fleets import CATALOG, H100, MI300X, T4, Body, cluster, fleet, inputs_of, pool
from tests.helping.cases import for_each

DRIVER = CATALOG.must("containers", "doca-driver")
ARM = next(sku.name for sku in CATALOG.skus if sku.arch == "arm64")
FABRIC = "Standard_ND96isr_H100_v5"
DIGEST = f"sha256:{'0' * 64}"


def suffixes(*pools: Body, driver: str = "operator") -> list[str]:
    """What completes a tag on a cluster with these pools."""
    inputs = inputs_of(fleet(), cluster(stack={"driver": driver}), *pools)
    return complete_tags("-{os}-{arch}", inputs, plan(inputs, inputs.clusters[0]))


@for_each(
    ("pools", "driver", "expected"),
    [
        ([pool("a")], "operator", ["-ubuntu24.04-amd64"]),
        ([pool("a")], "aks", ["-{os}-{arch}"]),
        ([pool("a", MI300X)], "operator", ["-{os}-{arch}"]),
        ([pool("a"), pool("b", MI300X)], "operator", ["-ubuntu24.04-amd64"]),
        ([pool("a"), pool("b", H100)], "operator", ["-ubuntu24.04-amd64"]),
        ([pool("a"), pool("b", ARM)], "operator", ["-ubuntu24.04-amd64", "-ubuntu24.04-arm64"]),
        ([pool("a", FABRIC, rdma="shared")], "aks", ["-ubuntu24.04-amd64"]),
    ],
)
def test_the_pools_that_complete_a_tag(pools: list[Body], driver: str, expected: list[str]) -> None:
    assert suffixes(*pools, driver=driver) == expected


def tags(image: Reference) -> list[str]:
    """The tags of an image on a cluster with a pool of the GPU Operator's."""
    inputs = inputs_of(fleet(), cluster(stack={"driver": "operator"}), pool("a", T4))
    return [reference.tag for reference in node_tags(inputs, plan(inputs, inputs.clusters[0]))(image)]


def digests(version: str) -> list[str]:
    """The digests of a version of DOCA-OFED on a cluster with a pool of the GPU Operator's."""
    inputs = inputs_of(fleet(), cluster(stack={"driver": "operator"}), pool("a", T4))
    image = Reference(DRIVER["repository"], version)
    return [reference.digest for reference in node_tags(inputs, plan(inputs, inputs.clusters[0]))(image)]


def test_a_tag_of_the_catalog_is_completed_where_nodes_complete_it() -> None:
    assert tags(Reference(DRIVER["repository"], "1")) == ["1-ubuntu24.04-amd64"]
    assert tags(Reference("ghcr.io/a", "1")) == ["1"]


def test_an_image_with_a_digest_has_its_own_tag_or_that_of_the_catalog() -> None:
    row = next(row for row in CATALOG.rows("containers").values() if row["digest"])
    image = Reference(row["repository"], "", row["digest"])
    assert tags(image) == [str(row["version"])]
    assert tags(image._replace(tag="mine")) == ["mine"]
    assert tags(image._replace(digest=DIGEST)) == [""]


def test_a_completed_tag_has_the_digest_that_the_catalog_knows() -> None:
    tag = f"{DRIVER['version']}-ubuntu24.04-amd64"
    assert digests(str(DRIVER["version"])) == [DRIVER["digests"][tag]]
    assert digests("1") == [""]


def test_the_digests_of_versions_that_can_be_pinned_are_known() -> None:
    older = next(name for name in CATALOG.versions("doca-driver") if name != DRIVER["version"])
    facts = CATALOG.versions("doca-driver")[older].facts["containers"]
    assert digests(older) == [facts["digests"][f"{older}-ubuntu24.04-amd64"]]


def test_the_tag_of_a_pinned_version_is_found_by_its_digest() -> None:
    name, version = next(iter(CATALOG.versions("sriov-device-plugin").items()))
    row = version.facts["containers"]
    assert tags(Reference(row["repository"], "", row["digest"])) == [name]
