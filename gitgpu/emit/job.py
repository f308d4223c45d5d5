"""A Job of the author's own, with what it needs to land on its GPUs."""

from collections.abc import Mapping
from typing import Any

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.plan.decision import WorkloadPlan


def placed(one: WorkloadPlan, job: Mapping[str, Any]) -> Body:
    """The Job's spec with tolerations, the affinity of its pools, and the GPUs of its container; all else stays."""
    template = job["template"]
    pod = template["spec"]
    own = {**pod, "affinity": {**pod.get("affinity", {}), **on_pools(one.pools)}}
    if one.tolerations:
        own["tolerations"] = [*pod.get("tolerations", ()), *tolerations(one.tolerations)]
    own["containers"] = [_with_gpus(one, container) for container in pod["containers"]]
    return {**job, "template": {**template, "spec": own}}


def _with_gpus(one: WorkloadPlan, container: Mapping[str, Any]) -> Body:
    if container["name"] != one.workload.container:
        return dict(container)
    resources = container.get("resources", {})
    limits = {**resources.get("limits", {}), one.resource: str(one.workload.gpus)}
    return {**container, "resources": {**resources, "limits": limits}}
