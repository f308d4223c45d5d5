"""What pods need to land on their GPUs, and a Job of the author's own that has it."""

from collections.abc import Mapping
from typing import Any

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.plan.decision import WorkloadPlan

GPUS, CHANNEL = "gpus", "channel"  # what a pod calls its claims


def needed(one: WorkloadPlan) -> Body:
    """What a pod must have; of its containers the one that gets the GPUs."""
    claims = {GPUS: one.claim.template, CHANNEL: one.claim.channel} if one.claim else {}
    held = {name: template for name, template in claims.items() if template}
    pod: Body = {"nodeSelector": {"kubernetes.io/os": "windows"}} if one.windows else {}
    pod["affinity"] = on_pools(one.pools)
    if one.tolerations:
        pod["tolerations"] = tolerations(one.tolerations)
    if held:
        pod["resourceClaims"] = [
            {"name": name, "resourceClaimTemplateName": template} for name, template in held.items()
        ]
    counted = {"limits": {one.resource: str(one.workload.gpus)}}
    resources = {"claims": [{"name": name} for name in held]} if held else counted
    pod["containers"] = [{"name": one.workload.container, "resources": resources}]
    return pod


def placed(one: WorkloadPlan, job: Mapping[str, Any]) -> Body:
    """The Job's spec with what its pods need; all else stays."""
    template, wanted = job["template"], needed(one)
    [given] = wanted.pop("containers")
    pod = {**template["spec"]}
    for key, value in wanted.items():
        own = pod.get(key)
        pod[key] = value if own is None else [*own, *value] if isinstance(value, list) else {**own, **value}
    pod["containers"] = [
        _with(given["resources"], each) if each["name"] == given["name"] else dict(each) for each in pod["containers"]
    ]
    return {**job, "template": {**template, "spec": pod}}


def _with(gpus: Body, container: Mapping[str, Any]) -> Body:
    resources = container.get("resources", {})
    limits = {**resources.get("limits", {}), **gpus.get("limits", {})}
    return {**container, "resources": {**resources, **gpus, **({"limits": limits} if limits else {})}}
