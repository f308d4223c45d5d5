"""Values of node classes and sizes that affect how a pool is written."""

from typing import Any

import pytest

from gitgpu.adopt.node.node_class import class_keys
from gitgpu.adopt.node.node_requirements import is_implied
from gitgpu.model.syntax.requirement import Requirement, requirement
from tests.adopt.test_recorded_imports import CATALOG


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
