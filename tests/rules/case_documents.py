"""Documents of recorded cases: workloads of another kind, and settings that are not in a document."""

from collections.abc import Mapping
from typing import Any

CLUSTER = "(cluster)"  # the kind of a document with facts about the cluster
ABOUT = "(about)"  # the key for facts about a document that are not part of it
_OWNERS: Mapping[str, tuple[str, Mapping[str, Any], tuple[str, ...]]] = {
    "Pod": ("v1", {}, ()),
    "Deployment": ("apps/v1", {"spec": {"selector": {}}}, ("spec", "template")),
    "ReplicaSet": ("apps/v1", {"spec": {"selector": {}}}, ("spec", "template")),
    "DaemonSet": ("apps/v1", {"spec": {"selector": {}}}, ("spec", "template")),
    "StatefulSet": ("apps/v1", {"spec": {"selector": {}, "serviceName": "x"}}, ("spec", "template")),
    "Job": ("batch/v1", {"spec": {}}, ("spec", "template")),
    "CronJob": (
        "batch/v1",
        {"spec": {"schedule": "0 0 * * *", "jobTemplate": {"spec": {}}}},
        ("spec", "jobTemplate", "spec", "template"),
    ),
    "ScaledJob": (
        "keda.sh/v1alpha1",
        {"spec": {"jobTargetRef": {}, "triggers": [{"type": "cron", "metadata": {}}]}},
        ("spec", "jobTargetRef", "template"),
    ),
}


def converted(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The equivalent object of another kind. For workloads, releases of charts, and KAITO models."""
    if kind in _OWNERS:
        return _as_workload(body, kind)
    return {"Application": _as_application, "HelmValues": _as_values, "InferenceSet": _as_inference_set}[kind](body)


def _as_application(release: Mapping[str, Any]) -> dict[str, Any]:
    spec, meta = release["spec"], release["metadata"]
    chart = spec["chart"]["spec"]
    source = {"repoURL": "https://charts.contoso.com", "chart": chart["chart"], "targetRevision": chart["version"]}
    space = spec.get("targetNamespace") or meta["namespace"]
    return {
        "apiVersion": "argoproj.io/v1alpha1",
        "kind": "Application",
        "metadata": {"name": meta["name"], "namespace": "argocd"},
        "spec": {
            "project": "default",
            "destination": {"server": "https://kubernetes.default.svc", "namespace": space},
            "source": {**source, "helm": {"valuesObject": spec.get("values") or {}}},
        },
    }


def _as_values(release: Mapping[str, Any]) -> dict[str, Any]:
    spec = release["spec"]
    chart = spec["chart"]["spec"]
    space = spec.get("targetNamespace") or release["metadata"]["namespace"]
    known = {"chart": chart["chart"], "version": chart["version"], "namespace": space}
    return {"apiVersion": "gitgpu.dev/v1alpha1", "kind": "HelmValues", **known, "values": spec.get("values") or {}}


def _as_inference_set(workspace: Mapping[str, Any]) -> dict[str, Any]:
    resource = {key: value for key, value in workspace["resource"].items() if key == "instanceType"}
    return {
        "apiVersion": "kaito.sh/v1alpha1",
        "kind": "InferenceSet",
        "metadata": workspace["metadata"],
        "spec": {
            "replicas": 1,
            "labelSelector": workspace["resource"]["labelSelector"],
            "template": {"resource": resource, "inference": workspace["inference"]},
        },
    }


def _as_workload(body: Mapping[str, Any], kind: str) -> dict[str, Any]:
    *_, path = _OWNERS[body["kind"]]
    template: Any = body
    for key in path:
        template = template[key]
    meta = body["metadata"]
    api_version, fields, place = _OWNERS[kind]
    if not place:
        return {
            "apiVersion": api_version,
            "kind": kind,
            "metadata": {**template.get("metadata", {}), **meta},
            "spec": template["spec"],
        }
    noted = {key: value for key, value in template.get("metadata", {}).items() if key in ("labels", "annotations")}
    new = {"apiVersion": api_version, "kind": kind, "metadata": meta, **fields}
    if "selector" in fields["spec"]:
        new = _placed(new, ("spec", "selector"), {"matchLabels": noted.get("labels", {})})
    return _placed(new, place, {"metadata": noted, "spec": template["spec"]})


def _placed(owner: Mapping[str, Any], place: tuple[str, ...], value: Any) -> dict[str, Any]:
    key, *rest = place
    return {**owner, key: _placed(owner.get(key, {}), tuple(rest), value) if rest else value}


def about(body: Mapping[str, Any], step: Mapping[str, Any]) -> dict[str, Any]:
    """The document with the facts about it that a step gives."""
    known = {key: value for key, value in step.items() if key != "about"}
    return {**body, ABOUT: {**body.get(ABOUT, {}), **known}}
