"""A second device plugin on running nodes, whose GPUs AKS keeps managing until they are replaced."""

from collections.abc import Mapping, Sequence
from typing import Any

from gitgpu.access import list_at, mapping_at, reach, rows
from gitgpu.compare.abandoned_nodes import label
from gitgpu.compare.change import Change
from gitgpu.compare.nodes import Pool
from gitgpu.model.driver_owner import MANAGED_TAG
from gitgpu.model.software.names import DEVICE_PLUGIN
from gitgpu.objects.workload.pods import REQUIRED


def second_plugin(was: Pool, now: Pool, changes: Sequence[Change]) -> str:
    """What a change means for running nodes if AKS manages only their GPUs, not those of new ones; "" if nothing."""
    if not _is_managed(was) or _is_managed(now):
        return ""
    after = (change.after.body for change in changes if change.after and change.after.identity.name == DEVICE_PLUGIN)
    if not any(_selects(body, now) for body in after):
        return ""
    return (
        "its running nodes keep the device plugin of AKS and get a second one; to avoid that, keep driver: managed, "
        "and add a pool with a different name"
    )


def _selects(daemon_set: Mapping[str, Any], pool: Pool) -> bool:
    """Whether a DaemonSet of gitgpu selects the nodes of a pool: by its name, or by a label of all pools."""
    own = label(pool)
    nodes = {**mapping_at(pool.body, "spec", "template", "metadata", "labels"), own.key: own.value}
    terms = (rows(term, "matchExpressions") for term in rows(daemon_set, "spec", "template", "spec", *REQUIRED))
    return any(all(_is_met(each, nodes) for each in term) for term in terms)


def _is_met(required: Mapping[str, Any], labels: Mapping[str, Any]) -> bool:
    """Whether labels meet an expression of an affinity; gitgpu writes only these two operators."""
    is_listed = labels.get(str(required.get("key"))) in list_at(required, "values")
    return is_listed if required.get("operator") == "In" else required.get("operator") == "NotIn" and not is_listed


def _is_managed(pool: Pool) -> bool:
    return str(reach(pool.node_class, "spec", "tags", MANAGED_TAG)).lower() == "true"
