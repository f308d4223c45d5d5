"""Values of node classes and sizes that affect how a pool is written."""

from typing import Any

import pytest
import yaml

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.clusters import ClusterOptions
from gitgpu.adopt.node.aks_mig import mig_keys
from gitgpu.adopt.node.node_class import class_keys
from gitgpu.adopt.node.node_labels import Labels, label_keys
from gitgpu.adopt.node.node_objects import unapplied_pools
from gitgpu.adopt.node.node_pool import Around
from gitgpu.adopt.node.node_requirements import is_implied
from gitgpu.adopt.node.refused import refused_objects
from gitgpu.inventory.observed import Azure, Inventory, ObservedCluster, Skipped
from gitgpu.load.schemas import Schemas
from gitgpu.model.sku import Sku
from gitgpu.model.syntax.requirement import Requirement, requirement
from gitgpu.rules.norms import norms
from gitgpu.runs.import_ import import_fleet
from tests.adopt.clusters import observed
from tests.adopt.inventories import inventory
from tests.adopt.test_observing import observe
from tests.adopt.test_recorded_imports import CATALOG, CONTEXT
from tests.adopt.test_small_stacks import agents, karpenter
from tests.helping.cases import for_each


@for_each(
    ("kubelet", "kept"),
    [
        (None, None),
        ({}, None),
        ({"podPidsLimit": 100}, {"podPidsLimit": 100}),
        ({"podPidsLimit": 100, "cpuCFSQuota": True}, {"podPidsLimit": 100}),
        ({"cpuCFSQuota": True}, {"cpuCFSQuota": True}),
        ({"cpuCFSQuota": True, "cpuManagerPolicy": "none"}, {"cpuCFSQuota": True}),
        ({"cpuCFSQuota": False, "cpuManagerPolicy": "none"}, {"cpuCFSQuota": False}),
        ({"podPidsLimit": None, "allowedUnsafeSysctls": []}, None),
    ],
    ids=str,
)
def test_one_of_several_kubelet_defaults_is_kept(kubelet: Any, kept: Any) -> None:
    """Karpenter's hash also depends on an empty block."""
    assert class_keys({"kubelet": kubelet}, CATALOG.must("edits", "aksnodeclass")).get("kubelet") == kept


ABSENT = requirement("key", "DoesNotExist", [])
BOTH = requirement("key", "In", ["a", "b"])


@for_each(
    ("wanted", "sizes", "implied"),
    [
        (requirement("key", "In", ["a", "b", "c"]), [BOTH], True),
        (requirement("key", "In", ["a"]), [BOTH], False),
        (requirement("key", "NotIn", ["c"]), [BOTH], True),
        (requirement("key", "NotIn", ["b"]), [BOTH], False),
        (requirement("key", "Exists", []), [BOTH], True),
        (requirement("key", "DoesNotExist", []), [BOTH], False),
        (requirement("key", "DoesNotExist", []), [ABSENT], True),
        (requirement("key", "NotIn", ["b"]), [ABSENT], True),
        (requirement("key", "Exists", []), [ABSENT], False),
        (requirement("key", "In", ["a"]), [ABSENT], False),
        (requirement("key", "NotIn", ["c"]), [BOTH, ABSENT], True),
        (requirement("key", "Exists", []), [BOTH, ABSENT], False),
        (requirement("key", "Exists", []), [requirement("key", "Exists", [])], False),  # the label has an unknown value
        (requirement("key", "DoesNotExist", []), [requirement("key", "Exists", [])], False),
        (requirement("other", "Exists", []), [BOTH], False),
    ],
)
def test_what_the_labels_of_all_sizes_imply(wanted: Requirement, sizes: list[Requirement], *, implied: bool) -> None:
    assert is_implied(wanted, [{"key": size} for size in sizes]) is implied


