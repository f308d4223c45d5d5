"""What pods need to run on their GPUs, and the user's own Job with these settings."""

from collections.abc import Iterable, Mapping
from typing import Any

from gitgpu.emit.emitter import Body, on_pools, tolerations
from gitgpu.model.fleet import Workload
from gitgpu.model.names.labels import OS_LABEL
from gitgpu.objects.workload.known_kinds import target_shape
from gitgpu.plan.decided.cluster import WorkloadPlan

CHANNEL = "channel"  # the name of a pod's claim for a channel
PINNED = "IPC_LOCK"  # the capability to lock memory


def gpu_container(workload: Workload) -> str:
    """The name of the container that gets the GPUs."""
    return workload.container or target_shape(workload).container or workload.target_name


def scale_target(workload: Workload) -> Body:
    """The reference of an autoscaler to the target of a workload."""
    version = target_shape(workload).api_version
    return {"apiVersion": version, "kind": workload.target_kind, "name": workload.target_name}


def needed_settings(workload: WorkloadPlan) -> Body:
    """The settings that a pod needs, with only the container that gets the GPUs."""
    templates = {claim.name: claim.template for claim in workload.claims}
    if workload.claim and workload.claim.channel:
        templates[CHANNEL] = workload.claim.channel
    pod: Body = {"nodeSelector": {OS_LABEL: "windows"}} if workload.windows else {}
    if workload.scheduler:
        pod["schedulerName"] = workload.scheduler
    if workload.priority and not workload.queue:  # Kueue has priorities of its own
        pod["priorityClassName"] = workload.priority
    pod["affinity"] = on_pools(workload.pools)
    if workload.tolerations:
        pod["tolerations"] = tolerations(workload.tolerations)
    if templates:
        pod["resourceClaims"] = [
            {"name": name, "resourceClaimTemplateName": template} for name, template in templates.items()
        ]
    pod["containers"] = [_container(workload, templates)]
    return pod


def _container(workload: WorkloadPlan, claims: Iterable[str]) -> Body:
    resources: Body = {}
    limits: dict[str, str] = {}
    if claims:
        resources["claims"] = [{"name": name} for name in claims]
    if not workload.claim:
        limits[workload.resource] = str(workload.workload.gpus)
    if workload.nics:
        limits[workload.nics] = str(workload.workload.rdma)
    if limits:
        resources["limits"] = limits
    container: Body = {"name": gpu_container(workload.workload), "resources": resources}
    if workload.nics or workload.nic_claim:  # memory that a NIC reads or writes must be locked
        container["securityContext"] = {"capabilities": {"add": [PINNED]}}
    return container


def place_job(workload: WorkloadPlan, job: Mapping[str, Any]) -> Body:
    """The spec of a Job with what its pods need; everything else stays as it is."""
    template, gpu_pod = job["template"], needed_settings(workload)
    [gpu_container] = gpu_pod.pop("containers")
    pod = {**template["spec"]}
    for key, value in gpu_pod.items():
        written = pod.get(key)
        if written is None:
            pod[key] = value
        elif not isinstance(value, str):  # the author's own scheduler or priority stays
            pod[key] = [*written, *value] if isinstance(value, list) else {**written, **value}
    containers = list(map(dict, pod["containers"]))
    for index, container in enumerate(containers):
        if container["name"] == gpu_container["name"]:
            containers[index] = _with(gpu_container, container)
    return {**job, "template": {**template, "spec": {**pod, "containers": containers}}}


def _with(gpu_container: Body, container: Mapping[str, Any]) -> Body:
    """The container with the resources and the capability of the GPU container."""
    resources, gpus = container.get("resources", {}), gpu_container["resources"]
    limits = {**resources.get("limits", {}), **gpus.get("limits", {})}
    both = {**resources, **gpus}
    if limits:
        both["limits"] = limits
    whole = {**container, "resources": both}
    if "securityContext" in gpu_container:
        security = container.get("securityContext", {})
        capabilities = security.get("capabilities", {})
        added = list(dict.fromkeys([*capabilities.get("add", ()), PINNED]))
        whole["securityContext"] = {**security, "capabilities": {**capabilities, "add": added}}
    return whole
