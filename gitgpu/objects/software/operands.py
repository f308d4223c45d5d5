"""DaemonSets that the GPU Operator has created."""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import rows, text_at
from gitgpu.model.names.kinds import CLUSTER_POLICY, DAEMON_SET, group_kind


def is_operand(body: Mapping[str, Any]) -> bool:
    """Whether the GPU Operator has created this DaemonSet for a ClusterPolicy, which may not be in the input."""
    owners = (text_at(owner, "kind") for owner in rows(body.get("metadata"), "ownerReferences"))
    return group_kind(body) == DAEMON_SET and CLUSTER_POLICY.kind in owners
