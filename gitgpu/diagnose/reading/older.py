"""NodeClaims and NodePools of karpenter.sh/v1beta1 as those of v1.

As ConvertFrom in pkg/apis/v1/nodepool_conversion.go of kubernetes-sigs/karpenter (08dd2d967401). Settings of the
kubelet are omitted: they are part of the node class in v1.
"""

from collections.abc import Mapping
from typing import Any

from gitgpu.access import mapping_at, text_at
from gitgpu.model.names.groups import KARPENTER_GROUP, KARPENTER_V1
from gitgpu.model.names.kinds import AKS_NODE_CLASS, NODE_CLAIM, NODE_POOL, group_kind

_OLD = f"{KARPENTER_GROUP}/v1beta1"
_UNDERUSED = "WhenUnderutilized"


def as_served(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The object in the version that gitgpu reads; itself for all others."""
    if body.get("apiVersion") != _OLD:
        return body
    if group_kind(body) == NODE_CLAIM:
        return {**body, "apiVersion": KARPENTER_V1, "spec": _claim(mapping_at(body, "spec"))}
    if group_kind(body) == NODE_POOL:
        return {**body, "apiVersion": KARPENTER_V1, "spec": _pool(mapping_at(body, "spec"))}
    return body


def _claim(spec: Mapping[str, Any]) -> dict[str, Any]:
    reference = mapping_at(spec, "nodeClassRef")
    kept = {key: value for key, value in spec.items() if key != "kubelet"}
    return {
        **kept,
        "nodeClassRef": {
            "group": text_at(reference, "apiVersion").partition("/")[0] or AKS_NODE_CLASS.group,
            "kind": text_at(reference, "kind") or AKS_NODE_CLASS.kind,
            "name": text_at(reference, "name"),
        },
    }


def _pool(spec: Mapping[str, Any]) -> dict[str, Any]:
    template, disruption = mapping_at(spec, "template"), dict(mapping_at(spec, "disruption"))
    expires = disruption.pop("expireAfter", None)
    if disruption.get("consolidationPolicy") == _UNDERUSED:
        disruption |= {"consolidationPolicy": "WhenEmptyOrUnderutilized", "consolidateAfter": "0s"}
    made = _claim(mapping_at(template, "spec")) | ({"expireAfter": expires} if expires else {})
    return {**spec, "template": {**template, "spec": made}, "disruption": disruption}