@for_each(
    ("kind", "changes", "fate"),
    [
        ("agents", {}, Fate.WRONG),
        ("agents", {"apiVersion": "containerservice.azure.com/v1api20991231"}, Fate.INEXPRESSIBLE),
        ("agents", {"source": "az"}, Fate.INEXPRESSIBLE),
        ("agents", {"live": True}, Fate.INEXPRESSIBLE),
        ("karpenter", {}, Fate.WRONG),
        ("karpenter", {"source": "az"}, Fate.WRONG),
        ("karpenter", {"live": True}, Fate.INEXPRESSIBLE),
    ],
    ids=str,
)
def test_an_object_that_its_schema_rejects_may_be_newer(kind: str, changes: dict[str, Any], fate: Fate) -> None:
    """An API server has accepted a live object, and Azure what it prints, or what a newer API version describes."""
    [body, *_] = agents(osSKU="Newer") if kind == "agents" else karpenter()
    if kind == "karpenter":
        body["spec"]["weight"] = "heavy"
    body["apiVersion"] = changes.get("apiVersion", body["apiVersion"])
    pool = observed(body)._replace(**{key: value for key, value in changes.items() if key != "apiVersion"})
    [refused] = refused_objects(ObservedCluster("lab", Azure(), (pool,)), norms(Schemas(), CATALOG))
    assert refused.fate is fate
    newer = refused.reason.startswith("the API version that gitgpu writes does not support it: ")
    assert newer is (fate is Fate.INEXPRESSIBLE)


def size(name: str) -> Sku:
    """A size of the catalog."""
    sku = CATALOG.sku(name)
    assert sku
    return sku


OPT_OUT = {"nvidia.com/gpu.deploy.operands": "false"}
CONFIG, LAYOUT = "nvidia.com/device-plugin.config", "nvidia.com/mig.config"
ALL_GPUS, HALVES = {"profiles": {"1g.10gb": 7}}, {"profiles": {"2g.20gb": 2, "3g.40gb": 1}}


@for_each(
    ("driver", "labels", "expected"),
    [
        ("operator", {}, {}),
        ("operator", {"team": "a"}, {"labels": {"team": "a"}}),
        ("operator", OPT_OUT, {"labels": OPT_OUT}),
        ("aks", {}, {"operatorOptOut": False}),
        ("aks", OPT_OUT, {}),
        ("managed", {**OPT_OUT, "team": "a"}, {"labels": {"team": "a"}}),
        ("operator", {CONFIG: "time-slicing-4"}, {"partition": {"timeSlicing": {"replicas": 4}}}),
        ("operator", {CONFIG: "mps-2", "team": "a"}, {"partition": {"mps": {"replicas": 2}}, "labels": {"team": "a"}}),
        ("operator", {CONFIG: "time-slicing-1"}, {"labels": {CONFIG: "time-slicing-1"}}),
        ("operator", {CONFIG: "own"}, {"labels": {CONFIG: "own"}}),
        ("operator", {LAYOUT: "7x1g.10gb"}, {"partition": {"mig": ALL_GPUS}}),
        ("operator", {LAYOUT: "2x2g.20gb_1x3g.40gb"}, {"partition": {"mig": HALVES}}),
        ("operator", {LAYOUT: "1x1g.10gb.me"}, {"partition": {"mig": {"profiles": {"1g.10gb+me": 1}}}}),
        ("operator", {LAYOUT: "2x2g.20gb_own"}, {"labels": {LAYOUT: "2x2g.20gb_own"}}),
        ("none", {LAYOUT: "7x1g.10gb"}, {"labels": {LAYOUT: "7x1g.10gb"}}),
    ],
    ids=str,
)
def test_labels_from_which_keys_follow(driver: str, labels: dict[str, str], expected: dict[str, Any]) -> None:
    given = Labels(labels, driver, [size("Standard_NC24ads_A100_v4")])
    assert label_keys(given, Around(driver, {})) == expected
    assert label_keys(given, Around(driver, {}, literal=True)) == {
        **({"labels": labels} if labels else {}),
        **({} if driver in ("operator", "none") else {"operatorOptOut": False}),
    }


@for_each(
    ("driver", "partition", "gone"),
    [
        ("operator", {"mig": ALL_GPUS}, {LAYOUT}),
        ("aks", {"mig": ALL_GPUS}, set()),
        ("aks", {"timeSlicing": {"replicas": 4}}, set()),
        ("operator", {"timeSlicing": {"replicas": 4}}, set()),
        ("operator", {"mps": {"replicas": 2}}, {CONFIG}),
    ],
    ids=str,
)
def test_labels_that_follow_from_a_known_partition(driver: str, partition: Any, gone: set[str]) -> None:
    labels = {CONFIG: "mps-2", LAYOUT: "own", "team": "a"}
    keys = label_keys(
        Labels(labels, driver, [size("Standard_NC24ads_A100_v4")]), Around(driver, {"partition": partition})
    )
    assert keys["labels"].keys() == labels.keys() - gone
    assert keys.get("partition") == partition


def test_a_label_that_names_a_configuration_as_gitgpu_does_is_a_partition() -> None:
    given = Labels({CONFIG: "mps-2"}, "operator", [size("Standard_NC24ads_A100_v4")])
    assert label_keys(given, Around("operator", {})) == {"partition": {"mps": {"replicas": 2}}}


