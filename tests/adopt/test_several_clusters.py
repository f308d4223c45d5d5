"""Each cluster has its own documents: what it gets depends on no other cluster."""

from itertools import permutations
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.runs.import_ import Imported, import_fleet
from tests.adopt.inventories import inventory
from tests.runs.test_import import POOL

TAGGED = POOL.replace("  osDiskSizeGB: 300\n", "  osDiskSizeGB: 300\n  tags: {costCentre: '4711'}\n")
SMALL = TAGGED.replace('nvidia.com/gpu: "4"', 'nvidia.com/gpu: "1"')
OTHER = TAGGED.replace("name: gpu", "name: other").replace("name: shared", "name: other")
OPTIONS = ClusterOptions(repository="https://github.com/contoso/fleet")
CLUSTERS = {"a": f"{TAGGED}---\n{OTHER}", "b": SMALL, "c": POOL}


def fleet_of(**clusters: str) -> Imported:
    """Imports some clusters, each with the manifests in a text. Asserts that all nodes are kept."""
    made = import_fleet(inventory(clusters), ClusterOptions(), (), "fleet")
    assert [each for each in made.verdicts if not each.keeps_nodes] == []
    return made


def spec(made: Imported, path: str) -> dict[str, Any]:
    """The spec in a file."""
    body: dict[str, Any] = yaml.load(made.files[path], yaml.CSafeLoader)["spec"]
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


FLUX = """---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: "https://github.com/contoso/fleet"}
"""
PLUGIN = """---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: plugin, namespace: kube-system}
spec:
  selector: {matchLabels: {name: p}}
  template:
    metadata: {labels: {name: p}}
    spec:
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      containers: [{name: p, image: "nvcr.io/nvidia/k8s-device-plugin:v0.18.2"}]
"""
WORK = """---
apiVersion: apps/v1
kind: Deployment
metadata: {name: chat, namespace: search}
spec:
  selector: {matchLabels: {app: chat}}
  template:
    metadata: {labels: {app: chat}}
    spec:
      tolerations: [{key: nvidia.com/gpu, operator: Exists}]
      containers: [{name: c, image: "x:1", resources: {limits: {nvidia.com/gpu: 1}}}]
"""
FURTHER = st.lists(st.sampled_from([OTHER, PLUGIN, WORK, FLUX]), unique=True)
PARTS = st.tuples(st.sampled_from([POOL, TAGGED, SMALL]), FURTHER)


@given(st.dictionaries(st.sampled_from("abcd"), PARTS, min_size=2))
@settings(max_examples=10, deadline=None)
def test_generated_clusters_depend_on_no_other(parts: dict[str, tuple[str, list[str]]]) -> None:
    clusters = {name: "---\n".join([pool, *more]) for name, (pool, more) in parts.items()}
    together = dict(import_fleet(inventory(clusters), OPTIONS, (), "fleet").files)
    alone: dict[str, str] = {}
    for name, text in clusters.items():
        alone |= import_fleet(inventory({name: text}), OPTIONS, (), "fleet").files
    assert alone == together
