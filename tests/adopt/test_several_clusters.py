"""Each cluster has its own documents: what it gets depends on no other cluster."""

from itertools import permutations
from typing import Any

import yaml

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import inventory
from tests.runs.test_import import POOL

TAGGED = POOL.replace("  osDiskSizeGB: 300\n", "  osDiskSizeGB: 300\n  tags: {costCentre: '4711'}\n")
SMALL = TAGGED.replace('nvidia.com/gpu: "4"', 'nvidia.com/gpu: "1"')
OTHER = TAGGED.replace("name: gpu", "name: other").replace("name: shared", "name: other")
CLUSTERS = {"a": f"{TAGGED}---\n{OTHER}", "b": SMALL, "c": POOL}


def fleet_of(**clusters: str) -> Imported:
    """Imports some clusters, each with the manifests in a text. Asserts that all nodes are kept."""
    made = import_fleet(inventory(clusters), ClusterOptions(), (), "fleet")
    assert [each for each in made.verdicts if not each.keeps_nodes] == []
    return made


def spec(made: Imported, path: str) -> dict[str, Any]:
    """The spec in a file."""
    body: dict[str, Any] = yaml.safe_load(made.files[path])["spec"]
    return body


def test_a_value_of_all_pools_of_a_cluster_is_a_default_of_the_cluster() -> None:
    made = fleet_of(**CLUSTERS)
    assert spec(made, "clusters/a/cluster.yaml")["pool"]["operatorOptOut"] is False
    assert "pool" not in spec(made, "clusters/b/cluster.yaml")
    pools = [spec(made, f"clusters/a/pools/{name}.yaml") for name in ("gpu", "other")]
    assert all("operatorOptOut" not in pool for pool in pools)
    # Tags are properties of single pools: a new pool must not inherit them.
    assert [pool["tags"] for pool in pools] == [{"costCentre": "4711"}] * 2
    assert "defaults" not in spec(made, "fleet.yaml")


def test_the_files_of_a_cluster_depend_on_no_other() -> None:
    together = fleet_of(**CLUSTERS).files
    alone: dict[str, str] = {}
    for name, text in CLUSTERS.items():
        alone |= fleet_of(**{name: text}).files
    assert alone == together


def test_the_order_of_the_clusters_has_no_effect() -> None:
    expected = fleet_of(**CLUSTERS).files
    for names in permutations(CLUSTERS):
        assert fleet_of(**{name: CLUSTERS[name] for name in names}).files == expected
