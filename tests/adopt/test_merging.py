"""Equal pools of several clusters become one document, and the most common values become defaults."""

from typing import Any

import yaml

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.merging import difference
from gitgpu.load.spec.merge_patch import merge_patch
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import inventory
from tests.runs.test_import import POOL

TAGGED = POOL.replace("  osDiskSizeGB: 300\n", "  osDiskSizeGB: 300\n  tags: {costCentre: '4711'}\n")
SMALL = TAGGED.replace('nvidia.com/gpu: "4"', 'nvidia.com/gpu: "1"')
OTHER = TAGGED.replace("name: gpu", "name: other").replace("name: shared", "name: other")
H100 = POOL.replace("Standard_NC24ads_A100_v4", "Standard_NC40ads_H100_v5")


def fleet_of(**clusters: str) -> Imported:
    """Imports some clusters, each with the manifests in a text. Asserts that all nodes are kept."""
    made = import_fleet(inventory(clusters), ClusterOptions(), (), "fleet")
    assert [each for each in made.verdicts if not each.keeps_nodes] == []
    return made


def documents(made: Imported, kind: str) -> list[dict[str, Any]]:
    """The documents of a kind, in order of file."""
    every = [each for text in made.files.values() for each in yaml.safe_load_all(text)]
    return [each for each in every if each["kind"] == kind]


def test_equal_pools_are_one_document() -> None:
    made = fleet_of(a=POOL, b=POOL)
    assert [each["spec"]["clusters"] for each in documents(made, "GpuPool")] == [["a", "b"]]
    assert "pools/gpu.yaml" in made.files


def test_a_few_differences_are_overrides() -> None:
    [document] = documents(fleet_of(a=TAGGED, b=SMALL, c=TAGGED), "GpuPool")
    assert document["spec"]["limits"] == {"gpus": 4}
    assert document["spec"]["overrides"] == [{"clusters": ["b"], "set": {"limits": {"gpus": 1}}}]


def test_pools_with_little_in_common_are_separate_documents() -> None:
    changed = H100.replace("imageFamily: Ubuntu", "imageFamily: AzureLinux").replace("300", "500")
    made = fleet_of(a=POOL, b=changed.replace('gpu: "4"', 'gpu: "2"').replace("value: present", "value: other"))
    assert [each["spec"]["clusters"] for each in documents(made, "GpuPool")] == [["a"], ["b"]]


def test_a_value_of_all_pools_becomes_a_default_of_the_fleet() -> None:
    made = fleet_of(a=f"{TAGGED}---\n{OTHER}", b=TAGGED)
    [fleet] = documents(made, "Fleet")
    defaults = fleet["spec"]["defaults"]["pool"]
    assert defaults["operatorOptOut"] is False
    assert all("operatorOptOut" not in each["spec"] for each in documents(made, "GpuPool"))
    # Tags are properties of single pools: a new pool must not inherit them.
    assert "tags" not in defaults
    assert all(each["spec"]["tags"] == {"costCentre": "4711"} for each in documents(made, "GpuPool"))


def test_a_default_never_reaches_a_pool_that_lacks_the_key() -> None:
    made = fleet_of(a=f"{TAGGED}---\n{OTHER}", b=POOL.replace("name: gpu", "name: plain"))
    [fleet] = documents(made, "Fleet")
    assert "tags" not in fleet["spec"].get("defaults", {}).get("pool", {})


def test_a_difference_is_the_merge_patch_that_produces_it() -> None:
    usual, other = {"a": 1, "b": {"c": 2, "d": [1]}}, {"b": {"c": 3, "d": [1]}, "e": {}}
    assert difference(usual, other) == {"a": None, "b": {"c": 3}, "e": {}}
    assert merge_patch(usual, difference(usual, other)) == other
