"""What pods need to land on their GPUs, and a Job of the author's own that has it."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.plan.decided.cluster import WorkloadPlan

GPUS, CHANNEL = "gpus", "channel"  # what a pod calls its claims
PINNED = "IPC_LOCK"


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
    pod["containers"] = [_container(one, held)]
    return pod


def _container(one: WorkloadPlan, claims: Iterable[str]) -> Body:
    limits = {} if claims else {one.resource: str(one.workload.gpus)}
    limits |= {one.nics: str(one.workload.rdma)} if one.nics else {}
    resources: Body = {"claims": [{"name": name} for name in claims]} if claims else {}
    container: Body = {"name": one.workload.container, "resources": resources | ({"limits": limits} if limits else {})}
    if one.nics:  # memory that a NIC reads or writes must stay where it is
        container["securityContext"] = {"capabilities": {"add": [PINNED]}}
    return container


def placed(one: WorkloadPlan, job: Mapping[str, Any]) -> Body:
    """The Job's spec with what its pods need; all else stays."""
    template, wanted = job["template"], needed(one)
    [given] = wanted.pop("containers")
    pod = {**template["spec"]}
    for key, value in wanted.items():
        own = pod.get(key)
        pod[key] = value if own is None else [*own, *value] if isinstance(value, list) else {**own, **value}
    pod["containers"] = [
        _with(given, each) if each["name"] == given["name"] else dict(each) for each in pod["containers"]
    ]
    return {**job, "template": {**template, "spec": pod}}


def _with(given: Body, container: Mapping[str, Any]) -> Body:
    """The container with the resources and the capability that it is given."""
    resources, gpus = container.get("resources", {}), given["resources"]
    limits = {**resources.get("limits", {}), **gpus.get("limits", {})}
    whole = {**container, "resources": {**resources, **gpus, **({"limits": limits} if limits else {})}}
    if "securityContext" in given:
        security = container.get("securityContext", {})
        capabilities = security.get("capabilities", {})
        added = list(dict.fromkeys([*capabilities.get("add", ()), PINNED]))
        whole["securityContext"] = {**security, "capabilities": {**capabilities, "add": added}}
    return whole