def test_amd_gpus_have_no_operator_of_nvidia_to_keep_off() -> None:
    assert label_keys(Labels({}, "none", [size("Standard_ND96isr_MI300X_v5")]), Around("none", {})) == {}


@for_each(
    ("spec", "expected"),
    [
        ({}, None),
        ({"gpuInstanceProfile": "MIG9g"}, None),
        ({"gpuInstanceProfile": "MIG1g"}, {"mig": ALL_GPUS}),
        ({"gpuInstanceProfile": "MIG7g"}, {"mig": {"profiles": {"7g.80gb": 1}}}),
        ({"gpuInstanceProfile": "MIG1g", "gpuProfile": {"nvidia": {"migStrategy": "Single"}}}, {"mig": ALL_GPUS}),
        ({"gpuInstanceProfile": "MIG1g", "gpuProfile": {"nvidia": {"migStrategy": "Mixed"}}},
         {"mig": {"strategy": "mixed", **ALL_GPUS}}),
    ],
    ids=str,
)  # fmt: skip
def test_mig_of_a_node_pool(spec: dict[str, Any], expected: Any) -> None:
    assert mig_keys(spec, size("Standard_NC24ads_A100_v4"), CATALOG) == expected
    assert mig_keys(spec, size("Standard_NC16as_T4_v3"), CATALOG) is None


def test_a_rejected_pool_in_a_repository_has_not_been_accepted_by_azure() -> None:
    [body] = agents(osSKU="Newer")
    [cluster] = observe({"pool.yaml": yaml.safe_dump(body)}).clusters
    [refused] = refused_objects(cluster, norms(Schemas(), CATALOG))
    assert refused.fate is Fate.WRONG


@pytest.mark.parametrize(
    ("name", "is_reported"),
    [("Standard_NC24ads_A100_v4", True), ("Standard_NC999_v9", True), ("Standard_D8s_v5", False)],
    ids=["GPUs", "unknown", "no GPUs"],
)
def test_a_gpu_pool_that_nothing_applies_is_not_in_the_fleet(name: str, is_reported: bool) -> None:
    pool = observed(karpenter(size=name)[0])
    place = pool.places.span()
    skipped = (Skipped("values", place, "unrelated"), Skipped("NodePool/gpu", place, "nothing applies it", pool))
    outcomes = list(unapplied_pools(skipped, CONTEXT))
    assert [(each.observed, each.fate, each.reason) for each in outcomes] == [
        (pool, Fate.INEXPRESSIBLE, "nothing applies it")
    ] * is_reported


@pytest.mark.parametrize("config", ["time-slicing-99", "mps-60"])  # more shares than the spec allows
def test_a_label_that_only_looks_like_gitgpus_stays_a_label(config: str) -> None:
    """With a partition in the spec instead, the nodes would be replaced."""
    objects = tuple(map(observed, karpenter({CONFIG: config}, mode="None")))
    cluster = ObservedCluster("lab", Azure(region="swedencentral", kubernetes="1.36"), objects)
    imported = import_fleet(Inventory((cluster,)), ClusterOptions(), (), "fleet")
    documents = [document for text in imported.files.values() for document in yaml.load_all(text, yaml.CSafeLoader)]
    [pool] = [document["spec"] for document in documents if document["kind"] == "GpuPool"]
    assert pool["labels"] == {CONFIG: config}
    assert "partition" not in pool
    assert [outcome.fate for outcome in imported.adopted.outcomes if outcome.fate is Fate.INEXPRESSIBLE] == []


def test_a_pool_of_kaito_is_left_although_its_node_class_was_not_read() -> None:
    text = """\
apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: chat-0, labels: {karpenter.kaito.sh/managed-by: kaito}}
spec:
  template:
    spec:
      nodeClassRef: {group: karpenter.azure.com, kind: AKSNodeClass, name: image-family-ubuntu}
      requirements: [{key: node.kubernetes.io/instance-type, operator: In, values: [Standard_NC24ads_A100_v4]}]
---
apiVersion: karpenter.azure.com/v1beta1
kind: AKSNodeClass
metadata: {name: other}
spec: {}
"""
    made = import_fleet(inventory({"prod": text}), ClusterOptions(), (), "fleet")
    fates = {each.observed.name: each.fate for each in made.adopted.outcomes}
    assert fates["NodePool/chat-0"] is Fate.LEFT
