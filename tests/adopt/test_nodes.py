"""Values of node classes and sizes that affect how a pool is written."""

from typing import Any

import pytest

from gitgpu.adopt.adoption import Fate
from gitgpu.adopt.node.node_class import class_keys
from gitgpu.adopt.node.node_requirements import is_implied
from gitgpu.adopt.node.refused import refused_objects
from gitgpu.conform import norms
from gitgpu.load.inventory.observed import Azure, ObservedCluster
from gitgpu.load.schemas import Schemas
from gitgpu.model.syntax.requirement import Requirement, requirement
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG
from tests.adopt.test_small_stacks import agents, karpenter


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
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
