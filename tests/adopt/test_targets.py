"""Pods that claim GPUs with ResourceClaims, as the target of a GpuWorkload."""

from typing import Any

from gitgpu.adopt.stack.view import bare_view
from gitgpu.adopt.workloads.targets import Target, target
from gitgpu.inventory.observed import Azure, ObservedCluster
from gitgpu.objects.workload.pods import pods
from tests.adopt.clusters import observed
from tests.adopt.test_recorded_imports import CATALOG
from tests.helping.cases import for_each

USER = {"name": "main", "image": "a", "resources": {"claims": [{"name": "gpu"}]}}
OTHER = {"name": "other", "image": "a"}
CLAIM = {"name": "gpu", "resourceClaimTemplateName": "gpu"}
REFUSED = "a GpuWorkload supports one claim for a number of GPUs, in one container"


def template(namespace: str = "a", name: str = "gpu", requests: int = 1, **exactly: Any) -> dict[str, Any]:
    """A template of claims."""
    request = {"exactly": {"deviceClassName": "gpu.nvidia.com", **exactly}}
    devices = {"requests": [{"name": str(number), **request} for number in range(requests)]}
    meta = {"name": name, "namespace": namespace}
    spec = {"spec": {"devices": devices}}
    return {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": meta, "spec": spec}


def claimed(claims: list[Any], containers: list[Any], templates: list[Any]) -> Target:
    """The target for pods with claims."""
    pod = {"containers": containers, "resourceClaims": claims}
    spec = {
        "selector": {"matchLabels": {"a": "b"}},
        "template": {"metadata": {"labels": {"a": "b"}}, "spec": pod},
    }
    meta = {"name": "main", "namespace": "a"}
    deployment = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": meta, "spec": spec}
    cluster = ObservedCluster("lab", Azure(kubernetes="1.36"), tuple(map(observed, (deployment, *templates))))
    view = bare_view(cluster, CATALOG)
    [pod_view] = pods(view.objects)
    return target(pod_view, view.objects)


@for_each(
    ("claims", "containers", "templates", "gpus"),
    [
        ([CLAIM], [USER], [template()], 1),
        ([CLAIM], [USER, OTHER], [template(count=4)], 4),
        ([CLAIM], [OTHER, USER], [template("b", count=4), template(count=2)], 2),
        ([CLAIM], [USER], [template("b")], None),
        ([CLAIM], [USER], [], None),
        ([CLAIM], [USER], [template(requests=2)], None),
        ([CLAIM], [USER, {**USER, "name": "second"}], [template()], None),
        ([CLAIM], [OTHER], [template()], None),
        ([CLAIM, {"name": "own", "resourceClaimName": "own"}], [USER], [template()], None),
        ([CLAIM, {**CLAIM, "name": "again"}], [USER], [template()], None),
        ([{"name": "gpu", "resourceClaimName": "gpu"}], [USER], [template()], None),
    ],
)
def test_one_claim_of_one_container(
    claims: list[Any], containers: list[Any], templates: list[Any], gpus: int | None
) -> None:
    result = claimed(claims, containers, templates)
    if gpus is None:
        assert result == Target({}, reason=REFUSED)
    else:
        more = {} if gpus == 1 else {"gpus": gpus}
        assert result == Target({"target": {"kind": "Deployment", "name": "main"}, **more})
